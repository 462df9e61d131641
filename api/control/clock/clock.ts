import * as Type from 'typebox';
import { parseInstant } from '../../../engine/values/instant.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { clock, clockIsBusy, clockSet } from '../answers.ts';
import { meaning, optional, titled } from '../../bodies/schema.ts';
import { clockMode, instant } from '../../bodies/values.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { finished } from './advance.ts';
import { setClock } from '../../../engine/reset-and-restore.ts';

/** `GET /sandbox/clock` */
export const getClock = controlEndpoint('GET /clock', {
  summary: 'The bank clock, with the runs before and after',
  answer: clock,
  handle: ({ bank }) => readClock(bank),
});

/** `PUT /sandbox/clock`. */
export const clockBody = titled('Clock', 'The changes of the bank clock.', {
  expected: 'an object with now, mode, rate or several of them',
  examples: [{ now: '2027-03-30', mode: 'frozen' }],
  minProperties: 1,
}).closed({
  now: optional(meaning('What the bank clock is to show.', instant)),
  mode: optional(clockMode),
  rate: optional(
    Type.Number({
      description: 'how many times as fast as the wall clock it goes, a whole number from 1 to 86400',
      examples: [3600],
    }),
  ),
});

/** `PUT /sandbox/clock` answers with the new clock. `advanced` has the runs on the way; null: the clock went back (rules.md T7b). */
export const putClock = controlEndpoint('PUT /clock', {
  summary: 'Set the bank clock, its mode or its rate',
  answer: clockSet,
  refusals: { 409: `${clockIsBusy} Or the clock would go back, and a payment was initiated.` },
  body: clockBody,
  handle: (call) => {
    const { now, mode = null, rate = null } = call.readBody();
    return call.runExclusive(async () => {
      const report = await setClock(call.bank, { now: now === undefined ? null : parseInstant(now), mode, rate });
      const advanced = report === null ? null : finished(report);
      return { ...(await readClock(call.bank)), advanced, reseeded: report === null };
    });
  },
});
