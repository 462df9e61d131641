import { withAccess, type AccountRequest } from './shared/account-access.ts';
import { withBalances, type AccountWithBalances } from './shared/account-balances.ts';
import type { BankContext } from './shared/bank-context.ts';

/** The accounts that the PSU has opened to the TPP (rules.md A7), with balances when asked for. */
export function listAccounts(
  bank: BankContext,
  request: AccountRequest,
  withBalance: boolean,
): Promise<AccountWithBalances[]> {
  return withAccess(bank, request, (reader, { accounts, now }) => withBalances(reader, accounts, now, withBalance));
}
