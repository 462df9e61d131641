import { type BankClock, setBankClock, type ClockPace } from '../time/rules/bank-clock.ts';
import { lastRunAtOrBefore, timesOfSchedule } from '../time/rules/settlement-run.ts';
import type { Instant } from '../values/instant.ts';
import type { Row, Writer } from '../ledger/database.ts';
import { bankTime, type BankContext, type BankTime } from './bank-context.ts';
import { newKey } from './ids.ts';
import { hashOfKnownState, type KnownState } from './known-state.ts';
import {
  addUnbookedExecution,
  clockOf,
  clockRow,
  replaceBankState,
  saveClock,
  saveProgress,
  saveState,
  anySettlementRun,
  bankState,
} from './rows/bank-state.ts';
import { Refusal } from '../values/fault.ts';
import { contentHash, type HashedIds } from '../ledger/content-hash.ts';

/** The bank clock at the start. */
export interface StartingPoint {
  readonly mode: ClockPace['mode'];
  readonly now: Instant;
  /** Bank time per wall time; {@link usualRate} when left out. */
  readonly rate?: number;
  /** The steady clock's reading at `now`; its present reading when left out. */
  readonly since?: Instant;
  /** Name of the known state; the bank's own when left out. */
  readonly fixtures?: string;
  /** The quirks that were switched (rules.md Q1). By default those of the start are on. */
  readonly quirks?: Row<'bank_state'>['quirks'];
  /** If it is left out, a reset goes back to this beginning, and the first transaction has the number 1. */
  readonly kept?: KeptState;
}

/** Bank time runs as fast as the wall clock. */
export const usualRate = 1;

/**
 * What an initialize keeps: the time and mode that a reset restores, and the count of earlier entries (rules.md D1, T7,
 * D7).
 */
type KeptState = Pick<Row<'bank_state'>, 'seeded_at' | 'seeded_mode' | 'entries_before'>;

/** Replaces the bank's row of state by that of a new bank with this known state: its clock, and no history. */
export async function beginState(
  { ids, schedule, profile, fixtures: ownFixtures }: Pick<BankContext, 'ids' | 'schedule' | 'profile' | 'fixtures'>,
  tx: Writer,
  knownState: KnownState,
  {
    mode,
    rate = usualRate,
    now,
    since,
    kept,
    quirks = null,
    fixtures = ownFixtures,
  }: StartingPoint & {
    readonly since: Instant;
  },
): Promise<BankClock> {
  const clock = setBankClock({ mode, rate }, now, since);
  await replaceBankState(tx, {
    id: 1,
    seeded_at: kept?.seeded_at ?? now,
    seeded_mode: kept?.seeded_mode ?? mode,
    ...clockRow(clock),
    settlement_times: timesOfSchedule(schedule),
    last_run_at: lastRunAtOrBefore(now, schedule.all).at,
    unbooked_executions: 0,
    last_booking_at: now,
    ended_orders: 0,
    entries_before: kept?.entries_before ?? 0,
    due_told: null,
    lived_until: null,
    list_key: newKey(),
    access_key: newKey(),
    wire_key: ids.wireKey(),
    quirks,
    fixtures,
    known_state_hash: await hashOfKnownState(knownState),
    profile,
  });
  return clock;
}

/** Gives the pages of access other addresses (rules.md A7e). */
export async function renewAccessKey(tx: Writer, key = newKey()): Promise<void> {
  await saveState(tx, { access_key: key });
}

/** How the ledger of a copy begins. */
interface CopyStart extends Pick<StartingPoint, 'now'> {
  /** Undefined: that of the other bank. */
  readonly mode: ClockPace['mode'] | undefined;
  readonly since: Instant;
  readonly profile: string | null;
  /** Changes the quirks that were switched at the other bank. */
  readonly choose: (on: string) => string;
}

/** Makes another bank's ledger that of a copy: its clock begins. */
export async function beginStateAsCopy(tx: Writer, { now, mode, since, profile, choose }: CopyStart): Promise<void> {
  const { clock_mode, clock_rate: rate, quirks } = await bankState(tx);
  await saveClock(tx, clockRow(setBankClock({ mode: mode ?? clock_mode, rate }, now, since)));
  await saveState(tx, { profile, quirks: quirks === null ? null : choose(quirks) });
}

/** Sets mode and rate of the bank clock, which goes on from `now` (rules.md T7). */
export async function paceClock(
  bank: Pick<BankContext, 'tell'>,
  tx: Writer,
  pace: ClockPace,
  { now, steady }: Pick<BankTime, 'now' | 'steady'>,
): Promise<void> {
  const clock = setBankClock(pace, now, steady);
  await saveClock(tx, clockRow(clock));
  bank.tell({ kind: 'moved', at: now, clock });
}

/**
 * Continues the clock of a restored snapshot from its instant (rules.md T7), at `rate` or at its own, and ends all
 * cursors of lists (A9c).
 */
export async function startAgain(bank: BankContext, tx: Writer, at: Instant, rate?: number): Promise<void> {
  const { state, steady } = await bankTime(bank, tx);
  const pace = clockOf(state);
  await paceClock(bank, tx, { mode: pace.mode, rate: rate ?? pace.rate }, { now: at, steady });
  await saveState(tx, { list_key: newKey() });
}

/** Stores the progress of an advance, if there is any. */
export async function keepProgress(tx: Writer, before: Row<'bank_state'>, after: Row<'bank_state'>): Promise<void> {
  if (after !== before) await saveProgress(tx, after);
}

/** Stores the instant up to which lives have happened, or null if no account has a life. */
export async function keepLivedUntil(tx: Writer, at: Instant | null): Promise<void> {
  await saveState(tx, { lived_until: at });
}

/** Records that this run books an execution that settled outside the runs (rules.md P10). */
export async function countAsUnbooked(tx: Writer, { at }: { readonly at: Instant }): Promise<void> {
  await addUnbookedExecution(tx, at);
}

/**
 * Checks the configured settlement times against those stored in the ledger. A run is identified by its date and number
 * (rules.md T4), so other times are stored only while no run had anything to do. Else CONFLICT; a reset stores new
 * times.
 */
export async function requireSettlementTimes(bank: BankContext, tx: Writer): Promise<void> {
  const wanted = timesOfSchedule(bank.schedule);
  const { settlement_times: stored } = await bankState(tx);
  if (stored === wanted) return;
  if (await anySettlementRun(tx)) {
    const text =
      `The ledger has runs at ${stored}, and the settings ask for ${wanted}. ` +
      'Start with the times of the ledger, choose another ledger, or reset this one first.';
    throw new Refusal({ code: 'CONFLICT', text });
  }
  await saveState(tx, { settlement_times: wanted });
}

/** Checks the settlement times of an existing ledger at start, see {@link requireSettlementTimes}. */
export function checkSettlementTimes(bank: BankContext): Promise<void> {
  return bank.ledger.write((tx) => requireSettlementTimes(bank, tx));
}

/**
 * SHA-256 of the ledger's content, in hex. The same commands give the same hash, also in another process (rules.md T5).
 */
export function hashLedger(bank: BankContext, ids: HashedIds): Promise<string> {
  return bank.ledger.read((reader) => contentHash(reader, ids));
}

/**
 * Makes seeded ids follow from the ledger's current content. After a restart or a restore they then differ from those
 * in the ledger, and two branches of one snapshot get the same ids.
 */
export async function followLedger({ ids, ledger }: Pick<BankContext, 'ids' | 'ledger'>): Promise<void> {
  if (ids.follow === undefined) return;
  ids.follow(await ledger.read((reader) => contentHash(reader, 'included')));
}
