import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { Refusal, type Fault } from '../../engine/core/fault.ts';
import { faultResponse } from '../fault-response.ts';
import { faultPage } from './fault-page.ts';

/** Turns what was thrown into a page with the status of rules.md E2. What nobody expected is a 500 without detail (E4). */
export function pageErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const [status, fault] = answerTo(error);
    if (status === 500) log.error({ err: error, method: request.method }, 'unexpected error on an SCA page');
    response.status(status).type('html').send(faultPage(fault));
  };
}

function answerTo(error: unknown): readonly [number, Fault] {
  if (error instanceof Refusal) {
    const [fault] = error.faults;
    return [faultResponse([fault], { signature401: false }).status, fault];
  }
  const status = statusOf(error);
  if (status >= 400 && status < 500) return [status, { code: 'BAD_REQUEST', text: 'The request cannot be read.' }];
  return [500, { code: 'SYSTEM_ERROR', text: 'Something unexpected happened in the sandbox.' }];
}

/** What express and its body reader refuse by themselves carry a status; 500 for anything else. */
function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('status' in error)) return 500;
  return typeof error.status === 'number' ? error.status : 500;
}
