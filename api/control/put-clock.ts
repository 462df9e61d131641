import { parseInstant } from '../../engine/core/instant.ts';
import { setClock } from '../../engine/operations/set-clock.ts';
import { readBody, type ControlEndpoint } from './control-endpoint.ts';
import { shownClock } from './get-clock.ts';
import { shownAdvance } from './shown-advance.ts';

/** `PUT /sandbox/clock`: the clock as it is then; `advanced` tells the runs of the way, null when it went back. */
export const putClock: ControlEndpoint = {
  method: 'PUT',
  path: '/clock',
  handle: (call) => {
    const { now, mode = null, rate = null } = readBody(call, 'clock');
    return call.alone(async () => {
      const report = await setClock(call.bank, { now: now === undefined ? null : parseInstant(now), mode, rate });
      const advanced = report === null ? null : shownAdvance(report);
      return { ...(await shownClock(call.bank)), advanced };
    });
  },
};
