import type { Selectable } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { ScaSessionRow } from './tables.ts';

export type ScaSession = Selectable<ScaSessionRow>;

/** Starts a session (interface: Authentication, Session). It replaces the session with the same id, or `all` sessions of this PSU. */
export async function startSession(
  tx: Writer,
  psuKey: number,
  tppSessionId: string,
  startedAt: Instant,
  replaced: 'same id' | 'all',
): Promise<void> {
  await tx
    .updateTable('sca_session')
    .set({ ended_at: startedAt })
    .where('psu_key', '=', psuKey)
    .$if(replaced === 'same id', (sessions) => sessions.where('tpp_session_id', '=', tppSessionId))
    .where('ended_at', 'is', null)
    .execute();
  const session = { psu_key: psuKey, tpp_session_id: tppSessionId, started_at: startedAt, ended_at: null };
  await tx.insertInto('sca_session').values(session).execute();
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
