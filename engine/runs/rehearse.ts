import { reservedOnAccounts } from '../accounts/rows/reservations.ts';
import type { BankContext, BankTime, PresentReading } from '../bank/bank-context.ts';
import { randomIds } from '../bank/ids.ts';
import type { Happening } from '../bank/outlet.ts';
import { type Ledger, ledgerClosed, openCopy, type Writer } from '../ledger/database.ts';
import { interestPeriods } from '../life/lives.ts';
import { type Instant, osloDate, startOfDay } from '../values/instant.ts';
import { advanceClock } from './advance-clock.ts';
import {
  type Forecast,
  type ForecastExecution,
  maxAttempts,
  type PlannedEvent,
  tooMuch,
  attemptOf,
} from './list-runs.ts';
import { copyWhatMoves, fundsOfDebtors } from './rows/copy-what-moves.ts';
import { attemptsOfRuns, type RehearsedAttemptRow } from './rows/run-attempts.ts';

/** A copy of what can move in a bank. */
interface Rehearsal extends Pick<BankTime, 'now' | 'steady'> {
  readonly to: Instant;
  readonly ledger: Ledger;
  /** What the accounts that pay have available now, in minor units by key. */
  readonly available: ReadonlyMap<number, bigint>;
}

/** Copies what can move until an instant. */
export async function prepareRehearsal(
  { bank, reader, state, now, steady }: PresentReading,
  to: Instant,
): Promise<Rehearsal> {
  const { lived_until: since } = state;
  const interest = since === null ? [] : await interestPeriods(bank, reader, { since, to });
  const ledger = await openCopy();
  const copy = async (tx: Writer): Promise<Rehearsal['available']> => {
    await copyWhatMoves(reader, tx, { through: osloDate(to), interest });
    const funds = await fundsOfDebtors(tx);
    const reserved = await reservedOnAccounts(tx, [...funds.keys()]);
    return new Map([...funds].map(([id, minor]) => [id, minor - (reserved.get(id) ?? 0n)]));
  };
  try {
    return { now, steady, to, ledger, available: await ledger.write(copy, { isLong: true }) };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/**
 * Advances the copy as the bank will be advanced, tells what happened, and throws the copy away (rules.md D3e). Armed faults do not strike.
 * BAD_REQUEST: more than {@link maxAttempts} attempts or planned events. NOT_FOUND: the bank stops meanwhile.
 */
export async function rehearse(
  bank: BankContext,
  { now, steady, to, ledger, available }: Rehearsal,
): Promise<Pick<Forecast, 'executions' | 'planned'>> {
  const planned: PlannedEvent[] = [];
  let [attempts, last] = [0, now];
  const hear = (happening: Happening): void => {
    if (happening.kind === 'lived') planned.push({ date: osloDate(happening.at), ...happening });
    if (happening.kind !== 'run') return;
    attempts += happening.settled + happening.retried + happening.rejected;
    if (attempts <= maxAttempts) last = happening.at;
  };
  const copy: BankContext = {
    ...bank,
    ledger,
    steady: { now: () => steady },
    ids: idsToCome(),
    tell: hear,
    isHeard: (kind) => kind === 'lived',
    wanted: () => 0,
  };
  const isTooMuch = (): boolean => attempts > maxAttempts || planned.length > maxAttempts;
  try {
    await advanceClock(copy, to, { shouldStop: () => Promise.resolve(isTooMuch()) });
    if (attempts > maxAttempts) throw tooMuch('attempts', now, last);
    const first = planned[maxAttempts];
    if (first !== undefined) throw tooMuch('planned events', now, startOfDay(first.date));
    if (bank.stopping.aborted) throw ledgerClosed();
    const rows = await ledger.read(attemptsOfRuns);
    return { executions: rows.map((row) => executionOf(bank, row, available)), planned };
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

function executionOf(
  { runs }: BankContext,
  row: RehearsedAttemptRow,
  availableNow: Rehearsal['available'],
): ForecastExecution {
  const run = { date: row.run_date, number: row.run_number, at: row.run_at };
  const change = row.available_minor - (availableNow.get(row.debtor_account_id) ?? 0n);
  const tried = attemptOf(runs, run, row, { fee: row.fee_minor ?? 0n, change });
  const { credit_minor: minor, credit_account: account, credit_currency: currency } = row;
  const credit =
    minor === null || account === null || currency === null ? null : { account, amount: { minor, currency } };
  return { ...tried, paymentId: tried.paymentId.startsWith(toCome) ? null : tried.paymentId, run, credit };
}
