import { balancesOf, type Balances } from '../../core/balances.ts';
import { osloDate, type Instant } from '../../core/instant.ts';
import type { Account } from '../../ledger/accounts.ts';
import { balanceSums } from '../../ledger/balance-sums.ts';
import { bankState } from '../../ledger/bank-state.ts';
import type { Reader } from '../../ledger/database.ts';

/** An account with its balances where they were asked for. */
export interface AccountWithBalances {
  readonly account: Account;
  readonly balances: Balances | null;
}

/** The accounts, in the order given, with their balances at `now` (rules.md S8), or without any. */
export async function withBalances(
  reader: Reader,
  accounts: readonly Account[],
  now: Instant,
  areWanted: boolean,
): Promise<AccountWithBalances[]> {
  if (!areWanted) return accounts.map((account) => ({ account, balances: null }));
  const { last_run_at: lastRunAt } = await bankState(reader);
  const moment = { today: osloDate(now), lastRunAt, lastRunDate: osloDate(lastRunAt) };
  const sums = await balanceSums(reader, accounts, moment);
  return accounts.map((account) => {
    const found = sums.get(account.id);
    return { account, balances: found === undefined ? null : balancesOf(found) };
  });
}
