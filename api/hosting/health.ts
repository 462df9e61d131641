import { Router } from 'express';
import type { Readiness } from './readiness.ts';

/**
 * `GET /health`: the process is alive. `GET /ready`: 503 until checks, migrations, seeding and catch-up are done, and as long
 * as the ledger cannot be written (docs/spec/control-plane.md). Both answer to any host: a probe knows no name.
 */
export function healthRouter(readiness: Pick<Readiness, 'state' | 'lookAgain'>): Router {
  const router = Router({ caseSensitive: true });
  router.get('/health', (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'alive' });
  });
  router.get('/ready', async (_request, response) => {
    await readiness.lookAgain();
    const state = readiness.state();
    response
      .status(state.status === 'ready' ? 200 : 503)
      .set('cache-control', 'no-store')
      .json(state);
  });
  return router;
}
