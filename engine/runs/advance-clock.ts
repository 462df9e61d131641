import { readBankClock, setBankClock, type BankClock } from '../time/rules/bank-clock.ts';
import { type Instant, osloDate, startOfDay } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import {
  countRuns,
  lastRunAtOrBefore,
  type SettlementRun,
  type RunReport,
  type RunTrigger,
  firstRunAfter,
  nextBusyRun,
} from '../time/rules/settlement-run.ts';
import { keepProgress } from '../bank/change-state.ts';
import { bookReservationsDue } from '../accounts/reservations.ts';
import { clockOf, clockRow, bankState } from '../bank/rows/bank-state.ts';
import { LedgerUnavailable, type Reader, type Row, type Writer } from '../ledger/database.ts';
import { liveThrough, type LivesRead, nextLifeSettlement } from '../life/live.ts';
import { runSettlement, RunFailed } from './run-settlement.ts';
import { bankTime, type BankContext, untilItChanges } from '../bank/bank-context.ts';
import { nextTurn, setTimeout, systemClock } from '../time/clock.ts';
import type { Alarm } from '../time/scheduler.ts';
import { earliestBooking } from '../accounts/rows/reservations.ts';
import { firstDueDay, paymentsDueOn } from '../payments/rows/payment-executions.ts';
import { earliestWork } from './rows/earliest-work.ts';
import { dueCause } from '../payments/rules/payment-status.ts';

/** What an advance did (control plane: POST /sandbox/clock/advance). */
export interface AdvanceReport {
  readonly from: Instant;
  readonly to: Instant;
  readonly runs: readonly RunReport[];
  /** Scheduled runs in between with nothing to do. */
  readonly skippedEmptyRuns: number;
  /** The bank stopped before the target: an advance after the next start goes on from `to`. */
  readonly isStopped: boolean;
}

/**
 * True ends an advance where it is. Called with the bank's time before each run, after each midnight of {@link
 * nextDueDay} and before the arrival, in the same transaction.
 */
type StopCondition = (tx: Writer, now: Instant) => Promise<boolean>;

interface AdvanceOptions {
  readonly shouldStop?: StopCondition;
  /** Called for each run right after its commit; each run then has a commit of its own. */
  readonly ran?: ((report: RunReport) => void) | undefined;
  /** What its runs keep as their cause (rules.md T5b). The default is an advance. */
  readonly trigger?: RunTrigger;
}

/**
 * Maximum time of the runs of one transaction, in ms: other requests of this bank wait for it. A longer run has its own
 * transaction.
 */
const sharedCommitMs = 50;

/**
 * Carries out, in order, every settlement run after the last one up to `target`, and announces at midnight which
 * payments are due (S2b), then sets the bank clock to it if it is behind (rules.md T5). `now` is the bank's time at the
 * start; a target in the past changes nothing. A run and its effects are in one transaction, which short runs share, as
 * a commit on a file takes longer than they do: after a crash the next call goes on. A run that throws ends the advance
 * with {@link RunFailed}; those before it are kept. A file that cannot be written ends it with LedgerUnavailable. A
 * reset ends it, as later runs would belong to another ledger. A bank that stops abandons the transaction under way and
 * ends it, with the clock at the last run before.
 */
export async function advanceClock(
  bank: BankContext,
  target: Instant | 'now',
  { shouldStop = () => Promise.resolve(false), ran, trigger = 'advance' }: AdvanceOptions = {},
): Promise<AdvanceReport> {
  const { state: start, now: from } = await bank.ledger.read((reader) => bankTime(bank, reader));
  const goal = target === 'now' ? from : target;
  const runs: RunReport[] = [];
  let standsAt = from;
  for (;;) {
    // A listener to every payment gets those of one run before the next run begins, so that its buffer suffices.
    const isFollowed = ran !== undefined || bank.wanted('payment') === Infinity;
    const { steps, last } = await takeSteps(
      bank,
      goal,
      { standsAt, runs, shouldStop, trigger },
      isFollowed ? 0 : sharedCommitMs,
    );
    for (const step of steps) {
      if (step.did !== 'run' || step.report === null) continue;
      runs.push(step.report);
      ran?.(step.report);
    }
    standsAt = last.now;
    // better-sqlite3 is synchronous: let other requests in between two transactions.
    await nextTurn();
    if (last.did !== 'arrival' && !bank.stopping.aborted) continue;
    const scheduled = countRuns(start.last_run_at, last.state.last_run_at, bank.schedule.all);
    const isStopped = bank.stopping.aborted && last.now < goal;
    return { from, to: last.now, runs, skippedEmptyRuns: Math.max(0, scheduled - runs.length), isStopped };
  }
}

/** Where the bank stands between two steps of one transaction. */
interface Position {
  /** Stored after the last step of the transaction. */
  readonly state: Row<'bank_state'>;
  /**
   * The first day with an execution to try or a return to book. Null if there is none, undefined if it must be read
   * again.
   */
  readonly firstWork: LocalDate | null | undefined;
}

/** What was done, and where the bank stands since. */
type Step = Position & { readonly now: Instant } & (
    | { readonly did: 'midnight' | 'settlement of lives' }
    /** The advance is over: at its target, or where it stops. */
    | { readonly did: 'arrival' }
    /** The report is null if the run had nothing to do. */
    | { readonly did: 'run'; readonly report: RunReport | null }
  );

/** Where an advance stands. */
interface AdvanceProgress {
  readonly standsAt: Instant;
  readonly runs: readonly RunReport[];
  readonly shouldStop: StopCondition;
  readonly trigger: RunTrigger;
}

/** Where an advance stands within a transaction. */
type StepProgress = Omit<AdvanceProgress, 'runs'> & {
  goal: Instant;
  begins: (run: SettlementRun) => void;
  lives: LivesRead;
};

/**
 * The next steps in one transaction, as many as begin within `budget` ms, and at least one. `last` is the last one of
 * them.
 */
async function takeSteps(
  bank: BankContext,
  goal: Instant,
  progress: AdvanceProgress,
  budget: number,
): Promise<{ readonly steps: readonly Step[]; readonly last: Step }> {
  let failing: SettlementRun | undefined;
  const steps: Step[] = [];
  const begins = (run: SettlementRun): void => void (failing = run);
  const work = async (tx: Writer): Promise<Step> => {
    const end = systemClock.monotonic() + budget;
    let { standsAt } = progress;
    // Read once, from the ledger, which another process may have settled (rules.md T4), and stored once if a step has
    // changed it, with the steady time: nobody else reads or changes it while the transaction is open.
    const before = await bankState(tx);
    let position: Position = { state: before, firstWork: undefined };
    const lives = { living: null, personas: new Map() };
    for (;;) {
      const step = await takeStep(bank, tx, position, { ...progress, goal, standsAt, begins, lives });
      steps.push(step);
      if (step.did === 'arrival' || systemClock.monotonic() >= end) {
        await keepProgress(tx, before, step.state);
        return step;
      }
      position = step;
      standsAt = step.now;
      failing = undefined;
    }
  };
  try {
    const last = await bank.ledger.write(work, { evenWhenBroken: true, isLong: true });
    return { steps, last };
  } catch (error) {
    // A bank that stops rolls the run back: it is carried out when the bank is opened again.
    if (failing !== undefined && bank.stopping.aborted) return takeSteps(bank, goal, progress, budget);
    if (error instanceof LedgerUnavailable) throw error;
    // The steps before it are rolled back too, and are kept when they are taken one by one.
    if (steps.length > 0 && budget > 0) return takeSteps(bank, goal, progress, 0);
    throw failing === undefined ? error : new RunFailed(failing, progress.runs, error);
  }
}

/**
 * The next midnight on which payments are due or reservations are booked, the next settlement of lives, the next run,
 * or the arrival. `begins` is called with a run before it begins.
 */
async function takeStep(
  bank: BankContext,
  tx: Writer,
  { state, firstWork: known }: Position,
  { goal, standsAt, shouldStop, trigger, begins, lives }: StepProgress,
): Promise<Step> {
  const now = readBankClock(clockOf(state), bank.steady.now());
  const isOver = now < standsAt || bank.stopping.aborted || (await shouldStop(tx, now));
  if (isOver) return { did: 'arrival', now, state, firstWork: known };
  const settlementOfLives = await nextLifeSettlement(bank, tx, state, lives);
  const isForLives = settlementOfLives !== null && settlementOfLives <= goal;
  const near = isForLives ? settlementOfLives : goal;
  const firstWork = known === undefined ? await earliestWork(tx) : known;
  const waiting = { lastRunAt: state.last_run_at, firstWork, hasFollowUp: hasFollowUp(state) };
  const run = nextBusyRun(waiting, bank.schedule);
  const dueDay = await nextDueDay(tx, state, { goal: near, run, firstWork });
  const runAt = run === null || run.at > near ? near : run.at;
  const { state: afterLives, hasOrdered } = await liveThrough(bank, tx, { state, at: dueDay?.at ?? runAt, lives });
  const dueAfter = hasOrdered ? undefined : firstWork;
  if (dueDay !== null) {
    await bookReservationsDue(bank.ids, tx, dueDay.date);
    await tellDueDay(bank, tx, dueDay);
    // A run at midnight itself comes after it.
    const newState = { ...passEmptyRuns(bank, afterLives, (dueDay.at - 1) as Instant), due_told: dueDay.date };
    return { did: 'midnight', ...arrive(bank, newState, dueDay.at), firstWork: dueAfter };
  }
  if (run === null || run.at > near) {
    // A run at midnight itself comes after the interest and fees of that midnight.
    const newState = passEmptyRuns(bank, afterLives, isForLives ? ((near - 1) as Instant) : near);
    const did = isForLives ? 'settlement of lives' : 'arrival';
    return { did, ...arrive(bank, newState, near), firstWork: dueAfter };
  }
  begins(run);
  const lateMs = trigger === 'advance' ? null : Math.round((now - run.at) / state.clock_rate);
  const started = { ...run, trigger, lateMs };
  const { report, ...done } = await runSettlement(bank, tx, started, { state: afterLives, firstWork });
  const due = done.hasChangedExecutions ? undefined : dueAfter;
  return { did: 'run', report, ...arrive(bank, done.state, run.at), firstWork: due };
}

/** Entries to book or ended standing orders to remove (rules.md S6, R9). */
function hasFollowUp({ unbooked_executions, ended_orders }: Row<'bank_state'>): boolean {
  return unbooked_executions > 0 || ended_orders > 0;
}

/** Marks the empty runs up to the target as passed (rules.md T6). */
function passEmptyRuns(bank: BankContext, state: Row<'bank_state'>, goal: Instant): Row<'bank_state'> {
  const lastRunAt = lastRunAtOrBefore(goal, bank.schedule.all).at;
  return lastRunAt <= state.last_run_at ? state : { ...state, last_run_at: lastRunAt };
}

/** Sets the bank clock to `at` if it is behind. */
function arrive(bank: BankContext, state: Row<'bank_state'>, at: Instant): Pick<Step, 'now' | 'state'> {
  const steady = bank.steady.now();
  const clock = clockOf(state);
  const now = readBankClock(clock, steady);
  const isBehind = now < at;
  if (!isBehind) return { now, state: { ...state, clock_seen: steady } };
  const moved = setBankClock(clock, at, steady);
  bank.tell({ kind: 'moved', at, clock: moved });
  bank.tell({ kind: 'clock', at, change: 'advanced', mode: clock.mode, rate: clock.rate });
  return { now: at, state: { ...state, ...clockRow(moved) } };
}

/** A day on which payments are due or reservations are booked, and its midnight. */
interface DueDay {
  readonly date: LocalDate;
  readonly at: Instant;
}

interface RestOfAdvance {
  readonly goal: Instant;
  readonly run: SettlementRun | null;
  /** The first day with an execution to try or a return to book, or null. */
  readonly firstWork: LocalDate | null;
}

/**
 * The next day, up to `goal` and to the next run, on which ACSP payments become PDNG and that was not announced yet
 * (rules.md S2b), or on which a reservation is booked (D3d); else null.
 */
async function nextDueDay(
  reader: Reader,
  { due_told: after }: Row<'bank_state'>,
  { goal, run, firstWork }: RestOfAdvance,
): Promise<DueDay | null> {
  const through = osloDate(run !== null && run.at < goal ? run.at : goal);
  const isNoneDue = firstWork === null || firstWork > through || (after !== null && after >= through);
  const due = isNoneDue ? null : await firstDueDay(reader, { after, through });
  const booking = await earliestBooking(reader);
  const date = booking === null || booking > (due ?? through) ? due : booking;
  return date === null ? null : { date, at: startOfDay(date) };
}

/**
 * Announces the payments that are due from this midnight on. Writes no row: the advance stores that the day was
 * announced.
 */
async function tellDueDay(bank: BankContext, reader: Reader, { date, at }: DueDay): Promise<void> {
  const wanted = bank.wanted('payment');
  if (wanted === 0) return;
  const due = await paymentsDueOn(reader, date, wanted);
  if (due.leftOut > 0) bank.tell({ kind: 'left out', at, count: due.leftOut });
  for (const paymentId of due.last) {
    bank.tell({ kind: 'payment', at, paymentId, status: 'PDNG', cause: dueCause });
  }
}

/** State of the bank when the ledger was last read. */
interface Known {
  readonly clock: BankClock;
  /** When the next scheduled run takes place, or a reservation is booked (rules.md D3d). */
  readonly nextAt: Instant;
  /** Whether that is a scheduled run. */
  readonly isRun: boolean;
}

/** Keeps up with the clock of one bank. */
export type ClockFollower = ReturnType<typeof followClock>;

interface CatchUpOptions {
  /** If it is left out, somebody waits for the runs, which count as those of the heartbeat and are left to nobody. */
  readonly alarm?: Alarm | undefined;
  readonly shouldStop?: () => boolean;
}

/**
 * How far a bank clock may be behind the wall clock for a call of cron to wait for it, in ms. For as long after its
 * instant the heartbeat leaves a run to cron.
 */
const maxWaitMs = 1_000;

export function followClock(bank: BankContext) {
  let known: Known | null = null;
  let day: LocalDate | null = null;
  const lookIfChanged = untilItChanges(bank.ledger, (reader) => look(bank, reader));
  const current = async (): Promise<Known> => {
    known = await lookIfChanged();
    return known;
  };
  return {
    /**
     * Advances the bank when its clock has reached a scheduled run or another day (rules.md T5). It reads the ledger
     * only after a write, so an idle bank costs no database work. `shouldStop` ends it between two runs; the next call
     * goes on. Throws what {@link advanceClock} throws.
     */
    catchUp: async ({ alarm, shouldStop = () => false }: CatchUpOptions = {}): Promise<void> => {
      const { clock, nextAt, isRun } = await current();
      const now = readBankClock(clock, bank.steady.now());
      const today = osloDate(now);
      if (now < nextAt && today === day) return;
      const isJustDue = isRun && now >= nextAt && now - nextAt < maxWaitMs;
      if (alarm === 'heartbeat' && isJustDue && isCronNear(bank, now, clock)) return;
      await advanceClock(bank, 'now', {
        trigger: alarm ?? 'heartbeat',
        shouldStop: () => Promise.resolve(shouldStop()),
      });
      if (!shouldStop()) day = today;
    },
    /**
     * Waits for the next run, booking or midnight if the bank clock reaches it within a second: node-cron follows the
     * wall clock, and the bank clock may be some milliseconds behind it (rules.md T5b).
     */
    untilDue: async (): Promise<void> => {
      const { clock, nextAt } = await current();
      for (;;) {
        const wait = (nextAt - readBankClock(clock, bank.steady.now())) / clock.rate;
        if (clock.mode === 'frozen' || wait <= 0 || wait > maxWaitMs) return;
        // A timer of Node may fire a millisecond early.
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    },
    /**
     * Whether the clock has passed a scheduled run, or a booking, that was not carried out when `catchUp` last looked.
     * Reads no database.
     */
    isLate: (): boolean => known === null || readBankClock(known.clock, bank.steady.now()) >= known.nextAt,
  };
}

/** Whether cron, which follows the wall clock, comes within a second of the bank clock's instants (rules.md T5b). */
function isCronNear({ wall }: BankContext, now: Instant, { mode, rate }: BankClock): boolean {
  return mode === 'running' && rate === 1 && Math.abs(wall.now() - now) <= maxWaitMs;
}

async function look(bank: BankContext, reader: Reader): Promise<Known> {
  const state = await bankState(reader);
  const booking = await earliestBooking(reader);
  const { at } = firstRunAfter(state.last_run_at, bank.schedule.all);
  const isRun = booking === null || startOfDay(booking) > at;
  return { clock: clockOf(state), nextAt: isRun ? at : startOfDay(booking), isRun };
}
