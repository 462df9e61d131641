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

/** What the clock shows now: every call that moves it answers with this too. */
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
