import { Router, type Request } from 'express';
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
import { signedInterface } from '../pipeline/signed-interface.ts';
import type { SignatureCheck } from '../signing/signature-check.ts';
import type { ThrowAwayTpps } from '../signing/throw-away-tpps.ts';
import { unsignedDoor } from '../control/unsigned-door.ts';

/** Largest body of a bulk payment (rules.md E2), in bytes: it may have many creditors. */
const bulkBodyLimit = 8 * 1024 * 1024;
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
  readonly tpps: ThrowAwayTpps;
  readonly log: Logger;
  /** The control plane, mounted at /sandbox. */
  readonly controlPlane: Router;
}

/** Routes one bank: unsigned door, SCA pages, control plane, and the interface at both its bases. */
export function bankApp(options: BankAppOptions): Router {
  const { bank, config, checkSignature, faults, base, steps, log } = options;
  const scaAddress = (request: Request, scaId: string): string => {
    const method = preferredMethod(request.headers);
    const page = `${config.publicUrl ?? askedAddress(request, options.address)}${base}/sca/${scaId}`;
    return method === null ? page : `${page}?method=${method}`;
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
  const site = ownSite(config);
  const door = unsignedDoor({ bank, base, site, token: config.controlToken, tpps: options.tpps, log });
  const router = Router({ caseSensitive: true });
  router.use(door.enter);
  router.use('/sca', scaPages({ bank, site, steps, log }));
  router.use('/sandbox', options.controlPlane);
  router.post(bulkPaths, readBytes(bulkBodyLimit));
  router.use(readBytes());
  router.use(door.sign);
  router.use(['/v1', '/api-sandbox/v1'], signed);
  router.get('/', landing);
  router.use(nothingHere);
  router.use(errorHandler({ log, signature401: bank.quirks.has('signature-401'), scaAddress }));
  return router;
}
