import { type Instant, msOfDay, msPerDay, osloDate } from '../values/instant.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { isSessionLive } from './rules/access.ts';
import { type Psu, findSession, startSession, lastSession, type ScaSession, sessionEndedBy } from './rows/psus.ts';
import { type BankContext, bankTime, type BankTime } from '../bank/bank-context.ts';
import { orRefusal, Refusal } from '../values/fault.ts';
import { identifyPsu, type PsuReference } from './identify-psu.ts';
import { epochDay } from '../values/local-date.ts';

/** Whether the PSU had an SCA in that session within the last hour (rules.md A7). */
export async function hasLiveSession(
  reader: Reader,
  psu: Psu,
  sessionId: string | null,
  time: Pick<BankTime, 'now'>,
): Promise<boolean> {
  return (await liveSession(reader, psu.id, sessionId, time)) !== undefined;
}

async function liveSession(
  reader: Reader,
  psuKey: number,
  sessionId: string | null,
  { now }: Pick<BankTime, 'now'>,
): Promise<ScaSession | undefined> {
  const session = sessionId === null ? undefined : await findSession(reader, psuKey, sessionId);
  return session !== undefined && isSessionLive(session.started_at, now) ? session : undefined;
}

/**
 * Starts the session of an approved SCA, if its request named one (rules.md A7, A7b). An SCA for reading under a new
 * TPP-Session-ID ends the PSU's other sessions; any other SCA leaves them.
 */
export async function beginSession(
  tx: Writer,
  psu: Psu,
  sessionId: string | null,
  { now, isForReading }: { readonly now: Instant; readonly isForReading: boolean },
): Promise<void> {
  if (sessionId === null) return;
  const isNew = isForReading && !(await hasLiveSession(tx, psu, sessionId, { now }));
  const session = { psu_key: psu.id, tpp_session_id: sessionId, started_at: now };
  await startSession(tx, session, isNew ? 'all' : 'same id');
}

/** Who asks for account transactions. Null is the control plane, for no PSU. */
interface AskingPsu {
  readonly tppId: string;
  readonly psu: PsuReference;
  /** TPP-Session-ID. */
  readonly sessionId: string | null;
}

/**
 * Number of the period in which ids of account transactions hold now (rules.md Q3). `every`: its length in ms of bank
 * time, counted from the beginning of the ledger's clock; or `session`: the session of the request if it is live, else
 * the PSU's last one, 0 before the first. Without a PSU it is the last session of the bank. A request that names no PSU
 * of the TPP's gets 0: it is refused anyway.
 */
export function idPeriod(bank: BankContext, every: number | 'session', asking: AskingPsu | null): Promise<number> {
  return bank.ledger.read(async (reader) => {
    const time = await bankTime(bank, reader);
    if (every !== 'session') return idPeriodAt(time.now, time.state.seeded_at, every);
    const psuKey = asking === null ? null : await psuKeyOf(reader, asking);
    if (psuKey === undefined) return 0;
    const named = psuKey === null ? undefined : await liveSession(reader, psuKey, asking?.sessionId ?? null, time);
    const session = named ?? (await lastSession(reader, psuKey));
    return session === undefined ? 0 : firstRowOf(reader, session);
  });
}

/** Returns undefined if the TPP knows no such PSU. */
async function psuKeyOf(reader: Reader, { tppId, psu }: AskingPsu): Promise<number | undefined> {
  const found = await orRefusal(identifyPsu(reader, tppId, { ...psu, corporateId: undefined }));
  return found instanceof Refusal ? undefined : found.psu?.id;
}

/** The key of a session's first row: an SCA that renews a live session adds another one (rules.md A7b). */
async function firstRowOf(reader: Reader, session: ScaSession): Promise<number> {
  let first = session;
  for (;;) {
    const renewed = await sessionEndedBy(reader, first);
    if (renewed === undefined || !isSessionLive(renewed.started_at, first.started_at)) return first.id;
    first = renewed;
  }
}

/**
 * Number of the period of `length` ms that holds `now`, counted from `begin`; the first is 0 (rules.md Q3). Whole days
 * are days of the calendar, as in an advance: they end at the time of day of `begin`, also when the clocks change.
 */
function idPeriodAt(now: Instant, begin: Instant, length: number): number {
  const elapsed = length % msPerDay === 0 ? osloTime(now) - osloTime(begin) : now - begin;
  return Math.floor(elapsed / length);
}

/** Ms of the local date and time, as if each day had 24 hours. */
function osloTime(instant: Instant): number {
  return epochDay(osloDate(instant)) * msPerDay + msOfDay(instant);
}
