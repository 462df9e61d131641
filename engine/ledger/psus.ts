import type { Insertable, Selectable } from 'kysely';
import type { Reader, Transaction } from './database.ts';
import type { PsuRow } from './tables.ts';

/** A PSU as one TPP knows it. */
export type Psu = Selectable<PsuRow>;

/** Keeps the last SCA of a customer with a TPP; one that the TPP does not know yet becomes known by this PSU-ID. */
export function savePsu(tx: Transaction, psu: Insertable<PsuRow>): Promise<Psu> {
  return tx
    .insertInto('psu')
    .values(psu)
    .onConflict((known) => known.columns(['tpp_id', 'customer_id']).doUpdateSet({ last_sca_at: psu.last_sca_at }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** By the PSU-ID that this TPP was given; another TPP's is unknown (rules.md G8). */
export function findPsu(reader: Reader, tppId: string, psuId: string): Promise<Psu | undefined> {
  return reader
    .selectFrom('psu')
    .innerJoin('customer', 'customer.id', 'psu.customer_id')
    .selectAll('psu')
    .where('psu.psu_id', '=', psuId.toLowerCase())
    .where('psu.tpp_id', '=', tppId)
    .where('customer.deleted_at', 'is', null)
    .executeTakeFirst();
}

export function psuOfCustomer(reader: Reader, tppId: string, customerId: number): Promise<Psu | undefined> {
  return reader
    .selectFrom('psu')
    .selectAll()
    .where('tpp_id', '=', tppId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
}
