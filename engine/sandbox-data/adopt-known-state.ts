import type { BankContext } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import { addDays } from '../values/local-date.ts';
import { osloDate, type Instant } from '../values/instant.ts';
import { adoptAccounts } from '../accounts/adopt-accounts.ts';
import { adoptCardAccounts } from '../cards/open-card-account.ts';
import { adoptParties } from '../parties/adopt-parties.ts';
import { beginState, type StartingPoint } from '../bank/change-state.ts';

/**
 * Makes a copy of another bank's seeded ledger the ledger of this bank: with ids of its own, and a clock and dates that begin at
 * `start`. The ledger is then as createKnownState would have filled it, in a third of the time.
 */
export async function adoptKnownState(
  bank: Pick<BankContext, 'ids' | 'runs' | 'fixtures' | 'knownState'>,
  tx: Writer,
  start: StartingPoint & { readonly since: Instant },
): Promise<void> {
  await beginState(bank, tx, bank.knownState, start);
  await adoptParties(bank.ids, tx);
  // As openAccount dates an opening balance.
  await adoptAccounts(bank.ids, tx, addDays(osloDate(start.now), -1));
  await adoptCardAccounts(bank.ids, tx);
}
