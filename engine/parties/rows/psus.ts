import type { Insertable, RawBuilder, Selectable } from 'kysely';
import { type Flag, type Given, prepared } from '../../ledger/queries.ts';
import type { Instant } from '../../values/instant.ts';
import type { Customer } from './customers.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { PsuRow } from './tables.ts';

/** A PSU as one TPP knows it. */
export type Psu = Selectable<PsuRow>;

/**
 * Stores the time of a customer's last SCA with a TPP. A PSU that the TPP knows keeps its PSU-ID, and one that is known by an
 * SCA stays so (rules.md A5).
 */
export function savePsu(tx: Writer, psu: Insertable<PsuRow>): Promise<Psu> {
  const { last_sca_at, known_by_sca } = psu;
  const changes = known_by_sca === 1 ? { last_sca_at, known_by_sca } : { last_sca_at };
  return tx
    .insertInto('psu')
    .values(psu)
    .onConflict((known) => known.columns(['tpp_id', 'customer_id']).doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A customer and its PSU at one TPP; `psu` is null until its first SCA with that TPP. */
export interface KnownPsu {
  readonly customer: Customer;
  readonly psu: Psu | null;
}

const byPsuId = prepared((db: Reader, { tppId, psuId }: Given<{ tppId: string; psuId: string }>) =>
  customersOf(db, tppId).where('psu.psu_id', '=', psuId),
);
const byNumber = prepared((db: Reader, { tppId, number }: Given<{ tppId: string; number: string }>) =>
  customersOf(db, tppId).where('customer_number', '=', number),
);

/** Finds a customer by the PSU-ID this TPP was given; another TPP's PSU-ID is unknown (rules.md G8). */
export async function psuByPsuId(reader: Reader, tppId: string, psuId: string): Promise<KnownPsu | undefined> {
  return knownPsu(await byPsuId(reader, { tppId, psuId: psuId.toLowerCase() }), tppId);
}

/** Finds a customer by its customer number. */
export async function psuByNumber(reader: Reader, tppId: string, number: string): Promise<KnownPsu | undefined> {
  return knownPsu(await byNumber(reader, { tppId, number }), tppId);
}

/** Customers that are not deleted, left-joined with their PSU at this TPP. */
function customersOf(reader: Reader, tppId: RawBuilder<string>) {
  return reader
    .selectFrom('customer')
    .leftJoin('psu', (join) => join.onRef('psu.customer_id', '=', 'customer.id').on('psu.tpp_id', '=', tppId))
    .selectAll('customer')
    .select(['psu.id as psu_key', 'psu.psu_id', 'psu.last_sca_at', 'psu.known_by_sca'])
    .where('customer.deleted_at', 'is', null);
}

interface PsuColumns {
  readonly psu_key: number | null;
  readonly psu_id: string | null;
  readonly last_sca_at: Instant | null;
  readonly known_by_sca: Flag | null;
}

function knownPsu([row]: readonly (Customer & PsuColumns)[], tppId: string): KnownPsu | undefined {
  if (row === undefined) return undefined;
  const { psu_key: id, psu_id, last_sca_at, known_by_sca, ...customer } = row;
  if (id === null || psu_id === null || last_sca_at === null || known_by_sca === null) return { customer, psu: null };
  return { customer, psu: { id, psu_id, tpp_id: tppId, customer_id: customer.id, last_sca_at, known_by_sca } };
}

/** The PSU that a customer is to this TPP; undefined until their first SCA. */
export function psuOfCustomer(reader: Reader, tppId: string, customerId: number): Promise<Psu | undefined> {
  return reader
    .selectFrom('psu')
    .selectAll()
    .where('tpp_id', '=', tppId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
}
