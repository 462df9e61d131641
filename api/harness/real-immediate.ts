import type { RequestListener } from 'node:http';
import { PassThrough } from 'node:stream';
import { nextTurn, setImmediate } from '../../engine/time/clock.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** Replaces a fake `setImmediate`. Its own function, so that a fake set in the meantime is recognised and kept. */
const real = ((...given: Parameters<typeof setImmediate>) => setImmediate(...given)) as typeof setImmediate;

let underWay = 0;
let fake: typeof setImmediate | undefined;

/**
 * The listener with Node's own `setImmediate` while a request is under way. Express calls the global one: with a fake
 * one the request would wait until the test moves its timers.
 */
export function withRealImmediate(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (globalThis.setImmediate !== setImmediate && globalThis.setImmediate !== real) {
      fake = globalThis.setImmediate;
      globalThis.setImmediate = real;
    }
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
      if (underWay > 0 || fake === undefined) return;
      if (globalThis.setImmediate === real) globalThis.setImmediate = fake;
      fake = undefined;
    });
    listener(request, response);
  };
}

/**
 * Throws a Mistake if fake timers replace Node's own `process.nextTick`, as those of sinon do by default: then no
 * stream of this process moves. The timers of jest and vitest do not.
 */
export async function requireTicks(): Promise<void> {
  let hasTicked = false;
  new PassThrough().once('close', () => (hasTicked = true)).destroy();
  await nextTurn();
  if (hasTicked) return;
  throw new Mistake(
    'Fake timers hold process.nextTick, and without it Node sends nothing: the bank cannot answer. ' +
      "Leave it out of them, as with sinon.useFakeTimers({ toNotFake: ['nextTick'] }).",
  );
}
