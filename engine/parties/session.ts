import type { Instant } from '../values/instant.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { isSessionLive } from './rules/access.ts';
import type { Psu } from './rows/psus.ts';
import { findSession, startSession } from './rows/sca-sessions.ts';

/** Whether the PSU had an SCA in that session within the last hour (rules.md A7). */
export async function hasLiveSession(
  reader: Reader,
  psu: Psu,
  sessionId: string | null,
  { now }: { readonly now: Instant },
): Promise<boolean> {
  const session = sessionId === null ? undefined : await findSession(reader, psu.id, sessionId);
  return session !== undefined && isSessionLive(session.started_at, now);
}

/**
 * Starts the session of an approved SCA, if its request named one (rules.md A7, A7b). An SCA for reading under a new TPP-Session-ID
 * ends the PSU's other sessions; any other SCA leaves them.
 */
export async function beginSession(
  tx: Writer,
  psu: Psu,
  sessionId: string | null,
  { now, isForReading }: { readonly now: Instant; readonly isForReading: boolean },
): Promise<void> {
  if (sessionId === null) return;
  const isNew = isForReading && !(await hasLiveSession(tx, psu, sessionId, { now }));
  await startSession(tx, psu.id, sessionId, now, isNew ? 'all' : 'same id');
}
