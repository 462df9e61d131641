import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable } from '../../engine/open-bank.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { faultResponse, retryAfterOf } from '../faults/fault-response.ts';
import { Mismatch } from '../signing/doctor/mismatch.ts';
import { SigningRefusal } from '../signing/signing-refusal.ts';
import { addFacts } from './request-log.ts';
import { sendAnswer } from './shaping.ts';
import { link } from './endpoint.ts';
import { unreadBody } from './read-body.ts';

interface ErrorHandlerOptions {
  readonly log: Logger;
  readonly signature401: boolean;
  readonly scaAddress: (request: Request, scaId: string) => string;
  /** Address of the request's journal entry (rules.md G11). */
  readonly entryAddress: (request: Request, response: Response) => string | null;
}

const unexpected = new Refusal({
  code: 'SYSTEM_ERROR',
  text: 'The bank failed. Its log has the reason under the X-Request-ID.',
});

/**
 * Answers a thrown error with tppMessages (rules.md E1-E4). A ledger that cannot be used is a 503; an unexpected error
 * is a 500 without detail. Both are logged with the request id and the cause, unless the log has the reason already.
 */
export function errorHandler(options: ErrorHandlerOptions): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const requestId = request.get('x-request-id');
    if (requestId !== undefined && /^[\x20-\x7e]{1,100}$/.test(requestId)) response.set('x-request-id', requestId);
    const refused = error instanceof LedgerUnavailable ? new Refusal(error.fault) : error;
    const refusal = refused instanceof Refusal ? refused : unreadBody(error);
    const about = { requestId, method: request.method, path: request.path };
    if (error instanceof LedgerUnavailable) {
      if (!error.isLogged) options.log.error({ err: error.cause, ...about }, error.message);
    } else if (refusal === null) options.log.error({ err: error, ...about }, 'unexpected error');
    const { faults } = refusal ?? unexpected;
    addFacts(response, {
      code: faults[0].code,
      ...(error instanceof SigningRefusal && { finding: error.finding }),
      ...(error instanceof Mismatch && error.diagnosis.received !== null && { received: error.diagnosis.received }),
    });
    const entry = options.entryAddress(request, response);
    const retryAfter = retryAfterOf(faults[0]);
    if (retryAfter !== null) response.set('retry-after', String(retryAfter));
    const answer = faultResponse(faults, { signature401: options.signature401, entry });
    const scaId = faults[0].sca?.id ?? null;
    const scaLink = scaId !== null && { _links: { scaRedirect: link(options.scaAddress(request, scaId), 'GET') } };
    await sendAnswer(response, { status: answer.status, body: { ...answer.body, ...scaLink } });
  };
}
