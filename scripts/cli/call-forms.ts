import type { CallName } from '../../api/openapi/calls.ts';
import kept from './call-forms.json' with { type: 'json' };

/** What a call of the control plane takes: a part of its path, its query or its body. */
export interface Taken {
  /** `seed`; of an object in the body: `accounts.shared`. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  /** `file`: a name, or JSON. */
  readonly kind: 'text' | 'number' | 'switch' | 'list' | 'file';
  readonly isRequired: boolean;
  /** What it is, in a sentence. */
  readonly what: string;
  /** Its values, or empty if it has no list of them. */
  readonly values: readonly string[];
}

/** What a command has to know of a call. */
export interface CallForm {
  readonly summary: string;
  readonly takes: readonly Taken[];
  /** A member that each answer has. */
  readonly member: string;
}

/**
 * The form of a call. `npm run generate` makes them of the control document, which takes too long for each start of a
 * command.
 */
export function formOf(call: CallName): CallForm {
  const forms: Readonly<Record<string, CallForm>> = kept as Readonly<Record<string, CallForm>>;
  return forms[call] ?? { summary: '', takes: [], member: '' };
}
