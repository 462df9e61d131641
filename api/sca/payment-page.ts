import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';
import type { ScaSubject } from '../../engine/approval/sca-subject.ts';
import { decisionForm, type PageView } from './sca-form.ts';
import { html, type Html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { fact, paymentFacts, whoSigns } from './payment-facts.ts';
import { amountText } from '../pages/format.ts';

type PaymentSubject = Extract<ScaSubject, { payment: unknown }>;

/** The last page of a payment or a cancellation: all facts to sign, then approve or cancel (rules.md A2). */
export function paymentPage(
  view: PageView,
  signing: SigningView,
  subject: PaymentSubject,
  choice: ContextChoice,
): string {
  const { payment, purpose } = subject;
  const isPeriodic = 'schedule' in payment.timing;
  const kind = isPeriodic ? 'periodic payment' : 'payment';
  const isCancellation = purpose === 'cancellation';
  const content = html`<p class="lead">
      Asked for by <strong>${view.tppName}</strong>.${isCancellation && ' The payment below will not be made.'}
    </p>
    <p class="amount">
      ${isCancellation ? html`<s>${amountText(payment.amount)}</s>` : amountText(payment.amount)}
      ${isPeriodic && html`<span class="note">each time</span>`}
    </p>
    <dl>${paymentFacts(payment, purpose)} ${signatureFact(payment, purpose)} ${whoSigns(signing, choice)}</dl>
    ${decisionForm({
      formToken: view.formToken,
      fields: null,
      approve: isCancellation ? `Cancel this ${kind}` : 'Approve',
      cancel: isCancellation ? 'Keep it' : 'Cancel',
    })}`;
  const heading = isCancellation ? `Cancel this ${kind}?` : `Approve this ${kind}?`;
  return page({ heading, problem: null, today: view.today, content });
}

/** interface: Multiple signatures. A cancellation always takes one signature. */
function signatureFact({ signatures }: PaymentSubject['payment'], purpose: PaymentSubject['purpose']): Html | null {
  const { required, given } = signatures;
  if (required === 1 || purpose === 'cancellation') return null;
  const before = given.length === 0 ? '' : `, after ${given.join(' and ')}`;
  return fact('Signatures', `The account asks for ${required}. Yours is number ${given.length + 1}${before}.`);
}
