import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';

/** From the most negative to the most positive: failed, waiting for the PSU, waiting for the bank, paid. */
const byMerit: readonly TransactionStatus[] = [
  'RJCT',
  'CANC',
  'RCVD',
  'PATC',
  'ACTC',
  'ACCP',
  'ACFC',
  'PDNG',
  'ACSP',
  'ACWC',
  'PART',
  'ACWP',
  'ACSC',
  'ACCC',
];

/** The status of a signing basket: the most negative of its payments' statuses, of which there is at least one (interface: Transitions). */
export function basketStatus(statuses: readonly TransactionStatus[]): TransactionStatus {
  return statuses.reduce((worst, status) => (byMerit.indexOf(status) < byMerit.indexOf(worst) ? status : worst));
}
