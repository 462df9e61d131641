import type { IncomingMessage } from 'node:http';
import { Router, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { clip, quote } from '../../engine/values/text.ts';
import { bytesOf, hasBody, isJsonType, readJson, readBytes } from '../pipeline/read-body.ts';
import type { ControlToken } from '../pipeline/control-token.ts';
import { logNotesOf } from '../pipeline/request-log.ts';
import { askedAddress } from '../pipeline/addresses.ts';
import { ownCalls, ownSite } from '../pipeline/own-site.ts';
import { accounts, listAgreements } from './accounts.ts';
import { bankSidePayments } from './payments/bank-side-payments.ts';
import { certificates } from './certificates.ts';
import { consents } from './consents.ts';
import { doctor } from './doctor.ts';
import { eventsPath } from './events/events.ts';
import {
  answerTo,
  type ControlledBank,
  callOf,
  type ControlEndpoint,
  controlOperation,
  Created,
} from './control-endpoint.ts';
import { faults as armedFaults } from './faults.ts';
import { finishScaInOneCall, listScas } from './scas.ts';
import { forecast, runs } from './runs.ts';
import { getCalendar, schedule } from './clock/calendar.ts';
import { acceptsEvents, eventStream, sendEvents, wantsEvents } from './event-stream.ts';
import { advance, getClock, putClock } from './clock/clock.ts';
import { getHash, getProof } from './ledger/books.ts';
import { getInfo } from './info.ts';
import { getPayment } from './payments/get-payment.ts';
import { getProfile } from './profile.ts';
import { guard } from './guard.ts';
import { ownResources } from '../pages/page-security.ts';
import { missingPages } from '../pages/refusals.ts';
import { problemHandler, Problem } from '../pipeline/problem.ts';
import { lives } from './lives.ts';
import { listPayments } from './payments/list-payments.ts';
import { quirkEndpoints } from './quirks.ts';
import { readQuery } from './read-query.ts';
import { reset, snapshots } from './ledger/reset-and-restore.ts';
import { timeline } from './timeline.ts';
import { when } from './when.ts';

interface ControlPlaneOptions extends ControlledBank {
  /** The address of the server, for requests without a host. */
  readonly address: string;
  readonly endpoints: readonly ControlEndpoint[];
  /** Null if calls need no token. */
  readonly token: ControlToken | null;
  /** Whether a request comes from a console with a session, which may read the events. */
  readonly isOfConsole: (request: IncomingMessage) => boolean;
  readonly log: Logger;
}

/** Endpoints of the control plane of every bank. */
export const ofEveryBank = [
  getInfo,
  listScas,
  finishScaInOneCall,
  listPayments,
  getPayment,
  getProof,
  getHash,
  getCalendar,
  schedule,
  forecast,
  timeline,
  when,
  ...bankSidePayments,
  ...accounts,
  ...lives,
  listAgreements,
  ...runs,
  ...consents,
  ...certificates,
  ...armedFaults,
  ...quirkEndpoints,
  getProfile,
  doctor,
  // Last, as they take away what the examples of the other calls need.
  getClock,
  putClock,
  advance,
  ...snapshots,
  reset,
] as const;

/** The control plane of a bank, to mount at `/sandbox` (docs/spec/control-plane.md). Answers every error itself. */
export function controlPlane(options: ControlPlaneOptions): Router {
  const { base, config, endpoints, isOfConsole, token, log } = options;
  const router = Router({ caseSensitive: true });
  const mayRead = (request: Request): boolean =>
    request.method === 'GET' && request.path === eventsPath && isOfConsole(request);
  for (const { path, hasPage } of endpoints) if (hasPage === true) router.get(path, pageForBrowser);
  router.use(ownResources, guard({ site: ownCalls(ownSite(config)), token, mayRead }));
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const route = router.route(path);
    const here = endpoints.filter((endpoint) => endpoint.path === path);
    for (const endpoint of here) {
      const receive = receiver(endpoint, options);
      // Otherwise express answers HEAD like GET, and a stream would never end.
      if (endpoint.answerType === eventStream) route.head(wrongMethod(here.map(({ method }) => method)));
      if (endpoint.method === 'GET') route.get(receive);
      else route[lowerCase(endpoint.method)](requireType(endpoint), readBytes(endpoint.limit), receive);
    }
    route.all(wrongMethod(here.map(({ method }) => method)));
  }
  router.use((request) => {
    const [, day, number] = /^\/runs\/(\d{4}-\d{2}-\d{2})\/(\d{1,4})$/.exec(request.path) ?? [];
    const meant = day === undefined ? '' : ` The run is at /sandbox/runs/${day}-${number}, with a hyphen.`;
    const detail = `The control plane has no ${request.method} ${clip(request.originalUrl, 200)}.${meant}`;
    throw new Problem({
      status: 404,
      detail,
      allowed: endpoints.map((endpoint) => `${endpoint.method} /sandbox${endpoint.path}`),
    });
  });
  return router.use(missingPages(base, config.profile?.name), problemHandler(log));
}

function lowerCase<Method extends string>(method: Method): Lowercase<Method> {
  return method.toLowerCase() as Lowercase<Method>;
}

/**
 * Sends a browser to the console's page of the same path (rules.md G11), which asks for the control token. Others get
 * the JSON.
 */
const pageForBrowser: RequestHandler = (request, response, next) => {
  response.vary('accept');
  if (request.accepts(['application/json', 'text/html']) !== 'text/html') {
    next();
    return;
  }
  response.status(303).setHeader('location', `../../console${request.path}`).end();
};

/** Requires a JSON content type if a call has a body. Any site can send a web form, but not with this type (C1). */
function requireType({ text }: ControlEndpoint): RequestHandler {
  return (request, _response, next) => {
    const type = request.headers['content-type'] ?? '';
    if (!hasBody(request) || isJsonType(type) || isTextType(type, text)) {
      next();
      return;
    }
    const received = type === '' ? 'missing' : quote(type);
    const detail = `Content-Type is ${received}, on a call with a body. Send it as application/json.`;
    throw new Problem({ status: 415, detail, allowed: ['application/json', ...(text === undefined ? [] : [text])] });
  };
}

function isTextType(type: string, text: string | undefined): boolean {
  return text !== undefined && type.split(';')[0]?.trim().toLowerCase() === text;
}

function receiver(endpoint: ControlEndpoint, options: ControlPlaneOptions): RequestHandler {
  const { base, address, log } = options;
  const operation = controlOperation(endpoint);
  return async (request, response) => {
    logNotesOf(response).operation = operation;
    const text = isTextType(request.headers['content-type'] ?? '', endpoint.text) ? bytesOf(request) : null;
    const call = await callOf(endpoint, options, {
      address: `${askedAddress(request, address)}${base}`,
      params: request.params as Record<string, string>,
      query: readQuery(request.originalUrl, Object.keys(endpoint.query ?? {})),
      text,
      body: text === null && bytesOf(request).length > 0 ? readJson(request, response) : {},
    });
    const isForEvents = endpoint.answerType === eventStream ? acceptsEvents : wantsEvents;
    if (endpoint.tell !== undefined && isForEvents(request)) {
      // An endless stream is the last answer of its connection, so a stopping server need not wait for it.
      if (endpoint.answerType !== undefined) response.set('connection', 'close');
      await sendEvents(request, response, log, async (events) => endpoint.tell?.(call, events));
      return;
    }
    const answer = await answerTo(endpoint, call);
    response.set('cache-control', 'no-store');
    if (endpoint.answerType !== undefined) response.type(endpoint.answerType).send(answer);
    else if (answer instanceof Created) response.status(201).json(answer.answer);
    else response.json(answer);
  };
}

function wrongMethod(allowed: readonly string[]): RequestHandler {
  return (request) => {
    const detail = `${request.method} is not offered on this path.`;
    throw new Problem({ status: 405, detail, allowed, headers: { allow: allowed.join(', ') } });
  };
}
