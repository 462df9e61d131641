import type { BankContext, PresentReading } from '../bank/bank-context.ts';
import { randomIds } from '../bank/ids.ts';
import { cutShort, type Ledger, openCopy, type Writer } from '../ledger/database.ts';
import { interestPeriods } from '../life/lives.ts';
import { lastRunAtOrBefore } from '../time/rules/settlement-run.ts';
import { type Instant, osloDate, startOfDay } from '../values/instant.ts';
import { advanceClock } from './advance-clock.ts';
import {
  type ForecastExecution,
  type Foreseen,
  mostInForecast,
  type PlannedEvent,
  tooMuch,
  attemptOf,
} from './list-runs.ts';
import { copyWhatMoves, countDue } from './rows/copy-what-moves.ts';
import { attemptsOfRuns, type RehearsedAttemptRow } from './rows/run-attempts.ts';

/** A copy of what can move in a bank. */
export interface Rehearsal extends Pick<PresentReading, 'now'> {
  readonly to: Instant;
  /** The bank as it was when it was copied, over the copy. Armed faults do not strike it. */
  readonly bank: BankContext;
  readonly ledger: Ledger;
  /** It is false if only the first payments are copied, as more are due than one answer holds. */
  readonly isWhole: boolean;
}

/**
 * Copies what can move until an instant. If more than `most` executions are due until then, it copies only as many as
 * the refusal of the forecast takes.
 */
export async function prepareRehearsal(reading: PresentReading, to: Instant, most: number): Promise<Rehearsal> {
  const { bank, reader, state, now, steady, lastRunAt } = reading;
  const run = lastRunAtOrBefore(to, bank.schedule.all);
  const isWhole = run.at <= lastRunAt || most === Infinity || (await countDue(reader, run, most + 1)) <= most;
  const { lived_until: since } = state;
  const interest = since === null ? [] : await interestPeriods(bank, reader, { since, to });
  const ledger = await openCopy();
  try {
    const terms = { through: run.date, interest, most: isWhole ? null : most + 1 };
    await ledger.write((tx: Writer) => copyWhatMoves(reader, tx, terms), { isLong: true });
  } catch (error) {
    await ledger.close();
    throw error;
  }
  return { now, to, ledger, isWhole, bank: { ...bank, ledger, steady: { now: () => steady }, ids: idsToCome() } };
}

/**
 * Advances the copy as the bank will be advanced, tells what happened, and throws the copy away (rules.md D3e). Returns
 * null if the copy lacks payments of which it would have had to tell. BAD_REQUEST: more than {@link mostInForecast}
 * attempts or planned events. SYSTEM_ERROR: the bank stops meanwhile.
 */
export async function rehearse({ bank, now, to, ledger, isWhole }: Rehearsal): Promise<Foreseen | null> {
  const planned: PlannedEvent[] = [];
  let [attempts, last] = [0, now];
  const tell: BankContext['tell'] = (event) => {
    if (event.kind === 'lived') planned.push({ date: osloDate(event.at), ...event });
    if (event.kind !== 'run') return;
    attempts += event.settled + event.retried + event.rejected;
    if (attempts <= mostInForecast) last = event.at;
  };
  const heard: BankContext = { ...bank, tell, isHeard: (kind) => kind === 'lived', wanted: () => 0 };
  const isTooMuch = (): boolean => attempts > mostInForecast || planned.length > mostInForecast;
  try {
    await advanceClock(heard, to, { shouldStop: () => Promise.resolve(isTooMuch()) });
    if (attempts > mostInForecast) throw tooMuch('attempts', now, last);
    if (!isWhole) return null;
    const first = planned[mostInForecast];
    if (first !== undefined) throw tooMuch('planned events', now, startOfDay(first.date));
    if (bank.stopping.aborted) throw cutShort();
    const rows = await ledger.read(attemptsOfRuns);
    return { executions: rows.map((row) => foreseenExecution(bank, row)), planned };
  } finally {
    await ledger.close();
  }
}

const toCome = 'to come ';

/** Ids of what does not exist yet. */
function idsToCome() {
  let count = 0;
  return { ...randomIds, resourceId: () => `${toCome}${(count += 1)}` };
}

function foreseenExecution({ schedule }: BankContext, row: RehearsedAttemptRow): ForecastExecution {
  const run = { date: row.run_date, number: row.run_number, at: row.run_at };
  const tried = attemptOf(schedule, run, row);
  const { credit_minor: minor, credit_account: account, credit_currency: currency } = row;
  const credit =
    minor === null || account === null || currency === null ? null : { account, amount: { minor, currency } };
  const { return_due: due, return_reason: reason } = row;
  const comesBack = due === null || reason === null ? null : { due, reason };
  return { ...tried, paymentId: tried.paymentId.startsWith(toCome) ? null : tried.paymentId, run, credit, comesBack };
}
