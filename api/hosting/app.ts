import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import type { ArmedFaults } from '../pipeline/armed-faults.ts';
import { askedAddress } from '../pipeline/host-name.ts';
import type { Config } from '../start/config.ts';
import type { Turn } from '../pipeline/one-at-a-time.ts';
import { errorHandler } from '../pipeline/error-handler.ts';
import { landing, nothingHere } from './landing.ts';
import { readBytes } from '../pipeline/body-bytes.ts';
import { ownSite } from '../pipeline/own-site.ts';
import { endpoints } from '../interface/index.ts';
import { preferredMethod } from '../sca/sca-method.ts';
import { scaPages } from '../sca/sca-pages.ts';
import type { ScaSteps } from '../sca/sca-steps.ts';
import { factsOf } from '../pipeline/request-log.ts';
import { signedInterface } from '../pipeline/signed-interface.ts';
import type { Journal } from '../journal/journal.ts';
import type { SignatureCheck } from '../signing/signature-check.ts';

/** Largest body of a bulk payment (rules.md E2), in bytes: it may have many creditors. */
const bulkBodyLimit = 8 * 1024 * 1024;
const interfacePaths = ['/v1', '/api-sandbox/v1'];
const bulkPaths = ['/v1/bulk-payments/:product', '/api-sandbox/v1/bulk-payments/:product'];

export interface BankAppOptions {
  readonly bank: Bank;
  readonly checkSignature: SignatureCheck;
  readonly faults: ArmedFaults;
  /** Path of the bank: empty, or `/banks/{name}`. */
  readonly base: string;
  readonly config: Pick<Config, 'publicUrl' | 'controlToken' | 'allowedHosts'>;
  /** The server's own address, for requests without a Host. */
  readonly address: string;
  readonly steps: ScaSteps;
  readonly turn: Turn;
  /** Carries out runs that are late, for a short while at most. */
  readonly catchUp: () => Promise<void>;
  readonly log: Logger;
  readonly journal: Journal;
  /** The control plane, mounted at /sandbox. */
  readonly controlPlane: Router;
}

/** Routes one bank: SCA pages, control plane, and the interface at both its bases. */
export function bankApp(options: BankAppOptions): Router {
  const { bank, config, checkSignature, faults, base, steps, log, journal } = options;
  const addressFor = (request: Request): string =>
    `${config.publicUrl ?? askedAddress(request, options.address)}${base}`;
  const scaAddress = (request: Request, scaId: string): string => {
    const method = preferredMethod(request.headers);
    const page = `${addressFor(request)}/sca/${scaId}`;
    return method === null ? page : `${page}?method=${method}`;
  };
  const entryAddress = (request: Request, response: Response): string | null => {
    const { entryKey } = factsOf(response);
    return entryKey === undefined ? null : `${addressFor(request)}/sandbox/requests/${entryKey}`;
  };
  const signed = signedInterface(endpoints, {
    bank,
    checkSignature,
    faults,
    base,
    scaAddress,
    controlToken: config.controlToken,
    runExclusive: options.turn.runExclusive,
  });
  const router = Router({ caseSensitive: true });
  router.use('/sca', scaPages({ bank, site: ownSite(config), steps, log }));
  router.use('/sandbox', options.controlPlane);
  router.use(interfacePaths, journal.hear);
  router.post(bulkPaths, readBytes(bulkBodyLimit));
  router.use(readBytes());
  router.use(['/v1/accounts', '/api-sandbox/v1/accounts'], afterLateRuns(options));
  router.use(interfacePaths, signed);
  router.get('/', landing);
  router.use(nothingHere);
  router.use(errorHandler({ log, signature401: bank.quirks.has('signature-401'), scaAddress, entryAddress }));
  return router;
}

/** Account information is read after the runs that are late: else a day that was read as ended would get another booking (rules.md S6). */
function afterLateRuns({ catchUp }: Pick<BankAppOptions, 'catchUp'>): RequestHandler {
  return async (_request, _response, next) => {
    await catchUp();
    next();
  };
}
