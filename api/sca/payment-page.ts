import type { ScaSubject } from '../../engine/approval/sca-subject.ts';
import type { PaymentToSign } from '../../engine/payments/payment-to-sign.ts';
import type { Currency } from '../../engine/values/currency.ts';
import type { Amount } from '../../engine/values/money.ts';
import { html, type Html } from '../pages/html.ts';
import { balanceFacts, paymentFacts } from './payment-facts.ts';
import {
  backButton,
  button,
  decisionForm,
  fact,
  mainButton,
  scaForm,
  scaPage,
  type SignerView,
  tppName,
  whoSigns,
} from './sca-page.ts';

type PaymentSubject = Extract<ScaSubject, { payment: unknown }>;
type BasketSubject = Extract<ScaSubject, { payments: unknown }>;

/** The last page of a payment or a cancellation: all facts to sign, then approve or cancel (rules.md A2). */
export function paymentPage(view: SignerView, subject: PaymentSubject): string {
  const { payment: texts, signatures, approve, cancel } = view.texts;
  const { payment, purpose, balances } = subject;
  const kind = 'schedule' in payment.timing ? 'periodic' : 'single';
  const isCancellation = purpose === 'cancellation';
  const amount = view.format.amount(payment.amount);
  const content = html`<p class="lead">${texts.askedBy(tppName(view))} ${isCancellation && texts.notMade}</p>
    <p class="amount">
      ${isCancellation ? html`<s>${amount}</s>` : amount}
      ${kind === 'periodic' && html`<span class="note">${texts.eachTime}</span>`}
    </p>
    <dl>
      ${paymentFacts(view, payment, purpose)} ${balanceFacts(view, balances, [payment])}
      ${needsSeveral(subject) && signatureFact(view, subject)} ${whoSigns(view)}
    </dl>
    ${decisionForm(view, null, isCancellation ? { approve: texts.cancelIt[kind], cancel: texts.keepIt } : { approve, cancel })}
    ${
      needsSeveral(subject) &&
      html`<section aria-labelledby="reject">
        <h2 id="reject">${signatures.orReject}</h2>
        <p class="note">${signatures.rejectEnds}</p>
        ${scaForm(view, null, button('reject', signatures.reject))}
      </section>`
    }`;
  return scaPage(view, { heading: isCancellation ? texts.cancelHeading[kind] : texts.approveHeading[kind], content });
}

/** Whether the page shows signatures: a payment needs several of them. A cancellation always takes one. */
export function needsSeveral({ purpose, payment }: PaymentSubject): boolean {
  return purpose === 'payment' && payment.signatures.required > 1;
}

/** Who has signed and when, this PSU, and who can sign too (interface: Multiple signatures). */
function signatureFact({ texts, format, signing: { psu } }: SignerView, subject: PaymentSubject): Html {
  const { signatures: words } = texts;
  const { required, given } = subject.payment.signatures;
  const left = required - given.length - 1;
  const signer = (state: 'signed' | 'now' | 'missing', name: string, note: string): Html =>
    html`<li class="${state}">${name} <span class="note">${note}</span></li>`;
  const signers = html`<ol class="signers">
    ${given.map(({ name, at }) => signer('signed', name, words.signed(format.moment(at))))}
    ${signer('now', psu.name, words.you)}
    ${left > 0 && subject.otherSigners.map((name) => signer('missing', name, words.maySign))}
  </ol>`;
  const missing = left === 0 ? words.last : words.left(left);
  return fact(words.name, html`${words.required(required)} ${missing} ${signers}`);
}

/** Asks once more before one of several signers rejects a payment for all of them (rules.md A4c). */
export function rejectPage(view: SignerView, { amount, signatures: { given } }: PaymentToSign): string {
  const { format } = view;
  const { reject: texts } = view.texts;
  const content = html`<p class="lead">
      ${texts.lead(format.amount(amount))}
      ${given.length > 0 && texts.given(format.list(given.map(({ name }) => name)))}
    </p>
    ${scaForm(view, null, mainButton('reject', texts.confirm), backButton(view, texts.back))}`;
  return scaPage(view, { heading: texts.heading, content });
}

/** The last page of a signing basket: the total, then every payment, then one decision for all (rules.md A2). */
export function basketPage(view: SignerView, { payments, balances }: BasketSubject): string {
  const { basket, payment: texts } = view.texts;
  const content = html`<p class="lead">${texts.askedBy(tppName(view))} ${basket.atOnce}</p>
    ${totals(payments).map(
      (total) => html`<p class="amount">${view.format.amount(total)} <span class="note">${basket.inAll}</span></p>`,
    )}
    ${payments.map(
      (payment, index) =>
        html`<section aria-labelledby="payment-${index}">
          <h2 id="payment-${index}">
            ${view.format.amount(payment.amount)}${
              'schedule' in payment.timing && html` <span class="note">${texts.eachTime}</span>`
            }
          </h2>
          <dl>${paymentFacts(view, payment, 'payment')}</dl>
        </section>`,
    )}
    <dl>${balanceFacts(view, balances, payments)} ${whoSigns(view)}</dl>
    ${decisionForm(view)}`;
  return scaPage(view, { heading: basket.heading(payments.length), content });
}

/** One sum per currency, in order of first use; a periodic payment counts once. */
function totals(payments: readonly PaymentToSign[]): Amount[] {
  const sums = new Map<Currency, bigint>();
  for (const { amount } of payments) sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + amount.minor);
  return [...sums].map(([currency, minor]) => ({ minor, currency }));
}
