import type { ContextChoice } from '../../engine/approval/read-sca.ts';
import type { PaymentToSign } from '../../engine/payments/payment-to-sign.ts';
import { html } from '../pages/html.ts';
import { backButton, scaForm } from './sca-form.ts';
import { type PageView, scaPage } from './sca-page.ts';

/** Asks once more before one of several signers rejects a payment for all of them (rules.md A4c). */
export function rejectPage(view: PageView, { amount, signatures }: PaymentToSign, choice: ContextChoice): string {
  const { format } = view;
  const { reject: texts } = view.texts;
  const { given } = signatures;
  const content = html`<p class="lead">
      ${texts.lead(format.amount(amount))}
      ${given.length > 0 && texts.given(format.list(given.map(({ name }) => name)))}
    </p>
    ${scaForm(
      view.formToken,
      html`<div class="buttons">
        <button class="main" name="action" value="reject">${texts.confirm}</button>
        ${backButton(choice, texts.back)}
      </div>`,
    )}`;
  return scaPage(view, { heading: texts.heading, content });
}
