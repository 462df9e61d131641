import { Router, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { WallClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { once } from '../../engine/values/once.ts';
import type { Config } from '../start/config.ts';
import type { HostedBanks } from './hosted-banks.ts';
import type { NamedBank } from './named-bank.ts';

interface Options {
  readonly config: Config;
  readonly wall: WallClock;
  readonly log: Logger;
}

/** Router for `/banks`: hands each request to the bank that it names. Throws NOT_FOUND for an unknown name. */
export function banksRouter(banks: HostedBanks, { config, wall, log }: Options): Router {
  const router = Router({ caseSensitive: true });
  if (banks.haveTokens) {
    // Its first request loads its pages.
    const front = once(async () => {
      const { bankFront } = await import('./bank-front.ts');
      return bankFront({ config, log, tenantAt: (name) => banks.tenantAt(name) });
    });
    router.use('/:name', async (request, response, next) => {
      (await front())(request, response, next);
    });
  }
  const count = counter(config.bankRate, wall);
  const handle: RequestHandler = async (request, response, next) => {
    const name = String(request.params['name']);
    const asked = await banks.find(name);
    count(asked);
    const hosted = await banks.openForUse(asked);
    // A file that was taken away may be back.
    if (hosted.bank.ledger.trouble() !== null) await hosted.checkLedger();
    await hosted.handle(request, response, next);
  };
  return router.use('/:name', handle);
}

/** Counts the requests of each bank. Throws ACCESS_EXCEEDED if a bank has taken its requests of this second. */
function counter(perSecond: Config['bankRate'], wall: WallClock): (named: NamedBank) => void {
  if (perSecond === null) return () => undefined;
  const rates = new WeakMap<NamedBank, () => void>();
  return (named) => {
    const count = rates.get(named) ?? requestRate(perSecond, wall);
    rates.set(named, count);
    count();
  };
}

const second = 1_000;

/**
 * Limits the requests that a bank takes in a second (docs/spec/control-plane.md H Limits). An unused second is not saved up: after a pause a
 * bank takes the requests of one second at once. The result counts a request; for one too many it throws ACCESS_EXCEEDED with the seconds to
 * wait, and does not count it.
 */
export function requestRate(perSecond: number, clock: Pick<WallClock, 'monotonic'>): () => void {
  /** When the requests that were taken are over at an even pace, by the monotonic clock. */
  let takenUntil = -Infinity;
  return () => {
    const now = clock.monotonic();
    const until = Math.max(takenUntil, now) + second / perSecond;
    // A rounding error of the sum is no request.
    if (until - now > second + 1e-6) {
      const retryAfter = Math.ceil((until - now - second) / second);
      const text = `This bank takes ${perSecond} requests a second. Send it again after the seconds in Retry-After.`;
      throw new Refusal({ code: 'ACCESS_EXCEEDED', text, retryAfter });
    }
    takenUntil = until;
  };
}
