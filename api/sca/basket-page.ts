import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';
import type { ScaSubject } from '../../engine/approval/sca-subject.ts';
import type { PaymentToSign } from '../../engine/payments/payment-to-sign.ts';
import type { Currency } from '../../engine/values/currency.ts';
import type { Amount } from '../../engine/values/money.ts';
import { html, type Html } from '../pages/html.ts';
import { balanceFacts, paymentFacts, whoSigns } from './payment-facts.ts';
import { decisionForm } from './sca-form.ts';
import { type PageView, scaPage, tppName } from './sca-page.ts';

type BasketSubject = Extract<ScaSubject, { payments: unknown }>;

/** The last page of a signing basket: the total, then every payment, then one decision for all (rules.md A2). */
export function basketPage(
  view: PageView,
  signing: SigningView,
  { payments, balances }: BasketSubject,
  choice: ContextChoice,
): string {
  const { format, formToken } = view;
  const { approve, cancel, basket, payment: texts } = view.texts;
  const content = html`<p class="lead">${texts.askedBy(tppName(view))} ${basket.atOnce}</p>
    ${totals(payments).map(
      (total) => html`<p class="amount">${format.amount(total)} <span class="note">${basket.inAll}</span></p>`,
    )}
    ${payments.map((payment, index) => onePayment(view, payment, index))}
    <dl>${balanceFacts(view, balances, payments)} ${whoSigns(view, signing, choice)}</dl>
    ${decisionForm({ formToken, fields: null, approve, cancel })}`;
  return scaPage(view, { heading: basket.heading(payments.length), content });
}

function onePayment(view: PageView, payment: PaymentToSign, index: number): Html {
  const isPeriodic = 'schedule' in payment.timing;
  return html`<section aria-labelledby="payment-${index}">
    <h2 id="payment-${index}">
      ${view.format.amount(payment.amount)}${
        isPeriodic && html` <span class="note">${view.texts.payment.eachTime}</span>`
      }
    </h2>
    <dl>${paymentFacts(view, payment, 'payment')}</dl>
  </section>`;
}

/** One sum per currency, in order of first use; a periodic payment counts once. */
function totals(payments: readonly PaymentToSign[]): Amount[] {
  const sums = new Map<Currency, bigint>();
  for (const { amount } of payments) sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + amount.minor);
  return [...sums].map(([currency, minor]) => ({ minor, currency }));
}
