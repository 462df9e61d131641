import { advanceClock, type AdvanceReport } from '../../../engine/runs/advance-clock.ts';
import { readClock, requireClockInstant, requireWithinOneCall } from '../../../engine/bank/read-clock.ts';
import { addDuration, type Duration } from '../../../engine/values/duration.ts';
import { Refusal } from '../../../engine/values/fault.ts';
import { formatInstant, type Instant } from '../../../engine/values/instant.ts';
import { finished } from './clock.ts';
import { Problem, problemOf, unexpectedProblem } from '../../pipeline/problem.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import type { Turn } from '../../pipeline/one-at-a-time.ts';

/* One instant for several banks (rules.md Q12c). */

/** Where to move: to an instant, or by a duration from the clock that is furthest ahead. */
export type Target = { readonly to: Instant } | { readonly by: Duration };

/** What a bank's clock shows. */
interface ClockReading {
  readonly name: string;
  readonly now: Instant;
}

/**
 * The instant to which all clocks move. Throws CONFLICT with the name of a bank that is past it and without any bank,
 * BAD_REQUEST for an instant that is too far.
 */
function commonInstant(readings: readonly ClockReading[], target: Target): Instant {
  if (readings.length === 0)
    throw new Refusal({ code: 'CONFLICT', text: 'There is no named bank. POST /sandbox/banks makes one.' });
  const furthest = Math.max(...readings.map(({ now }) => now)) as Instant;
  const instant = 'to' in target ? target.to : addDuration(furthest, target.by);
  const past = readings.find(({ now }) => now > instant);
  if (past !== undefined) {
    const text = `The clock of ${past.name} shows ${formatInstant(past.now)} and is past ${formatInstant(instant)}. No clock was moved: clocks go forward only. The earliest instant for all is ${formatInstant(furthest)}.`;
    throw new Refusal({ code: 'CONFLICT', text });
  }
  requireClockInstant(instant);
  for (const { now } of readings) requireWithinOneCall(now, instant);
  return instant;
}

/** A bank whose clock moves. */
interface MovingBank {
  readonly name: string;
  readonly hosted: { readonly bank: Bank; readonly turn: Turn };
}

interface MovedBank extends AdvanceReport {
  readonly name: string;
}

/**
 * Moves the clocks of these banks to one instant, a bank at a time, and carries out the runs on the way. It first
 * checks all, and moves none if one refuses: throws as {@link commonInstant} does, and CONFLICT if another call moves
 * one of the clocks. A bank that fails on the way is named in the Problem, with those that have moved; the banks after
 * it stay.
 */
export async function moveTogether(
  banks: readonly MovingBank[],
  target: Target,
): Promise<{ readonly to: Instant; readonly banks: readonly MovedBank[] }> {
  const busy = banks.find(({ hosted }) => hosted.turn.isTaken());
  if (busy !== undefined)
    throw new Refusal({
      code: 'CONFLICT',
      text: `Another call is moving the clock of ${busy.name}. Wait for its answer.`,
    });
  const readings = banks.map(async ({ name, hosted }) => ({ name, now: (await readClock(hosted.bank)).now }));
  const to = commonInstant(await Promise.all(readings), target);
  const moved: MovedBank[] = [];
  for (const { name, hosted } of banks) {
    try {
      const report = await hosted.turn.runExclusive(() => advanceClock(hosted.bank, to));
      moved.push({ name, ...finished(report) });
    } catch (error) {
      throw stoppedAt(name, moved, error);
    }
  }
  return { to, banks: moved };
}

/** The problem of a bank that failed after these had moved. */
function stoppedAt(name: string, moved: readonly MovedBank[], error: unknown): Problem {
  const { facts } = problemOf(error) ?? unexpectedProblem();
  const others = moved.length === 0 ? 'No other bank was moved' : `Moved: ${moved.map((bank) => bank.name).join(', ')}`;
  const detail = `The clock of ${name} did not reach the instant: ${facts.detail} ${others}.`;
  return Object.assign(new Problem({ ...facts, detail }), { cause: error });
}
