import { formatAmount } from '../../../engine/values/money.ts';
import { clip } from '../../../engine/values/text.ts';
import type { CreditTransferInitiation } from '../../../engine/values/credit-transfer.ts';
import {
  awaitsSignature,
  deletion,
  type TransactionStatus,
} from '../../../engine/settlement/rules/transaction-status.ts';
import type { Payment } from '../../../engine/payments/rows/payments.ts';
import type { DeletedPayment } from '../../../engine/payments/delete-payment.ts';
import type { PaymentMessages } from '../../../engine/payments/rules/failure-messages.ts';
import type { InitiatedPayment } from '../../../engine/payments/initiate-payment.ts';
import type { PaymentDetails, PaymentStatus } from '../../../engine/payments/read-payment.ts';
import { link, type Link } from '../../pipeline/links.ts';

/** interface: Periodic payment initiation response. Single and bulk payments get the same (real-api-facts.md 4.1). */
export function initiationResponse({ payment, warnings, messages, fee }: InitiatedPayment, scaAddress: string | null) {
  return {
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    transactionFees: { amount: formatAmount(fee), currency: fee.currency },
    // The recorded answer has true with a fee of 0.00; the interface says when fees apply (rules.md P11).
    transactionFeeIndicator: fee.minor > 0n,
    ...messageMembers({
      toTpp: [...warnings.map((warning) => ({ category: 'WARNING' as const, ...warning })), ...messages.toTpp],
      toPsu: [...movedDates(warnings), ...messages.toPsu],
    }),
    _links: { ...paymentLinks(payment), ...(scaAddress !== null && { scaRedirect: link(scaAddress, 'GET') }) },
  };
}

/** Text for the PSU when the execution date was moved; tppMessages warns of it too (rules.md P3). */
function movedDates(warnings: InitiatedPayment['warnings']): readonly string[] {
  return warnings.filter(({ code }) => code === 'EXECUTION_DATE_INVALID').map(({ text }) => text);
}

/** In UTF-16 units: a text never has more characters than units (interface: Limits). */
const longestText = 512;

/** `tppMessages` and `psuMessage` of an answer that shows a payment (rules.md S7b); neither when there is nothing to tell. */
function messageMembers({ toTpp, toPsu }: PaymentMessages) {
  return {
    ...(toTpp.length > 0 && {
      tppMessages: toTpp.map((message) => ({ ...message, text: clip(message.text, longestText) })),
    }),
    ...(toPsu.length > 0 && { psuMessage: clip(toPsu.join(' '), longestText) }),
  };
}

/** The initiation as the TPP sent it, with id, status and links (real-api-facts.md 4.2). */
export function paymentDetails({ payment, initiation, messages }: PaymentDetails) {
  return {
    ...(JSON.parse(initiation) as CreditTransferInitiation),
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    ...messageMembers(messages),
    _links: paymentLinks(payment),
  };
}

/** real-api-facts.md 4.3; `fundsAvailable` accompanies ACCP (rules.md S4). */
export function paymentStatus({ payment, fundsAvailable, messages }: PaymentStatus) {
  return {
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    ...(fundsAvailable !== null && payment.forced_status === null && { fundsAvailable }),
    ...messageMembers(messages),
    _links: paymentLinks(payment),
  };
}

/** The answer to DELETE when the PSU has to sign the cancellation (rules.md P12). */
export function cancellationResponse({ payment, messages }: DeletedPayment) {
  const href = `${addressOf(payment)}/cancellation-authorisations`;
  return {
    transactionStatus: visibleStatus(payment),
    ...messageMembers(messages),
    _links: { startAuthorisation: link(href, 'POST') },
  };
}

/** `self` offers DELETE only while the payment can be deleted (rules.md P2). */
function paymentLinks(payment: Payment): Record<string, Link> {
  const self = addressOf(payment);
  return {
    self: deletion(payment.status) === 'never' ? link(self, 'GET') : link(self, 'GET', 'DELETE'),
    status: link(`${self}/status`, 'GET'),
    ...(awaitsSignature(payment.status) && { startAuthorisation: link(`${self}/authorisations`, 'POST') }),
  };
}

function addressOf(payment: Payment): string {
  return `/v1/${payment.service}/${payment.product}/${payment.resource_id}`;
}

/** The status that a TPP reads: the one that the control plane forced, else the payment's own (rules.md S9b). */
export function visibleStatus(payment: Pick<Payment, 'status' | 'forced_status'>): TransactionStatus {
  return payment.forced_status ?? payment.status;
}
