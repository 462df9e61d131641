import { html, type Html, type HtmlValue } from '../pages/html.ts';

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
