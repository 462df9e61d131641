import type { Endpoint } from '../../pipeline/endpoint.ts';
import { accounts } from './accounts.ts';
import { agreements } from './agreements.ts';
import { cardAccounts } from './card-accounts.ts';
import { cardTransactions } from './card-transactions.ts';
import { customers } from './customers.ts';
import { initialize } from './initialize.ts';
import { transactions } from './transactions.ts';

/** The sandbox data: signed, no role needed, X-Request-ID of any form (rules.md G7, E2). */
export const sandboxData: readonly Endpoint[] = [
  initialize,
  ...customers,
  ...agreements,
  ...accounts,
  ...transactions,
  ...cardAccounts,
  ...cardTransactions,
];
