import type { ChosenContext } from '../../engine/approval/read-sca.ts';

/** The fields that an SCA page submits. Earlier answers are stored on the server, with the step. */
export type ScaForm =
  | { readonly action: 'cancel' }
  /** Asks to reject a payment for all of its signers, and once asked again rejects it (rules.md A4c). */
  | { readonly action: 'reject' }
  | { readonly action: 'identify'; readonly psu: string }
  /** `context` as contextValue writes it; empty if nothing was chosen. */
  | { readonly action: 'choose'; readonly context: string }
  /** The ids of the accounts that are ticked. */
  | { readonly action: 'approve'; readonly accounts: readonly string[] };

/** The field with the token of the form. */
export const tokenField = 'token';

/** Reads a submitted form; null if no SCA page submits such fields. Removes blanks from the number. */
export function readScaForm(fields: URLSearchParams): ScaForm | null {
  const action = fields.get('action') ?? '';
  switch (action) {
    case 'cancel':
    case 'reject':
      return { action };
    case 'identify':
      return { action, psu: (fields.get('psu') ?? '').replace(/\s/g, '') };
    case 'choose':
      return { action, context: fields.get('context') ?? '' };
    case 'approve':
      return { action, accounts: fields.getAll('account') };
    default:
      return null;
  }
}

/** The value of a form field for a context: `PRIVATE`, or `CORPORATE` with the id of an agreement. */
export function contextValue({ context, agreement }: ChosenContext): string {
  return agreement === null ? context : `${context} ${agreement}`;
}

/** Parses a value of contextValue; null for any other text. */
export function contextNamed(value: string): ChosenContext | null {
  if (value === 'PRIVATE') return { context: 'PRIVATE', agreement: null };
  const [, agreement] = /^CORPORATE (\S+)$/.exec(value) ?? [];
  return agreement === undefined ? null : { context: 'CORPORATE', agreement };
}
