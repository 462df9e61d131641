import type { PsuContext } from '../../engine/ledger/tables.ts';
import { html, type Html, type HtmlValue } from './html.ts';

export interface Decision {
  readonly psu: string;
  readonly context: PsuContext;
  readonly fields: HtmlValue;
  /** The words on the buttons. */
  readonly approve: string;
  readonly cancel: string;
}

/** The form that ends every SCA. Approve stands first, so that it is what Enter means. */
export function decisionForm({ psu, context, fields, approve, cancel }: Decision): Html {
  return html`<form method="post">
    <input type="hidden" name="psu" value="${psu}" />
    <input type="hidden" name="context" value="${context}" />
    ${fields}
    <div class="buttons">
      <button class="main" name="action" value="approve">${approve}</button>
      <button name="action" value="cancel">${cancel}</button>
    </div>
  </form>`;
}
