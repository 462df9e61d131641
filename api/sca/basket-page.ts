import type { Currency } from '../../engine/values/currency.ts';
import { formatAmount } from '../../engine/values/money.ts';
import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';
import type { PaymentToSign } from '../../engine/payments/payment-to-sign.ts';
import { decisionForm, type PageView } from './sca-form.ts';
import { html, type Html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { paymentFacts, whoSigns } from './payment-facts.ts';
import { amountText } from '../pages/format.ts';

/** The last page of a signing basket: the total, then every payment, then one decision for all (rules.md A2). */
export function basketPage(
  view: PageView,
  signing: SigningView,
  payments: readonly PaymentToSign[],
  choice: ContextChoice,
): string {
  const many = payments.length === 1 ? 'this payment' : `these ${payments.length} payments`;
  const content = html`<p class="lead">Asked for by <strong>${view.tppName}</strong>. You sign them all at once.</p>
    ${totals(payments).map((total) => html`<p class="amount">${amountText(total)} <span class="note">in all</span></p>`)}
    ${payments.map(onePayment)}
    <dl>${whoSigns(signing, choice)}</dl>
    ${decisionForm({ formToken: view.formToken, fields: null, approve: 'Approve', cancel: 'Cancel' })}`;
  return page({ heading: `Approve ${many}?`, problem: null, today: view.today, content });
}

function onePayment(payment: PaymentToSign, index: number): Html {
  const isPeriodic = 'schedule' in payment.timing;
  return html`<section aria-labelledby="payment-${index}">
    <h2 id="payment-${index}">
      ${amountText(payment.amount)}${isPeriodic && html` <span class="note">each time</span>`}
    </h2>
    <dl>${paymentFacts(payment, 'payment')}</dl>
  </section>`;
}

/** One sum per currency, in order of first use; a periodic payment counts once. */
function totals(payments: readonly PaymentToSign[]): { readonly amount: string; readonly currency: string }[] {
  const sums = new Map<Currency, bigint>();
  for (const { amount } of payments) {
    const { currency } = amount;
    // Amounts have all fraction digits of their currency. Not parsed: the sum of a bulk payment may be too long for parseAmount.
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount.amount.replace('.', '')));
  }
  return [...sums].map(([currency, minor]) => ({ amount: formatAmount({ minor, currency }), currency }));
}
