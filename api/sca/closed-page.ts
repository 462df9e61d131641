import type { TransactionStatus } from '../../engine/settlement/rules/transaction-status.ts';
import { html } from '../pages/html.ts';
import { scaForm } from './sca-form.ts';
import { type PageView, scaPage } from './sca-page.ts';

/** Shown if there is nothing left to approve: what became of the payment, and a button back to the TPP. */
export function closedPage(view: PageView, status: TransactionStatus | null): string {
  const { closed } = view.texts;
  const content = html`<p class="lead">${closed.lead}</p>
    ${scaForm(
      view.formToken,
      html`<div class="buttons">
        <button class="main" name="action" value="cancel">${closed.back(view.tppName)}</button>
      </div>`,
    )}`;
  return scaPage(view, { heading: headingOf(view, status), content });
}

/** By what became of the payment; `other`: it is signed, or due. */
function headingOf({ purpose, texts: { closed } }: PageView, status: TransactionStatus | null): string {
  if (status === null) return closed.basket;
  const { other, ...known } = purpose === 'cancellation' ? closed.cancellation : closed.payment;
  const headings: Partial<Record<TransactionStatus, string>> = known;
  return headings[status] ?? other;
}
