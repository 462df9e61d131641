import type { PsuContext } from '../../engine/ledger/tables.ts';
import type { ScaSubject, ScaView, SigningView } from '../../engine/operations/read-sca.ts';
import { decisionForm } from './decision-form.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { fact, paymentFacts } from './payment-facts.ts';
import { shownAmount } from './shown-amount.ts';

type PaymentSubject = Extract<ScaSubject, { payment: unknown }>;

/** The last page of a payment or a cancellation: everything that is signed, then approve or cancel (rules.md A2). */
export function paymentPage(view: ScaView, signing: SigningView, subject: PaymentSubject, context: PsuContext): string {
  const { payment, purpose } = subject;
  const isPeriodic = 'schedule' in payment.timing;
  const kind = isPeriodic ? 'periodic payment' : 'payment';
  const isCancellation = purpose === 'cancellation';
  const content = html`<p class="lead">
      Asked for by <strong>${view.tppName}</strong>.${isCancellation && ' The payment below will not be made.'}
    </p>
    <p class="amount">
      ${isCancellation ? html`<s>${shownAmount(payment.amount)}</s>` : shownAmount(payment.amount)}
      ${isPeriodic && html`<span class="note">each time</span>`}
    </p>
    <dl>${paymentFacts(payment, purpose)} ${fact('You', `${signing.psu.name}, ${signing.psu.number}`)}</dl>
    ${decisionForm({
      psu: signing.psu.number,
      context,
      fields: null,
      approve: isCancellation ? `Cancel this ${kind}` : 'Approve',
      cancel: isCancellation ? 'Keep it' : 'Cancel',
    })}`;
  const heading = isCancellation ? `Cancel this ${kind}?` : `Approve this ${kind}?`;
  return page({ heading, problem: null, today: view.today, content });
}
