import { advanceClock, type AdvanceReport } from '../../engine/runs/advance-clock.ts';
import { readClock, requireClockInstant, requireWithinOneCall } from '../../engine/bank/read-clock.ts';
import { setClock } from '../../engine/reset-and-restore.ts';
import type { ClockPace } from '../../engine/time/rules/bank-clock.ts';
import { addDuration, type Duration } from '../../engine/values/duration.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { finished } from '../control/clock/clock.ts';
import type { Turn } from '../pipeline/one-at-a-time.ts';
import type { HostedBank } from './hosted-bank.ts';
import type { UnaskedClock } from './unasked-clock.ts';

/* One clock for all banks of the platform (rules.md Q12c). */

/** Where to move: to an instant, by a duration from the clock that is furthest ahead; neither: to that clock. */
export interface Target {
  readonly to?: Instant | undefined;
  readonly by?: Duration | undefined;
}

/** What a bank's clock shows. */
export interface Reading {
  readonly id: string;
  readonly now: Instant;
}

/** The instant to which all clocks move. Throws CONFLICT with the id of a bank that is past it, BAD_REQUEST for one that is too far. */
export function commonInstant(readings: readonly Reading[], { to, by }: Target): Instant {
  const furthest = readings.reduce((last, { now }) => Math.max(last, now), 0) as Instant;
  const instant = to ?? (by === undefined ? furthest : addDuration(furthest, by));
  const past = readings.find(({ now }) => now > instant);
  if (past !== undefined) {
    const text = `The clock of ${past.id} shows ${formatInstant(past.now)} and is past ${formatInstant(instant)}. No clock was moved: clocks go forward only. The earliest instant for all is ${formatInstant(furthest)}.`;
    throw new Refusal({ code: 'CONFLICT', text });
  }
  requireClockInstant(instant);
  for (const { now } of readings) requireWithinOneCall(now, instant);
  return instant;
}

/** A bank that somebody has asked. */
interface AskedBank {
  readonly id: string;
  readonly hosted: Pick<HostedBank, 'bank' | 'turn' | 'storage'>;
}

export interface MovedBank extends AdvanceReport {
  readonly id: string;
  readonly asked: boolean;
}

interface Move {
  readonly asked: readonly AskedBank[];
  /** The ids of the banks that nobody has asked. */
  readonly unasked: readonly string[];
  readonly clock: UnaskedClock;
  /** Whether these are still the banks that somebody has asked; left out: they are. */
  readonly areAll?: () => boolean;
  /** Called after each bank. */
  readonly moved?: (bank: MovedBank) => void;
  /** True ends the move between two runs. */
  readonly isGone?: () => boolean;
}

/**
 * Moves the clocks of all banks to one instant, a bank at a time, and carries out the runs on the way. It first checks all, and moves none if
 * one refuses; null: somebody has asked one more meanwhile, and none has moved. Throws as {@link commonInstant} does, CONFLICT if another call
 * moves one of the clocks, and the errors of advanceClock.
 */
export function moveTogether(
  { asked, unasked, clock, areAll = () => true, moved, isGone = () => false }: Move,
  target: Target,
  pace: Partial<ClockPace> = {},
): Promise<{ readonly to: Instant; readonly banks: readonly MovedBank[] } | null> {
  const readings = async (): Promise<readonly Reading[]> => {
    const read = asked.map(async ({ id, hosted }) => ({ id, now: (await readClock(hosted.bank)).now }));
    return [...(await Promise.all(read)), ...unasked.map((id) => ({ id, now: clock.now }))];
  };
  return withTurns(asked, async () => {
    const checked = commonInstant(await readings(), target);
    for (const { hosted } of asked) hosted.storage.requireSpace();
    const setting = { now: null, mode: pace.mode ?? null, rate: pace.rate ?? null };
    const isPaced = setting.mode !== null || setting.rate !== null;
    if (isPaced) for (const { hosted } of asked) await setClock(hosted.bank, setting);
    // Clocks that stand still now stood still one after the other.
    const to = target.to === undefined && target.by === undefined ? commonInstant(await readings(), {}) : checked;
    if (!areAll()) return null;
    const none = { to, runs: [], skippedEmptyRuns: 0, isStopped: false };
    const reports: MovedBank[] = unasked.map((id) => ({ id, asked: false, from: clock.now, ...none }));
    clock.move(to, pace);
    for (const { id, hosted } of asked) {
      if (isGone()) break;
      const shouldStop = (): Promise<boolean> => Promise.resolve(isGone());
      const report = { id, asked: true, ...finished(await advanceClock(hosted.bank, to, { shouldStop })) };
      moved?.(report);
      reports.push(report);
    }
    return { to, banks: reports.toSorted((one, other) => (one.id < other.id ? -1 : 1)) };
  });
}

/** Works while no other call moves the clock of one of these banks, or replaces its ledger. */
function withTurns<T>(
  [first, ...others]: readonly { readonly hosted: { readonly turn: Turn } }[],
  work: () => Promise<T>,
): Promise<T> {
  return first === undefined ? work() : first.hosted.turn.runExclusive(() => withTurns(others, work));
}
