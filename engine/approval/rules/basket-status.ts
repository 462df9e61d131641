import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';

/** From the most negative to the most positive: what failed, what waits for the PSU, what waits for the bank, what is paid. */
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

/** The status of a signing basket: the most negative one of its payments, of which it has one or more (interface: Transitions). */
export function basketStatus(statuses: readonly TransactionStatus[]): TransactionStatus {
  return statuses.reduce((worst, status) => (byMerit.indexOf(status) < byMerit.indexOf(worst) ? status : worst));
}
