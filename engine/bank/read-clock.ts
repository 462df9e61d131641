import { osloDate, type Instant, formatInstant } from '../values/instant.ts';
import { type LocalDate, addDays } from '../values/local-date.ts';
import { firstRunAfter, lastRunAtOrBefore, type SettlementRun, runsOn } from '../time/rules/settlement-run.ts';
import { earlyCloseOn, noCutOffs, type TimeTable } from '../time/rules/cut-offs.ts';
import { bankTime, type BankContext } from './bank-context.ts';
import { clockRange, furthestAdvance, type ClockMode } from '../time/rules/bank-clock.ts';
import { Refusal } from '../values/fault.ts';
import { ledgerSize, sqliteVersion } from '../ledger/database.ts';
import { bankState, clockOf } from './rows/bank-state.ts';
import { hashOfKnownState } from './known-state.ts';

export interface ClockReading {
  readonly now: Instant;
  /** The bank date. */
  readonly date: LocalDate;
  /** The bank date on which the clock of this ledger started. */
  readonly startDate: LocalDate;
  readonly mode: 'running' | 'frozen';
  /** Speed relative to the wall clock while the clock runs. */
  readonly rate: number;
  readonly wall: Instant;
  /** The last scheduled run that has passed, empty runs included (rules.md T6); no run of single products (T4h). */
  readonly lastRun: SettlementRun;
  /** The run after `lastRun`. Before `now` for a moment, until a running clock has been followed. */
  readonly nextRun: SettlementRun;
}

/** Bank clock and wall clock, with the last and the next run (rules.md T1, T6). */
export function readClock(bank: BankContext): Promise<ClockReading> {
  return bank.ledger.read(async (reader) => {
    const { now, state } = await bankTime(bank, reader);
    const { clock_mode: mode, clock_rate: rate, last_run_at: lastRunAt } = state;
    return {
      now,
      date: osloDate(now),
      startDate: osloDate(state.seeded_at),
      mode,
      rate,
      wall: bank.wall.now(),
      lastRun: lastRunAtOrBefore(lastRunAt, bank.schedule.booking),
      nextRun: firstRunAfter(lastRunAt, bank.schedule.booking),
    };
  });
}

export interface CalendarDay {
  readonly date: LocalDate;
  /** The holiday's name, `Saturday` or `Sunday`; null on a banking day. */
  readonly closure: string | null;
  readonly runs: readonly SettlementRun[];
  /** The cut-offs of a banking day that closes early, by {@link closingNames} (rules.md T4e). */
  readonly earlyClose: TimeTable;
}

/** The days from `from` to `to`, both included, with their runs (rules.md T3, T4). */
export function describeCalendar(bank: BankContext, from: LocalDate, to: LocalDate): CalendarDay[] {
  const { calendar, cutOffRules = noCutOffs } = bank.schedule;
  const days: CalendarDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const closure = calendar.closure(date);
    const earlyClose = closure === null ? earlyCloseOn(date, cutOffRules.earlyClose, calendar) : {};
    days.push({ date, closure, runs: runsOn(date, bank.schedule.all), earlyClose });
  }
  return days;
}

/** Refuses an instant outside the range of the bank clock: BAD_REQUEST. */
export function requireClockInstant(at: Instant): void {
  if (at >= clockRange.from && at <= clockRange.to) return;
  const text = 'The bank clock goes from 1990 to 2099, the years that the banking calendar covers.';
  throw new Refusal({ code: 'BAD_REQUEST', text, allowed: bounds(clockRange.from, clockRange.to) });
}

/** Refuses an advance of more than 10 years in one call: BAD_REQUEST. */
export function requireWithinOneCall(now: Instant, target: Instant): void {
  const furthest = furthestAdvance(now);
  if (target <= furthest) return;
  const text = `One call advances 10 years at most: from ${formatInstant(now)} to ${formatInstant(furthest)}. Advance in steps.`;
  throw new Refusal({ code: 'BAD_REQUEST', text, allowed: bounds(now, furthest) });
}

/** Both instants as texts, for `allowed` of a fault. */
export function bounds(from: Instant, to: Instant): { readonly from: string; readonly to: string } {
  return { from: formatInstant(from), to: formatInstant(to) };
}

/** What a list of banks shows of one. */
export interface Glance {
  /** What its clock shows. */
  readonly now: Instant;
  readonly mode: ClockMode;
  /** Size of its ledger, once it has one. */
  readonly bytes: number | null;
}

/** Looks at a bank. Throws LedgerUnavailable. */
export async function glance(bank: BankContext): Promise<Glance> {
  const [{ now, state }, bytes] = await bank.ledger.read(async (reader) => [
    await bankTime(bank, reader),
    await ledgerSize(reader),
  ]);
  return { now, mode: clockOf(state).mode, bytes };
}

/** What a ledger began with, which a reset goes back to (control-plane.md C5), and what keeps it. */
export interface Beginning {
  readonly at: Instant;
  readonly mode: ClockMode;
  /** Name of its known state. */
  readonly fixtures: string;
  /** Whether it began with the known state that this bank was opened with: the same name and the same content. */
  readonly isOfKnownState: boolean;
  /** Id of its profile. */
  readonly profile: string | null;
  /** The version of SQLite. */
  readonly sqlite: string;
}

/** Reads what the ledger began with. */
export async function readBeginning({ ledger, fixtures: name, knownState }: BankContext): Promise<Beginning> {
  const state = await ledger.read(bankState);
  const { seeded_at: at, seeded_mode: mode, fixtures, profile } = state;
  const isOfKnownState = fixtures === name && state.known_state_hash === (await hashOfKnownState(knownState));
  return { at, mode, fixtures, isOfKnownState, profile, sqlite: await ledger.read(sqliteVersion) };
}
