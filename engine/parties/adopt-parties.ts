import type { Ids } from '../bank/ids.ts';
import type { Writer } from '../ledger/database.ts';
import { renewResourceIds } from '../ledger/renew-resource-ids.ts';

/** Gives the customers and agreements of another bank's seeded ledger ids of this bank. */
export async function adoptParties(ids: Ids, tx: Writer): Promise<void> {
  await renewResourceIds(tx, 'customer', ids.resourceId);
  await renewResourceIds(tx, 'agreement', ids.uuid);
}
