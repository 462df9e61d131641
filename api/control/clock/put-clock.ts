import { parseInstant } from '../../../engine/values/instant.ts';
import { setClock } from '../../../engine/set-clock.ts';
import { clockBody } from './clock-body.ts';
import { clockIsBusy, clockSet } from '../answers.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { formatClock } from './get-clock.ts';
import { formatAdvance } from '../format.ts';

/** `PUT /sandbox/clock`: answers with the new clock. `advanced` has the runs on the way; null if the clock went back, and the known state was created again (rules.md T7b). */
export const putClock = controlEndpoint({
  method: 'PUT',
  path: '/clock',
  summary: 'Set the bank clock, its mode or its rate',
  answer: clockSet,
  refusals: { 409: `${clockIsBusy} Or the clock would go back, and a payment was initiated.` },
  body: clockBody,
  handle: (call) => {
    const { now, mode = null, rate = null } = call.readBody();
    return call.runExclusive(async () => {
      const report = await setClock(call.bank, { now: now === undefined ? null : parseInstant(now), mode, rate });
      const advanced = report === null ? null : formatAdvance(report);
      return { ...(await formatClock(call.bank)), advanced, reseeded: report === null };
    });
  },
});
