import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Router } from 'express';
import { once } from '../../engine/values/once.ts';
import type { statusesAtHand } from '../../engine/tpps/certificate-status.ts';
import { controlPlane, ofEveryBank } from '../control/control-plane.ts';
import type { EventLog } from '../control/events/event-log.ts';
import { eventsEndpoint } from '../control/events/events.ts';
import type { Coverage } from '../coverage/coverage.ts';
import { coverageEndpoints } from '../coverage/coverage-endpoints.ts';
import type { Journal } from '../journal/journal.ts';
import { requestsEndpoints } from '../journal/requests.ts';
import type { ArmedFaults } from '../pipeline/armed-faults.ts';
import type { Turn } from '../pipeline/one-at-a-time.ts';
import type { ScaSteps } from '../sca/sca-steps.ts';
import { createSignatureCheck } from '../signing/signature-check.ts';
import { bankApp, judgeOf } from './app.ts';
import { banksEndpoints } from './banks.ts';
import { bundleEndpoint } from './bundle/get-bundle.ts';
import type { Hosting } from './hosted-bank.ts';

/** What a bank over HTTP keeps outside its ledger. */
export interface BankState {
  readonly journal: Journal;
  readonly coverage: Coverage;
  readonly events: EventLog;
  readonly faults: ArmedFaults;
  readonly steps: ScaSteps;
  readonly turn: Turn;
  /** Carries out runs that are late, for a short while at most. */
  readonly catchUp: () => Promise<void>;
  /** The status of a certificate, by its serial number. */
  readonly statusOf: ReturnType<typeof statusesAtHand>;
  /** All of the bank as the bytes of one file. */
  readonly bundle: () => Promise<Buffer>;
}

/** Routes one bank, with the endpoints of its control plane. Loaded with the first request: it brings every endpoint. */
export function bankRouter(hosting: Hosting, state: BankState): Router {
  const {
    bank,
    config,
    base,
    address,
    listens,
    trustedCas,
    tpps,
    sandboxCa,
    doctor,
    banks,
    log,
    stopping,
    sessions,
    token,
    plays,
  } = hosting;
  const { journal, coverage, events, faults, steps, turn, catchUp, statusOf, bundle } = state;
  const own = banks === null ? [] : banksEndpoints(banks);
  const ofRequests = [...requestsEndpoints(journal), ...coverageEndpoints(coverage)];
  const endpoints = [...ofEveryBank, eventsEndpoint(events, stopping), ...ofRequests, bundleEndpoint(bundle), ...own];
  const isStrict = bank.quirks.has('strict-signing');
  const verifying = (verified: Promise<unknown>): void => bank.ledger.expect(verified);
  const trust = config.tppTrust;
  const checkSignature = createSignatureCheck({ trust, trustedCas, statusOf, isStrict, doctor, verifying });
  const options = {
    bank,
    checkSignature,
    faults,
    base,
    control: endpoints,
    config,
    address,
    listens,
    log,
    turn,
    catchUp,
    journal,
    tpps,
    token,
    steps,
  };
  const judge = judgeOf(options);
  const controlled = { bank, config, base, address, faults, sandboxCa, tpps, turn, endpoints, judge, token, log };
  const isOfConsole = (request: IncomingMessage): boolean => sessions.of(request) !== null;
  return bankApp(options, {
    controlPlane: controlPlane({ ...controlled, isOfConsole }),
    console: onceAsked(async () => {
      const { bankConsole } = await import('../console/console.ts');
      return bankConsole({ ...controlled, sessions, plays: (await plays?.()) ?? null });
    }),
  });
}

/** A handler that is made for the first request: most banks never get one. */
function onceAsked(make: () => Promise<Router>): RequestHandler {
  const made = once(make);
  return async (request, response, next) => {
    (await made())(request, response, next);
  };
}
