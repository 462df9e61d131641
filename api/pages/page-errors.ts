import type { ErrorRequestHandler, Request } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable } from '../../engine/bank.ts';
import { Refusal, type Fault } from '../../engine/values/fault.ts';
import { faultResponse } from '../faults/fault-response.ts';
import { tell } from '../pipeline/request-log.ts';
import { unreadBody } from '../pipeline/unread-body.ts';
import { faultPage } from './fault-page.ts';
import { inEnglish, type PageLanguage } from './language.ts';

/**
 * Turns an error into a page with the status of rules.md E2; an unexpected error is a 500 without detail (E4). `languageOf`
 * left out: the page is in English.
 */
export function pageErrors(
  log: Logger,
  languageOf: (request: Request) => PageLanguage = () => inEnglish,
): ErrorRequestHandler {
  return (error: unknown, request: Request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const [status, fault] = answerTo(error);
    if (error instanceof LedgerUnavailable) log.error({ err: error.cause, method: request.method }, error.message);
    else if (status === 500) log.error({ err: error, method: request.method }, 'unexpected error on an SCA page');
    tell(response, { code: fault.code });
    response
      .status(status)
      .type('html')
      .send(faultPage(fault, languageOf(request)));
  };
}

function answerTo(error: unknown): readonly [number, Fault] {
  if (error instanceof LedgerUnavailable) {
    return [faultResponse([error.fault], { signature401: false }).status, error.fault];
  }
  const refusal = error instanceof Refusal ? error : unreadBody(error);
  if (refusal === null) return [500, { code: 'SYSTEM_ERROR', text: 'Something unexpected happened in the sandbox.' }];
  const [fault] = refusal.faults;
  const text = error === refusal ? fault.text : 'The request cannot be read.';
  return [faultResponse([fault], { signature401: false }).status, { ...fault, text }];
}
