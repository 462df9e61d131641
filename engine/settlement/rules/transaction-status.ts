import { awaitsSignature, type TransactionStatus } from '../../values/transaction-status.ts';

/** How a TPP deletes a payment in this status (rules.md P12): at once, by a signed cancellation, or never. */
export function deletion(status: TransactionStatus): 'at once' | 'by authorisation' | 'never' {
  if (awaitsSignature(status)) return 'at once';
  return status === 'ACSP' ? 'by authorisation' : 'never';
}

/**
 * The transition table (interface: Transitions; rules.md S9b). `new` is the moment of initiation. {@link canMove} refuses
 * every change that is not in it.
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
