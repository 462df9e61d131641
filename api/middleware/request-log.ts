import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/** One line a request, at level info: what was asked, what was answered, how long it took in ms. Off below that level. */
export function requestLog(log: Logger): RequestHandler {
  if (!log.isLevelEnabled('info')) return (_request, _response, next) => next();
  return (request, response, next) => {
    const begun = performance.now();
    response.once('finish', () => {
      const ms = Math.round((performance.now() - begun) * 10) / 10;
      const { method } = request;
      const target = withoutSecrets(request.originalUrl);
      log.info({ method, target, status: response.statusCode, ms, requestId: request.get('x-request-id') }, 'request');
    });
    next();
  };
}

/** Whoever knows the id of an SCA can answer it, and that of a step shows whose it is: they are left out. */
function withoutSecrets(target: string): string {
  return target.replace(/(\/sca\/)[^/?]+/g, '$1...').replace(/([?&]step=)[^&]+/g, '$1...');
}
