import type { Selectable } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { ScaSessionRow } from './tables.ts';

type ScaSession = Selectable<ScaSessionRow>;

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
