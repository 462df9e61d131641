import { html, type Html, type HtmlValue } from '../pages/html.ts';
import type { ChosenContext, ScaView } from '../../engine/approval/read-sca.ts';

/** What a page of the SCA submits; what was answered before is kept in the server, by its step. */
export type ScaForm =
  | { readonly action: 'cancel' }
  | { readonly action: 'identify'; readonly psu: string }
  /** `context` as contextValue writes it; empty when nothing was chosen. */
  | { readonly action: 'choose'; readonly context: string }
  /** The ids of the accounts that are ticked. */
  | { readonly action: 'approve'; readonly accounts: readonly string[] };

const tokenField = 'token';

/** A form to the address of the page that it is on, with the token that shows where it comes from. */
export function scaForm(token: string, content: HtmlValue): Html {
  return html`<form method="post">
    <input type="hidden" name="${tokenField}" value="${token}" />
    ${content}
  </form>`;
}

export function formTokenIn(fields: URLSearchParams): string {
  return fields.get(tokenField) ?? '';
}

/** Reads the fields of a form, or null when no page of ours submits such a one. Blanks in the number are left out. */
export function readScaForm(fields: URLSearchParams): ScaForm | null {
  const action = fields.get('action') ?? '';
  switch (action) {
    case 'cancel':
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

/** What a page of the SCA shows, and the token that its forms carry. */
export type PageView = ScaView & { readonly formToken: string };

interface Decision {
  readonly formToken: string;
  readonly fields: HtmlValue;
  /** The words on the buttons. */
  readonly approve: string;
  readonly cancel: string;
}

/** The form that ends every SCA. Approve stands first, so that it is what Enter means. */
export function decisionForm({ formToken, fields, approve, cancel }: Decision): Html {
  const content = html`${fields}
    <div class="buttons">
      <button class="main" name="action" value="approve">${approve}</button>
      <button name="action" value="cancel">${cancel}</button>
    </div>`;
  return scaForm(formToken, content);
}

/** The value of a form field for a context: `PRIVATE`, or `CORPORATE` with the id of an agreement. */
export function contextValue({ context, agreement }: ChosenContext): string {
  return agreement === null ? context : `${context} ${agreement}`;
}

/** The context that a value of contextValue names, or null. */
export function contextNamed(value: string): ChosenContext | null {
  if (value === 'PRIVATE') return { context: 'PRIVATE', agreement: null };
  const [, agreement] = /^CORPORATE (\S+)$/.exec(value) ?? [];
  return agreement === undefined ? null : { context: 'CORPORATE', agreement };
}
