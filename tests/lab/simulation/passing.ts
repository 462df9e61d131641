import type { Bank } from '../../../engine/open-bank.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { advanceClock } from '../../../engine/runs/advance-clock.ts';
import { setClock } from '../../../engine/reset-and-restore.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import type { ManualClock } from '../bank.ts';
import type { Seeded } from '../seeded.ts';

/** A machine whose clocks jump. */
export interface Passing {
  readonly wall: ManualClock;
  readonly jumps: Seeded;
  /** How far the wall clock is behind the latest time that it showed, in ms. */
  behind: number;
}

/**
 * Bank time comes there by an advance, as time passes, or by a sleep of the machine. The wall clock may be set back before; a sleep then
 * ends with a wall clock that is right again, which adds only what is beyond its latest time (rules.md T1b). Returns the number of runs and
 * the time that the bank then has.
 */
export async function passTo(bank: Bank, machine: Passing, there: Instant): Promise<{ runs: number; now: Instant }> {
  const { wall, jumps } = machine;
  if (jumps.below(8) === 0) await setClock(bank, { now: null, mode: null, rate: jumps.pick([1, 2, 5, 10]) });
  if (jumps.below(4) === 0) {
    const back = jumps.pick([600, 3 * 24 * 3600, 2 + jumps.below(100_000)]) * 1000;
    wall.jump(-back);
    machine.behind += back;
  }
  const { now, rate } = await readClock(bank);
  const way = jumps.pick(['advance', 'pass', 'sleep']);
  if (way === 'pass') wall.set((wall.now() + (there - now) / rate) as Instant);
  if (way === 'sleep') {
    wall.jump(machine.behind + (there - now) / rate);
    machine.behind = 0;
  }
  const { runs, to } = await advanceClock(bank, way === 'advance' ? there : 'now');
  return { runs: runs.length, now: to };
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** `05:30` */
export function timeOf(minute: number): string {
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
