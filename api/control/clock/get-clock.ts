import type { Bank } from '../../../engine/bank.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import type { ControlEndpoint } from '../control-endpoint.ts';
import { runJson } from '../format.ts';

/** `GET /sandbox/clock` */
export const getClock: ControlEndpoint = {
  method: 'GET',
  path: '/clock',
  handle: ({ bank }) => formatClock(bank),
};

/** The clock as JSON. Calls that move the clock answer with it too. */
export async function formatClock(bank: Bank): Promise<object> {
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
