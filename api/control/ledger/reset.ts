import { resetBank } from '../../../engine/reset-bank.ts';
import { resetBody } from './reset-body.ts';
import { clock, clockIsBusy } from '../answers.ts';
import { closed } from '../../bodies/schema.ts';
import { fixturesName } from '../../bodies/values.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { formatClock } from '../clock/get-clock.ts';
import { fixturesByName } from './fixtures-by-name.ts';

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
      await resetBank(call.bank, fixtures === undefined ? undefined : await fixturesByName(fixtures));
      return { fixtures: fixtures ?? call.config.fixtures, clock: await formatClock(call.bank) };
    });
  },
});
