import type { RequestListener } from 'node:http';
import { PassThrough } from 'node:stream';
import { nextTurn, setImmediate } from '../../engine/time/clock.ts';

/** In the place of a fake `setImmediate`. A function of its own, so that one that the test puts there meanwhile is kept. */
const real = ((...given: Parameters<typeof setImmediate>) => setImmediate(...given)) as typeof setImmediate;

let underWay = 0;
let fake: typeof setImmediate | undefined;

/**
 * The listener, with Node's own `setImmediate` while a request is under way: express calls the global one, and with a fake
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
 * Throws an Error when fake timers hold the `process.nextTick` of Node itself, as those of sinon do by default: no stream of
 * this process moves then. Those of jest and vitest leave it alone.
 */
export async function requireTicks(): Promise<void> {
  let hasTicked = false;
  new PassThrough().once('close', () => (hasTicked = true)).destroy();
  await nextTurn();
  if (hasTicked) return;
  throw new Error(
    'Fake timers hold process.nextTick, and without it Node sends nothing: the bank cannot answer. ' +
      "Leave it out of them, as with sinon.useFakeTimers({ toNotFake: ['nextTick'] }).",
  );
}
