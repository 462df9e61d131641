import { assert } from '../values/assert.ts';
import type { Balances } from '../accounts/rules/balances.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { readAccount } from './read-account.ts';
import type { AccountRequest } from './account-access.ts';
import type { BankContext } from '../bank/bank-context.ts';

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
