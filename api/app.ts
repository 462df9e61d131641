import express, { type Request, type Router } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../engine/bank.ts';
import { errorHandler } from './error-handler.ts';
import { landing, nothingHere } from './landing.ts';
import { requestLog } from './middleware/request-log.ts';
import { endpoints } from './routes/index.ts';
import { scaPages } from './sca/sca-pages.ts';
import { signedInterface } from './signed-interface.ts';
import type { SignatureCheck } from './signing/signature-check.ts';

/** The largest bodies (rules.md E2), in bytes. */
const bodyLimit = 256 * 1024;

export interface BankAppOptions {
  readonly bank: Bank;
  readonly checkSignature: SignatureCheck;
  /** Null: SCA links lead to the host that the request asked. */
  readonly publicUrl: string | null;
  readonly log: Logger;
  /** The control plane, mounted at /sandbox. */
  readonly controlPlane: Router;
}

/** One bank over HTTP: its interface twice, its SCA pages, its control plane. The order here is the order of rules.md G1. */
export function bankApp(options: BankAppOptions): Router {
  const { bank, checkSignature, log } = options;
  const scaAddress = (request: Request, scaId: string): string =>
    `${options.publicUrl ?? `${request.protocol}://${request.host}`}/sca/${scaId}`;
  const signed = signedInterface(endpoints, { bank, checkSignature, scaAddress });
  const router = express.Router();
  router.use(requestLog(log));
  router.use('/sca', scaPages({ bank, log }));
  router.use('/sandbox', options.controlPlane);
  router.use(express.raw({ type: () => true, limit: bodyLimit, inflate: false }));
  router.use(['/v1', '/api-sandbox/v1'], signed);
  router.get('/', landing);
  router.use(nothingHere);
  router.use(errorHandler({ log, signature401: bank.quirks.has('signature-401'), scaAddress }));
  return router;
}
