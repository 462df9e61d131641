import type { Writer } from '../ledger/database.ts';
import type { Instant } from '../values/instant.ts';
import { expireBasketsOf } from './rows/signing-baskets.ts';

/** Removes the open signing baskets of a deleted customer, so that their payments are no longer blocked (rules.md D2). */
export async function removeBasketsOf(tx: Writer, customer: { readonly id: number }, at: Instant): Promise<void> {
  await expireBasketsOf(tx, customer.id, at);
}
