import type { TransactionStatus } from '../../engine/settlement/rules/transaction-status.ts';
import type { ScaView } from '../../engine/approval/read-sca.ts';
import { html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { type PageView, scaForm } from './sca-form.ts';

/** What has become of a payment that was to be signed. */
const signed = 'This payment is signed already';
const ofPayment: Readonly<Partial<Record<TransactionStatus, string>>> = {
  ACSC: 'This payment is signed and paid already',
  RJCT: 'This payment was rejected',
  CANC: 'This payment was cancelled',
};

/** What has become of one that was to be cancelled. */
const tooLate = 'It is too late to cancel this payment';
const ofCancellation: Readonly<Partial<Record<TransactionStatus, string>>> = {
  ACSC: 'This payment is paid, and can no longer be cancelled',
  RJCT: 'This payment was rejected: there is nothing to cancel',
  CANC: 'This payment is cancelled already',
};

/** Instead of asking to approve what there is no more: what has become of it, and the way back to the TPP. */
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
