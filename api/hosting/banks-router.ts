import { Router, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { once } from '../../engine/values/once.ts';
import type { Config } from '../start/config.ts';
import type { Way } from './bank-front.ts';
import { type Strangers, strangerOf } from './callers.ts';
import type { HostedBanks } from './hosted-banks.ts';

interface Options {
  readonly config: Config;
  /** Null: the server has no control token, and the banks ask for none. */
  readonly strangers: Strangers | null;
  readonly log: Logger;
}

/** Router for `/banks`: hands each request to the bank that it names. Throws NOT_FOUND for an unknown name. */
export function banksRouter(banks: HostedBanks, { config, strangers, log }: Options): Router {
  const router = Router({ caseSensitive: true });
  const ways = new WeakMap<Request, Way>();
  // The first request loads its pages.
  const front = once(() => import('./bank-front.ts'));
  if (strangers !== null) {
    const made = once(async () => {
      const tenantAt = (name: string) => banks.tenantAt(name);
      return (await front()).bankFront({ config, log, strangers, tenantAt }, ways);
    });
    router.use('/:name', async (request, response, next) => {
      (await made())(request, response, next);
    });
  }
  const handle: RequestHandler = async (request, response, next) => {
    const named = await banks.find(String(request.params['name']));
    const way = ways.get(request) ?? 'opened';
    if (way === 'opened') named.visits.take(request);
    const hosted = await banks.openForUse(named);
    // A file that was taken away may be back.
    if (hosted.bank.ledger.trouble() !== null) await hosted.checkLedger();
    if (typeof way === 'object') {
      const { deny, hasPage } = await front();
      if (!(await hasPage(hosted.bank, way))) {
        strangers?.count(strangerOf(request));
        deny(request, response, next);
        return;
      }
      named.visits.take(request);
    }
    await hosted.handle(request, response, next);
  };
  return router.use('/:name', handle);
}
