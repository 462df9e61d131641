import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/open-bank.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { once } from '../../engine/values/once.ts';
import { guard } from '../control/guard.ts';
import type { ControlToken } from '../pipeline/control-token.ts';
import { problemHandler } from '../pipeline/problem.ts';
import { notesOf } from '../pipeline/request-log.ts';
import type { Meters } from './meters.ts';

const path = '/metrics';

/** Stands for the operation of every path outside `/v1` and `/sandbox`. */
const otherOperation = 'other';

/**
 * The answer of `GET /metrics` (docs/spec/control-plane.md K2). Counting begins, and its package is loaded, with {@link start}: at the start of a
 * server with a port for metrics, else when they are first asked for.
 */
export class Metrics {
  #meters: Meters | null = null;

  /** Begins to count. */
  readonly start = once(async (): Promise<Meters> => {
    const { startMeters } = await import('./meters.ts');
    return (this.#meters = startMeters());
  });

  /** Counts the commits and the runs of a bank. */
  follow({ ledger, listen }: Pick<Bank, 'ledger' | 'listen'>): void {
    ledger.watchWrites({
      committed: () => this.#meters?.commit(),
      waited: (ms) => this.#meters?.write(ms / 1000),
    });
    listen({ kinds: new Set(['run']), hear: () => this.#meters?.run(), failed: () => undefined });
  }

  /** Counts the requests that pass. */
  readonly watch: RequestHandler = (_request, response, next) => {
    const meters = this.#meters;
    if (meters !== null) measure(meters, response);
    next();
  };

  /** `GET /metrics` for a listener of its own, which has nothing else. */
  readonly alone = (): Router => {
    const router = Router({ caseSensitive: true });
    router.get(path, this.#answer);
    return router.use((_request: Request, response: Response) => {
      response.status(404).type('text').send(`Only GET ${path} is here.\n`);
    });
  };

  /** `GET /metrics` beside the banks, for who has the token; other requests pass. */
  readonly guarded = (token: ControlToken, log: Logger): Router => {
    const router = Router({ caseSensitive: true });
    router.get(path, guard({ site: () => null, token }), this.#answer);
    return router.use(problemHandler(log));
  };

  readonly #answer = async (_request: Request, response: Response): Promise<void> => {
    notesOf(response).operation = `GET ${path}`;
    const meters = await this.start();
    response.set({ 'content-type': meters.contentType, 'cache-control': 'no-store' }).send(await meters.text());
  };
}

function measure(meters: Meters, response: Response): void {
  const begun = systemClock.monotonic();
  response.once('close', () => {
    const status = `${Math.floor(response.statusCode / 100)}xx`;
    meters.request(notesOf(response).operation ?? otherOperation, status, (systemClock.monotonic() - begun) / 1000);
  });
}
