import { formatAmount } from '../../../engine/values/money.ts';
import type { CreditTransferInitiation } from '../../../engine/values/credit-transfer.ts';
import {
  awaitsSignature,
  deletion,
  type TransactionStatus,
} from '../../../engine/settlement/rules/transaction-status.ts';
import type { Payment } from '../../../engine/payments/rows/payments.ts';
import type { InitiatedPayment } from '../../../engine/payments/initiate-payment.ts';
import type { PaymentDetails, PaymentStatus } from '../../../engine/payments/read-payment.ts';
import { link, type Link } from '../../pipeline/links.ts';

/** interface: Periodic payment initiation response. Single and bulk payments get the same (real-api-facts.md 4.1). */
export function initiationResponse({ payment, warnings, fee }: InitiatedPayment, scaAddress: string | null) {
  return {
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    transactionFees: { amount: formatAmount(fee), currency: fee.currency },
    // The recorded answer has true with a fee of 0.00; the interface says when fees apply (rules.md P11).
    transactionFeeIndicator: fee.minor > 0n,
    ...(warnings.length > 0 && { tppMessages: warnings.map((warning) => ({ category: 'WARNING', ...warning })) }),
    ...psuMessage(warnings),
    _links: { ...paymentLinks(payment), ...(scaAddress !== null && { scaRedirect: link(scaAddress, 'GET') }) },
  };
}

/** Text for the PSU when the execution date was moved; tppMessages warns of it too (rules.md P3). */
function psuMessage(warnings: InitiatedPayment['warnings']): { readonly psuMessage?: string } {
  const moved = warnings.find(({ code }) => code === 'EXECUTION_DATE_INVALID');
  return moved === undefined ? {} : { psuMessage: moved.text };
}

/** The initiation as the TPP sent it, with id, status and links (real-api-facts.md 4.2). */
export function paymentDetails({ payment, initiation }: PaymentDetails) {
  return {
    ...(JSON.parse(initiation) as CreditTransferInitiation),
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    _links: paymentLinks(payment),
  };
}

/** real-api-facts.md 4.3; `fundsAvailable` accompanies ACCP (rules.md S4). */
export function paymentStatus({ payment, fundsAvailable }: PaymentStatus) {
  return {
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    ...(fundsAvailable !== null && payment.forced_status === null && { fundsAvailable }),
    _links: paymentLinks(payment),
  };
}

/** The answer to DELETE when the PSU has to sign the cancellation (rules.md P12). */
export function cancellationResponse(payment: Payment) {
  const href = `${addressOf(payment)}/cancellation-authorisations`;
  return { transactionStatus: visibleStatus(payment), _links: { startAuthorisation: link(href, 'POST') } };
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
