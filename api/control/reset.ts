import { resetBank } from '../../engine/operations/reset-bank.ts';
import { readBody, type ControlEndpoint } from './control-endpoint.ts';
import { shownClock } from './get-clock.ts';
import { fixturesByName } from './fixtures-by-name.ts';

/** `POST /sandbox/reset`: the known state and the clock it was seeded with; `fixtures` lays another set this once. */
export const reset: ControlEndpoint = {
  method: 'POST',
  path: '/reset',
  handle: (call) => {
    const { fixtures } = readBody(call, 'reset');
    return call.alone(async () => {
      await resetBank(call.bank, fixtures === undefined ? undefined : await fixturesByName(fixtures));
      call.faults.disarm();
      return { fixtures: fixtures ?? call.config.fixtures, clock: await shownClock(call.bank) };
    });
  },
};
