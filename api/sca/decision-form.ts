import { html, type Html, type HtmlValue } from '../pages/html.ts';
import { scaForm } from './sca-form.ts';

export interface Decision {
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
