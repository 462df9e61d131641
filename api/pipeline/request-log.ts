import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { oneLine } from '../../engine/values/text.ts';

/** What the line of a request tells that only those know who answer it. */
export interface RequestFacts {
  /** Who signed (rules.md G8), once the whole signature check has passed. */
  readonly tpp?: string;
  /** The first code of a refusal. */
  readonly code?: string;
  /** What the client was answered past the response: its request could not be read to the end. */
  readonly status?: number;
}

const factsOf = new WeakMap<ServerResponse, RequestFacts>();

/** Adds to what the line of a request will tell. */
export function tell(response: ServerResponse, facts: RequestFacts): void {
  factsOf.set(response, { ...factsOf.get(response), ...facts });
}

const longest = { target: 300, name: 100, tpp: 200 };

/**
 * One line a request, at level info: what was asked of which bank by whom, what was answered, how long it took in ms. Its
 * message is `request`, or `refused` where there is a code, or `client gone` where the answer was not all sent.
 */
export function requestLog(log: Logger): RequestHandler {
  if (!log.isLevelEnabled('info')) return (_request, _response, next) => next();
  return (request, response, next) => {
    const begun = performance.now();
    response.once('close', () => {
      const ms = Math.round((performance.now() - begun) * 10) / 10;
      const { tpp, code, status } = factsOf.get(response) ?? {};
      const requestId = request.get('x-request-id');
      const isAnswered = response.writableFinished || status !== undefined;
      const message = !isAnswered ? 'client gone' : code === undefined ? 'request' : 'refused';
      const line = {
        method: request.method,
        target: oneLine(withoutSecrets(request.originalUrl), longest.target),
        status: status ?? response.statusCode,
        ms,
        bank: oneLine(bankIn(request.originalUrl), longest.name),
        ...(tpp !== undefined && { tpp: oneLine(tpp, longest.tpp) }),
        ...(code !== undefined && { code }),
        ...(requestId !== undefined && { requestId: oneLine(requestId, longest.name) }),
      };
      log.info(line, message);
    });
    next();
  };
}

/** The name that the path gives to the bank, whether there is one of that name or not. */
function bankIn(target: string): string {
  return /^\/banks\/([^/?]+)/.exec(target)?.[1] ?? 'default';
}

/** Whoever knows the id of an SCA can answer it, and that of a step shows whose it is: they are left out. */
function withoutSecrets(target: string): string {
  return target.replace(/(\/sca\/)[^/?]+/g, '$1...').replace(/([?&]step=)[^&]+/g, '$1...');
}
