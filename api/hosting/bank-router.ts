import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Router } from 'express';
import { once } from '../../engine/values/once.ts';
import type { ControlEndpoint } from '../control/control-endpoint.ts';
import { controlPlane, ofEveryBank } from '../control/control-plane.ts';
import { eventsEndpoint } from '../control/events/events.ts';
import { searchEndpoint } from '../control/search.ts';
import { coverageEndpoints } from '../coverage/coverage-endpoints.ts';
import { requestFinder, requestsEndpoints } from '../journal/requests.ts';
import { createSignatureCheck } from '../signing/signature-check.ts';
import { bankApp, judgeOf } from './app.ts';
import { banksEndpoints } from './banks.ts';
import { bundleEndpoint } from './bundle/get-bundle.ts';
import type { HostedBank, Hosting } from './hosted-bank.ts';

/** Routes one bank, with the endpoints of its control plane. This file loads every endpoint, so the first request imports it. */
export function bankRouter(hosting: Hosting, hosted: HostedBank): Router {
  const { bank, config, doctor, banks, stopping, sessions, plays } = hosting;
  const { journal, faults, room, steps, turn, catchUp, statusOf } = hosted;
  const endpoints = [
    ...ofEveryBank,
    eventsEndpoint(hosted.events, stopping),
    ...requestsEndpoints(journal),
    searchEndpoint(requestFinder(journal, config.controlToken)),
    ...coverageEndpoints(hosted.coverage),
    bundleEndpoint(() => hosted.bundle()),
    ...(banks === null ? [] : banksEndpoints(banks)),
  ];
  const checkSignature = createSignatureCheck({
    trust: config.tppTrust,
    get trustedCas() {
      return hosting.trustedCas();
    },
    statusOf,
    // Read for each request: quirks can be switched.
    get isStrict() {
      return bank.quirks.has('strict-signing');
    },
    doctor,
    verifying: (verified) => bank.ledger.expect(verified),
  });
  const options = { ...hosting, journal, faults, room, steps, turn, catchUp, checkSignature, control: endpoints };
  const controlled = { ...hosting, faults, room, turn, endpoints, judge: judgeOf(options) };
  const isOfConsole = (request: IncomingMessage): boolean => sessions.of(request) !== null;
  const planeAt = (place: ControlEndpoint['at']): Router =>
    controlPlane({ ...controlled, endpoints: endpoints.filter(({ at }) => at === place), isOfConsole });
  return bankApp(options, {
    controlPlane: planeAt(undefined),
    platform: endpoints.some(({ at }) => at === '/platform') ? planeAt('/platform') : null,
    console: onceAsked(async () => {
      const { bankConsole } = await import('../console/console.ts');
      return bankConsole({ ...controlled, moves: await hosted.moves(), plays: (await plays?.()) ?? null });
    }),
  });
}

/** A handler that is made for its first request: most banks get none. */
function onceAsked(make: () => Promise<Router>): RequestHandler {
  const made = once(make);
  return async (request, response, next) => {
    (await made())(request, response, next);
  };
}
