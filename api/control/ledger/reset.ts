import { assert } from '../../../engine/values/assert.ts';
import { type Instant, parseInstant } from '../../../engine/values/instant.ts';
import { resetBank } from '../../../engine/reset-bank.ts';
import { resetBody } from './reset-body.ts';
import { clock, clockIsBusy } from '../answers.ts';
import { closed } from '../../bodies/schema.ts';
import { fixturesName } from '../../bodies/values.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { formatClock } from '../clock/get-clock.ts';
import { knownStateOf } from './known-state-of.ts';

function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  assert(instant !== null, `${text} was checked with the body`);
  return instant;
}

/** Of a known state that came as an object: no other call knows it. */
const givenName = 'as given';

export const wasReset = closed(
  { fixtures: fixturesName, clock },
  { title: 'WasReset', description: 'The known state that the bank has now.', examples: [{ fixtures: 'known-state' }] },
);

/** `POST /sandbox/reset`: back to the known state and the clock of the start; `fixtures` seeds another set this once, `now` and `mode` another beginning of the clock (C5). */
export const reset = controlEndpoint({
  method: 'POST',
  path: '/reset',
  summary: 'Go back to the known state and the clock of the start',
  answer: wasReset,
  refusals: { 409: clockIsBusy },
  body: resetBody,
  handle: (call) => {
    const { fixtures, now, mode } = call.readBody();
    const name = typeof fixtures === 'object' ? givenName : (fixtures ?? call.config.fixtures);
    const clockStart = { ...(now !== undefined && { now: instantOf(now) }), ...(mode !== undefined && { mode }) };
    return call.runExclusive(async () => {
      const own = new Map([[call.config.fixtures, call.bank.knownState]]);
      const knownState = fixtures === undefined ? undefined : await knownStateOf(fixtures, own);
      await resetBank(call.bank, knownState, { ...clockStart, fixtures: name });
      return { fixtures: name, clock: await formatClock(call.bank) };
    });
  },
});
