import type { RequestHandler } from 'express';
import { once } from '../../engine/values/once.ts';

/**
 * A handler that is made, and whose code may be loaded, for its first request. If that fails, the next request tries
 * again.
 */
export function onceAsked(make: () => Promise<RequestHandler>): RequestHandler {
  const made = once(make);
  return async (request, response, next) => {
    await (
      await made()
    )(request, response, next);
  };
}
