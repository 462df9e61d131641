import { contextValue, type ChosenContext } from './context-value.ts';
import { html, type Html, type HtmlValue } from './html.ts';

export interface Decision {
  readonly psu: string;
  readonly choice: ChosenContext;
  readonly fields: HtmlValue;
  /** The words on the buttons. */
  readonly approve: string;
  readonly cancel: string;
}

/** The form that ends every SCA. Approve stands first, so that it is what Enter means. */
export function decisionForm({ psu, choice, fields, approve, cancel }: Decision): Html {
  return html`<form method="post">
    <input type="hidden" name="psu" value="${psu}" />
    <input type="hidden" name="context" value="${contextValue(choice)}" />
    ${fields}
    <div class="buttons">
      <button class="main" name="action" value="approve">${approve}</button>
      <button name="action" value="cancel">${cancel}</button>
    </div>
  </form>`;
}
