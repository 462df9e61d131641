import { balancesOf, type Balances } from '../accounts/rules/entry.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { balanceSums } from './rows/balance-sums.ts';
import type { Moment } from '../bank/bank-context.ts';

/** An account, with its balances if they were asked for. */
export interface AccountWithBalances {
  readonly account: Account;
  readonly balances: Balances | null;
}

/** The accounts in the order given, with their balances at that time (rules.md S8) if `areWanted`. */
export async function withBalances(
  { reader, now }: Moment,
  accounts: readonly Account[],
  areWanted: boolean,
): Promise<AccountWithBalances[]> {
  if (!areWanted) return accounts.map((account) => ({ account, balances: null }));
  const sums = await balanceSums(reader, accounts, now);
  return accounts.map((account) => {
    const found = sums.get(account.id);
    return { account, balances: found === undefined ? null : balancesOf(found) };
  });
}
