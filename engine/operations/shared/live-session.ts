import { isSessionLive } from '../../core/access.ts';
import type { Instant } from '../../core/instant.ts';
import type { Reader } from '../../ledger/database.ts';
import type { Psu } from '../../ledger/psus.ts';
import { findSession } from '../../ledger/sca-sessions.ts';

/** Whether the PSU had an SCA in the session of a request within the last hour (rules.md A7). */
export async function hasLiveSession(
  reader: Reader,
  psu: Psu,
  sessionId: string | null,
  now: Instant,
): Promise<boolean> {
  const session = sessionId === null ? undefined : await findSession(reader, psu.id, sessionId);
  return session !== undefined && isSessionLive(session.started_at, now);
}
