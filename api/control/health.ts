import { Router } from 'express';
import type { Readiness } from '../readiness.ts';

/**
 * `GET /health`: the process is alive. `GET /ready`: 503 until migrations, seeding and catch-up are done, and for good
 * once an invariant broke (docs/spec/control-plane.md). Both answer to any host: a probe knows no name.
 */
export function healthRouter(readiness: Pick<Readiness, 'state'>): Router {
  const router = Router({ caseSensitive: true });
  router.get('/health', (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'alive' });
  });
  router.get('/ready', (_request, response) => {
    const state = readiness.state();
    const body = typeof state === 'string' ? { status: state } : { status: 'broken', detail: state.broken };
    response
      .status(state === 'ready' ? 200 : 503)
      .set('cache-control', 'no-store')
      .json(body);
  });
  return router;
}
