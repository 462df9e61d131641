import type { ErrorRequestHandler, Request } from 'express';
import type { Logger } from 'pino';
import { problemHandler } from '../pipeline/problem-handler.ts';
import { errorHandler } from '../pipeline/error-handler.ts';

const interfacePath = /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/v1(?=[/?]|$)/;

/** Answers what failed before a bank had the request, an unknown name too: in the form of the path that was asked. */
export function unopenedBank(log: Logger): ErrorRequestHandler {
  const tppMessages = errorHandler({ log, signature401: false, scaAddress: noSca });
  const problem = problemHandler(log);
  return (error, request, response, next) => {
    const answer = interfacePath.test(request.originalUrl) ? tppMessages : problem;
    answer(error, request, response, next);
  };
}

/** Such a bank offers no SCA. */
function noSca(_request: Request, scaId: string): string {
  return scaId;
}
