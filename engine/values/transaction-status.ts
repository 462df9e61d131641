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

/** How a TPP deletes a payment in this status (rules.md P12): at once, by a signed cancellation, or never. */
export function deletion(status: TransactionStatus): 'at once' | 'by authorisation' | 'never' {
  if (awaitsSignature(status)) return 'at once';
  return status === 'ACSP' ? 'by authorisation' : 'never';
}

/**
 * The transition table (interface: Transitions; rules.md S9b). `new` is the moment of initiation. {@link canMove}
 * refuses every change that is not in it.
 */
export const transitions: readonly (readonly [TransactionStatus | 'new', TransactionStatus, string])[] = [
  ['new', 'RCVD', 'initiated, SCA required'],
  ['new', 'ACSP', 'initiated, exempt from SCA'],
  ['new', 'PDNG', 'initiated, exempt from SCA, due today'],
  ['new', 'ACSC', 'initiated, exempt from SCA, settled at once'],
  ['new', 'RJCT', 'initiated, exempt from SCA, funds lacking at once'],
  ['RCVD', 'ACSP', 'signed'],
  ['RCVD', 'PDNG', 'signed, due today'],
  ['RCVD', 'ACSC', 'signed, settled at once'],
  ['RCVD', 'PATC', 'signed, the account asks for more signatures'],
  ['PATC', 'ACSP', 'last signature'],
  ['PATC', 'PDNG', 'last signature, due today'],
  ['PATC', 'ACSC', 'last signature, settled at once'],
  ['PATC', 'RJCT', 'rejected'],
  ['PATC', 'CANC', 'deleted'],
  ['RCVD', 'CANC', 'deleted'],
  ['RCVD', 'RJCT', 'rejected'],
  ['ACSP', 'ACSC', 'settled'],
  ['PDNG', 'ACSC', 'settled'],
  ['ACCP', 'ACSC', 'settled'],
  ['ACSP', 'ACCP', 'funds lacking'],
  ['PDNG', 'ACCP', 'funds lacking'],
  ['ACSP', 'RJCT', 'rejected'],
  ['PDNG', 'RJCT', 'rejected'],
  ['ACCP', 'RJCT', 'rejected'],
  ['ACSP', 'PART', 'some items settled'],
  ['PDNG', 'PART', 'some items settled'],
  ['ACCP', 'PART', 'some items settled'],
  ['PART', 'ACSC', 'the last items settled'],
  ['ACSP', 'CANC', 'cancellation signed'],
  ['PDNG', 'CANC', 'debtor account deleted'],
  ['ACCP', 'CANC', 'debtor account deleted'],
];

/** Whether the table has a row for this change. */
export function canMove(from: TransactionStatus | 'new', to: TransactionStatus): boolean {
  return transitions.some(([before, after]) => before === from && after === to);
}
