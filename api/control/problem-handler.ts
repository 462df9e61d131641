import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { Problem, problemOf } from './problem.ts';

/** Answers what was thrown as a problem. What nobody expected is a 500 without detail, and logged. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const expected = problemOf(error);
    if (expected === null) {
      log.error({ err: error, method: request.method, path: request.originalUrl }, 'unexpected error');
    }
    const problem = expected ?? new Problem({ status: 500, detail: 'The bank failed. Its log has the reason.' });
    response.status(problem.facts.status).set({ ...problem.facts.headers });
    response.type('application/problem+json').send(JSON.stringify(problem.json()));
  };
}
