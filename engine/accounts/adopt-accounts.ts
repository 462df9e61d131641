import type { Ids } from '../bank/ids.ts';
import type { Writer } from '../ledger/database.ts';
import { renewResourceIds } from '../ledger/renew-resource-ids.ts';
import type { LocalDate } from '../values/local-date.ts';
import { redateEntries } from './rows/entries.ts';

/** Makes the accounts of another bank's seeded ledger those of this bank: ids of its own, and its day for the opening balances. */
export async function adoptAccounts(ids: Ids, tx: Writer, openingDay: LocalDate): Promise<void> {
  await renewResourceIds(tx, 'account', ids.resourceId);
  await redateEntries(tx, openingDay);
}
