import { type RawBuilder, sql } from 'kysely';
import { assert } from '../../values/assert.ts';
import { type Given, insertRow, placesOf, prepared, type RowFrom } from '../../ledger/queries.ts';
import type { Instant } from '../../values/instant.ts';
import type { Customer } from './customers.ts';
import type { Reader, Row, Writer } from '../../ledger/database.ts';

/** A PSU as one TPP knows it. */
export type Psu = Row<'psu'>;

type NewPsu = Omit<Psu, 'id'>;
const psuColumns = ['psu_id', 'tpp_id', 'customer_id', 'last_sca_at', 'known_by_sca'] as const;

const upsertPsu = prepared((tx: Writer, given: Given<NewPsu>) =>
  tx
    .insertInto('psu')
    .values(placesOf(given, psuColumns))
    .onConflict((known) =>
      known.columns(['tpp_id', 'customer_id']).doUpdateSet({
        last_sca_at: sql`excluded.last_sca_at`,
        known_by_sca: sql`max(psu.known_by_sca, excluded.known_by_sca)`,
      }),
    )
    .returningAll(),
);

/**
 * Stores the time of a customer's last SCA with a TPP. A PSU that the TPP knows keeps its PSU-ID, and one that is known
 * by an SCA stays so (rules.md A5).
 */
export async function savePsu(tx: Writer, psu: NewPsu): Promise<Psu> {
  const [saved] = await upsertPsu(tx, psu);
  assert(saved !== undefined, 'a PSU is stored');
  return saved;
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

function knownPsu([row]: readonly RowFrom<typeof customersOf>[], tppId: string): KnownPsu | undefined {
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

export type ScaSession = Row<'sca_session'>;

const endSessions = prepared(
  (tx: Writer, { psuKey, replacedId, at }: Given<{ psuKey: number; replacedId: string | null; at: Instant }>) =>
    tx
      .updateTable('sca_session')
      .set({ ended_at: at })
      .where('psu_key', '=', psuKey)
      .where('tpp_session_id', '=', sql<string>`coalesce(${replacedId}, tpp_session_id)`)
      .where('ended_at', 'is', null),
);

/**
 * Starts a session (interface: Authentication, Session). It replaces the session with the same id, or `all` sessions of
 * this PSU.
 */
export async function startSession(
  tx: Writer,
  session: Pick<ScaSession, 'psu_key' | 'tpp_session_id' | 'started_at'>,
  replaced: 'same id' | 'all',
): Promise<void> {
  const replacedId = replaced === 'all' ? null : session.tpp_session_id;
  await endSessions(tx, { psuKey: session.psu_key, replacedId, at: session.started_at });
  await insertRow(tx, 'sca_session', { ...session, ended_at: null });
}

/** Ends the sessions of a customer with every TPP. */
export async function endSessionsOf(tx: Writer, customerId: number, at: Instant): Promise<void> {
  await tx
    .updateTable('sca_session')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
    .where('psu_key', 'in', tx.selectFrom('psu').select('id').where('customer_id', '=', customerId))
    .execute();
}

/** Finds a session that has not been replaced. The caller checks its age. */
export function findSession(reader: Reader, psuKey: number, tppSessionId: string): Promise<ScaSession | undefined> {
  return reader
    .selectFrom('sca_session')
    .selectAll()
    .where('psu_key', '=', psuKey)
    .where('tpp_session_id', '=', tppSessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** The session that was begun last: of a PSU, or of all PSUs. */
export function lastSession(reader: Reader, psuKey: number | null): Promise<ScaSession | undefined> {
  return reader
    .selectFrom('sca_session')
    .selectAll()
    .$if(psuKey !== null, (sessions) => sessions.where('psu_key', '=', psuKey))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The row of the same session that this one replaced, if there is one. */
export function sessionEndedBy(reader: Reader, session: ScaSession): Promise<ScaSession | undefined> {
  return reader
    .selectFrom('sca_session')
    .selectAll()
    .where('psu_key', '=', session.psu_key)
    .where('tpp_session_id', '=', session.tpp_session_id)
    .where('ended_at', '=', session.started_at)
    .where('id', '<', session.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
