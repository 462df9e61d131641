import { assert } from '../values/assert.ts';
import { type AccountRequest, consentedAccount, countRead, withAccess } from './account-access.ts';
import { type AccountWithBalances, withBalances } from '../settlement/account-balances.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Balances } from '../accounts/rules/balances.ts';
import type { Account } from '../accounts/rows/accounts.ts';

/** Reads one account of the consent, with balances if wanted; that counts as a read of them (rules.md A8). Another account: RESOURCE_UNKNOWN. */
export function readAccount(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
  withBalance: boolean,
): Promise<AccountWithBalances> {
  return withAccess(bank, request, async (reader, access) => {
    const account = consentedAccount(access, accountId);
    if (withBalance) await countRead(access, account, 'balances');
    const [found] = await withBalances(reader, [account], access, withBalance);
    assert(found !== undefined, 'one account gives one answer');
    return found;
  });
}

export interface AccountBalances {
  readonly account: Account;
  readonly balances: Balances;
}

/** Reads the balances of one account of the consent (rules.md S8). Another account: RESOURCE_UNKNOWN. */
export async function readBalances(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
): Promise<AccountBalances> {
  const { account, balances } = await readAccount(bank, request, accountId, true);
  assert(balances !== null, 'balances were asked for');
  return { account, balances };
}

/** Lists the accounts of the consent (rules.md A7), with balances if wanted; that counts as a read of each (A8). */
export function listAccounts(
  bank: BankContext,
  request: AccountRequest,
  withBalance: boolean,
): Promise<AccountWithBalances[]> {
  return withAccess(bank, request, async (reader, access) => {
    const { accounts } = access;
    if (withBalance) for (const account of accounts) await countRead(access, account, 'balances');
    return withBalances(reader, accounts, access, withBalance);
  });
}
