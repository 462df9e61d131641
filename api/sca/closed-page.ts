import type { TransactionStatus } from '../../engine/settlement/rules/transaction-status.ts';
import type { ScaView } from '../../engine/approval/read-sca.ts';
import { html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { type PageView, scaForm } from './sca-form.ts';

/** Headings when a payment takes no signature any more. */
const signed = 'This payment is signed already';
const ofPayment: Readonly<Partial<Record<TransactionStatus, string>>> = {
  ACSC: 'This payment is signed and paid already',
  RJCT: 'This payment was rejected',
  CANC: 'This payment was cancelled',
};

/** Headings when a payment can no longer be cancelled. */
const tooLate = 'It is too late to cancel this payment';
const ofCancellation: Readonly<Partial<Record<TransactionStatus, string>>> = {
  ACSC: 'This payment is paid, and can no longer be cancelled',
  RJCT: 'This payment was rejected: there is nothing to cancel',
  CANC: 'This payment is cancelled already',
};

/** Shown if there is nothing left to approve: what became of the payment, and a button back to the TPP. */
export function closedPage(view: PageView, status: TransactionStatus | null): string {
  const content = html`<p class="lead">There is nothing left to approve, and nothing was changed.</p>
    ${scaForm(
      view.formToken,
      html`<div class="buttons">
        <button class="main" name="action" value="cancel">Back to ${view.tppName}</button>
      </div>`,
    )}`;
  return page({ heading: headingOf(view.purpose, status), problem: null, today: view.today, content });
}

function headingOf(purpose: ScaView['purpose'], status: TransactionStatus | null): string {
  if (status === null) return 'These payments take no signature any more';
  return purpose === 'cancellation' ? (ofCancellation[status] ?? tooLate) : (ofPayment[status] ?? signed);
}
