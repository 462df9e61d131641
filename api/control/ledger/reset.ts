import { resetBank } from '../../../engine/reset-bank.ts';
import { resetBody } from './reset-body.ts';
import { clock, clockIsBusy } from '../answers.ts';
import { closed } from '../../bodies/schema.ts';
import { fixturesName } from '../../bodies/values.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { formatClock } from '../clock/get-clock.ts';
import { knownStateOf } from './known-state-of.ts';

/** Of a known state that came as an object: no other call knows it. */
const givenName = 'as given';

export const wasReset = closed(
  { fixtures: fixturesName, clock },
  { title: 'WasReset', description: 'The known state that the bank has now.' },
);

/** `POST /sandbox/reset`: back to the known state and the clock of the start; `fixtures` seeds another set this once. */
export const reset = controlEndpoint({
  method: 'POST',
  path: '/reset',
  summary: 'Go back to the known state and the clock of the start',
  answer: wasReset,
  refusals: { 409: clockIsBusy },
  body: resetBody,
  handle: (call) => {
    const { fixtures } = call.readBody();
    return call.runExclusive(async () => {
      const own = new Map([[call.config.fixtures, call.bank.knownState]]);
      await resetBank(call.bank, fixtures === undefined ? undefined : await knownStateOf(fixtures, own));
      const name = typeof fixtures === 'object' ? givenName : (fixtures ?? call.config.fixtures);
      return { fixtures: name, clock: await formatClock(call.bank) };
    });
  },
});
