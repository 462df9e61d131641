import { countRead, withAccess, type AccountRequest } from './account-access.ts';
import { withBalances, type AccountWithBalances } from '../settlement/account-balances.ts';
import type { BankContext } from '../bank/bank-context.ts';

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
