import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';
import type { ScaSubject } from '../../engine/approval/sca-subject.ts';
import { html } from '../pages/html.ts';
import { balanceFacts, paymentFacts, whoSigns } from './payment-facts.ts';
import { decisionForm } from './sca-form.ts';
import { type PageView, scaPage, tppName } from './sca-page.ts';
import { needsSeveral, rejectSection, signatureFact } from './signatures.ts';

type PaymentSubject = Extract<ScaSubject, { payment: unknown }>;

/** The last page of a payment or a cancellation: all facts to sign, then approve or cancel (rules.md A2). */
export function paymentPage(
  view: PageView,
  signing: SigningView,
  subject: PaymentSubject,
  choice: ContextChoice,
): string {
  const { payment: texts, approve, cancel } = view.texts;
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
      ${needsSeveral(subject) && signatureFact(view, signing, subject)} ${whoSigns(view, signing, choice)}
    </dl>
    ${decisionForm({
      formToken: view.formToken,
      fields: null,
      approve: isCancellation ? texts.cancelIt[kind] : approve,
      cancel: isCancellation ? texts.keepIt : cancel,
    })}
    ${needsSeveral(subject) && rejectSection(view)}`;
  return scaPage(view, { heading: isCancellation ? texts.cancelHeading[kind] : texts.approveHeading[kind], content });
}
