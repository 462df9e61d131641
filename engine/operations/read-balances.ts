import { assert } from '../core/assert.ts';
import type { Balances } from '../core/balances.ts';
import type { Account } from '../ledger/accounts.ts';
import { readAccount } from './read-account.ts';
import type { AccountRequest } from './shared/account-access.ts';
import type { BankContext } from './shared/bank-context.ts';

export interface AccountBalances {
  readonly account: Account;
  readonly balances: Balances;
}

/** The balances of one account of the consent (rules.md S8). Another account: RESOURCE_UNKNOWN. */
export async function readBalances(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
): Promise<AccountBalances> {
  const { account, balances } = await readAccount(bank, request, accountId, true);
  assert(balances !== null, 'balances were asked for');
  return { account, balances };
}
