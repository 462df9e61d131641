import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable } from '../../engine/bank.ts';
import { tell } from './request-log.ts';
import { problemOf, unexpectedProblem } from './problem.ts';

/** Answers a thrown error as a problem. An unexpected error is a 500 without detail; failures are logged. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = problemOf(error) ?? unexpectedProblem();
    if (problem.isFailure) {
      log.error(
        {
          err: error instanceof LedgerUnavailable ? error.cause : error,
          method: request.method,
          path: request.originalUrl,
        },
        'a call of the control plane failed',
      );
    }
    tell(response, { code: problem.code });
    response.status(problem.facts.status).set({ ...problem.facts.headers });
    response.type('application/problem+json').send(JSON.stringify(problem.json()));
  };
}
