import { clip } from '../../../engine/values/text.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import type { CreditTransferInitiation } from '../../../engine/values/credit-transfer.ts';
import { deletion, type TransactionStatus } from '../../../engine/settlement/rules/transaction-status.ts';
import type { Payment } from '../../../engine/payments/rows/payments.ts';
import type { InitiatedPayment } from '../../../engine/payments/initiate-payment.ts';
import type { PaymentDetails, PaymentStatus, ShownPayment } from '../../../engine/payments/read-payment.ts';
import { link, type Link } from '../../pipeline/links.ts';

/** interface: Periodic payment initiation response. Single and bulk payments get the same (real-api-facts.md 4.1). */
export function initiationResponse(initiated: InitiatedPayment, scaAddress: string | null) {
  const { payment, fee } = initiated;
  return {
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    transactionFees: { amount: formatAmount(fee), currency: fee.currency },
    // The recorded answer has true with a fee of 0.00; the interface says when fees apply (rules.md P11).
    transactionFeeIndicator: fee.minor > 0n,
    ...messages(initiated),
    _links: { ...paymentLinks(initiated), ...(scaAddress !== null && { scaRedirect: link(scaAddress, 'GET') }) },
  };
}

/** The initiation as the TPP sent it, with id, status and links (real-api-facts.md 4.2). */
export function paymentDetails(details: PaymentDetails) {
  const { payment, initiation } = details;
  return {
    ...(JSON.parse(initiation) as CreditTransferInitiation),
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    ...messages(details),
    _links: paymentLinks(details),
  };
}

/** real-api-facts.md 4.3; `fundsAvailable` accompanies ACCP (rules.md S4). */
export function paymentStatus(status: PaymentStatus) {
  const { payment, fundsAvailable } = status;
  return {
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    ...(fundsAvailable !== null && payment.forced_status === null && { fundsAvailable }),
    ...messages(status),
    _links: paymentLinks(status),
  };
}

/** The answer to DELETE when the PSU has to sign the cancellation (rules.md P12). */
export function cancellationResponse(payment: Payment) {
  return { transactionStatus: visibleStatus(payment), _links: authorisationLink(payment, 'cancellation') };
}

/** `tppMessages`, and their words for the PSU as one `psuMessage`; neither when there is nothing to say. */
function messages({ messages: all }: Pick<ShownPayment, 'messages'>) {
  const forPsu = all.flatMap(({ psuText }) => psuText ?? []);
  return {
    ...(all.length > 0 && {
      tppMessages: all.map(({ category, code, path, text }) => ({ category, code, path, text: clip(text, longest) })),
    }),
    ...(forPsu.length > 0 && { psuMessage: clip(forPsu.join(' '), longest) }),
  };
}

/** interface: Limits, tppMessages text and psuMessage. */
const longest = 512;

/** `self` offers DELETE only while the payment can be deleted (rules.md P2); `startAuthorisation` as rules.md P12b says. */
function paymentLinks({ payment, next }: Pick<ShownPayment, 'payment' | 'next'>): Record<string, Link> {
  const self = addressOf(payment);
  return {
    self: deletion(payment.status) === 'never' ? link(self, 'GET') : link(self, 'GET', 'DELETE'),
    status: link(`${self}/status`, 'GET'),
    ...(next !== null && authorisationLink(payment, next)),
  };
}

function authorisationLink(payment: Payment, next: 'payment' | 'cancellation'): Record<string, Link> {
  const collection = next === 'payment' ? 'authorisations' : 'cancellation-authorisations';
  return { startAuthorisation: link(`${addressOf(payment)}/${collection}`, 'POST') };
}

function addressOf(payment: Payment): string {
  return `/v1/${payment.service}/${payment.product}/${payment.resource_id}`;
}

/** The status that a TPP reads: the one that the control plane forced, else the payment's own (rules.md S9b). */
export function visibleStatus(payment: Pick<Payment, 'status' | 'forced_status'>): TransactionStatus {
  return payment.forced_status ?? payment.status;
}
