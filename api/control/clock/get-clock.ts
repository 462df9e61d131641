import type { Bank } from '../../../engine/bank.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { clock } from '../answers.ts';
import type { Static } from '../../bodies/schema.ts';
import type { ControlEndpoint } from '../control-endpoint.ts';
import { runJson } from '../format.ts';

/** `GET /sandbox/clock` */
export const getClock: ControlEndpoint = {
  method: 'GET',
  path: '/clock',
  summary: 'The bank clock, with the runs before and after',
  answer: clock,
  handle: ({ bank }) => formatClock(bank),
};

/** The clock as JSON. Calls that move the clock answer with it too. */
export async function formatClock(bank: Bank): Promise<Static<typeof clock>> {
  const { now, date, mode, rate, wall, lastRun, nextRun } = await readClock(bank);
  return {
    now: formatInstant(now),
    date,
    mode,
    rate,
    wall: formatInstant(wall),
    lastRun: runJson(lastRun),
    nextRun: runJson(nextRun),
  };
}
