/** Payment status codes with their ISO 20022 names (interface: Payment status codes). */
export const transactionStatuses = {
  RCVD: 'Received',
  ACTC: 'AcceptedTechnicalValidation',
  ACCP: 'AcceptedCustomerProfile',
  ACSP: 'AcceptedSettlementInProcess',
  ACSC: 'AcceptedSettlementCompleted',
  ACCC: 'AcceptedSettlementCompletedCreditorAccount',
  ACWC: 'AcceptedWithChange',
  ACWP: 'AcceptedWithoutPosting',
  ACFC: 'AcceptedFundsChecked',
  PDNG: 'Pending',
  PATC: 'PartiallyAcceptedTechnicalCorrect',
  PART: 'PartiallyAccepted',
  RJCT: 'Rejected',
  CANC: 'Cancelled',
} as const;

export type TransactionStatus = keyof typeof transactionStatuses;

/** Whether this status is final (rules.md S7). PART is not, because its open items can still settle (S9b). */
export function isFinal(status: TransactionStatus): boolean {
  return status === 'ACSC' || status === 'RJCT' || status === 'CANC';
}

/** The statuses in which a payment waits for a signature (rules.md S2). */
export const unsignedStatuses = ['RCVD', 'PATC'] as const satisfies readonly TransactionStatus[];

/** Whether a payment in this status waits for a signature. */
export function awaitsSignature(status: TransactionStatus): boolean {
  return unsignedStatuses.some((unsigned) => unsigned === status);
}
