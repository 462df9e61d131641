import express, { Router, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import type { ArmedFaults } from '../armed-faults.ts';
import type { Config } from '../config.ts';
import { parseJson } from '../middleware/parse-json.ts';
import type { Readiness } from '../readiness.ts';
import { advance } from './advance.ts';
import { bankSidePayments } from './bank-side-payments.ts';
import { certificates } from './certificates.ts';
import { consents } from './consents.ts';
import type { ControlCall, ControlEndpoint } from './control-endpoint.ts';
import { faults as armedFaults } from './faults.ts';
import { finishScaInOneCall } from './finish-sca.ts';
import { getCalendar } from './get-calendar.ts';
import { getClock } from './get-clock.ts';
import { getInfo } from './get-info.ts';
import { getPayment } from './get-payment.ts';
import { getProof } from './get-proof.ts';
import { guard } from './guard.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { problemHandler } from './problem-handler.ts';
import { Problem } from './problem.ts';
import { putClock } from './put-clock.ts';
import { readQuery } from './read-query.ts';
import { reset } from './reset.ts';
import { schedule } from './schedule.ts';

export interface ControlPlaneOptions {
  readonly bank: Bank;
  readonly config: Config;
  readonly faults: ArmedFaults;
  /** Told when a settlement run failed, so that `/ready` says so. */
  readonly readiness: Pick<Readiness, 'broke'>;
  readonly log: Logger;
}

const bodyLimit = 256 * 1024;

const endpoints: readonly ControlEndpoint[] = [
  getInfo,
  getClock,
  putClock,
  advance,
  reset,
  finishScaInOneCall,
  getPayment,
  getProof,
  getCalendar,
  schedule,
  ...bankSidePayments,
  ...consents,
  ...certificates,
  ...armedFaults,
];

/** What a sandbox adds to a bank, to be mounted at `/sandbox` (docs/spec/control-plane.md). Answers every error itself. */
export function controlPlane({ bank, config, faults, readiness, log }: ControlPlaneOptions): Router {
  const router = Router({ caseSensitive: true });
  const alone = oneAtATime(() => readiness.broke('moving the clock failed; see the log'));
  router.use(guard({ allowedHosts: config.allowedHosts, token: config.controlToken }));
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const route = router.route(path);
    const here = endpoints.filter((endpoint) => endpoint.path === path);
    for (const endpoint of here) {
      const receive = receiver(endpoint, { bank, config, faults, alone });
      if (endpoint.method === 'GET') route.get(receive);
      else route[lowerCase(endpoint.method)](requireJson, readBytes, receive);
    }
    route.all(wrongMethod(here.map(({ method }) => method)));
  }
  router.use((request) => {
    const detail = `The control plane has no ${request.method} ${request.originalUrl.slice(0, 200)}.`;
    throw new Problem({
      status: 404,
      detail,
      allowed: endpoints.map(({ method, path }) => `${method} /sandbox${path}`),
    });
  });
  router.use(problemHandler(log));
  return router;
}

function lowerCase<Method extends string>(method: Method): Lowercase<Method> {
  return method.toLowerCase() as Lowercase<Method>;
}

const readBytes: RequestHandler = express.raw({ type: () => true, limit: bodyLimit, inflate: false });

/** Asked for without a body too: a web form, which any page can send, has another one. */
const requireJson: RequestHandler = (request, _response, next) => {
  const type = request.headers['content-type'] ?? '';
  if (/^application\/json *(; *charset="?utf-8"? *)?$/i.test(type)) {
    next();
    return;
  }
  const received = type === '' ? 'missing' : JSON.stringify(type.slice(0, 80));
  const detail = `Content-Type is ${received}, on a call that changes something. Send application/json, without a body too.`;
  throw new Problem({ status: 415, detail, allowed: ['application/json'] });
};

function receiver(
  endpoint: ControlEndpoint,
  shared: Pick<ControlCall, 'bank' | 'config' | 'faults' | 'alone'>,
): RequestHandler {
  return async (request, response) => {
    const call: ControlCall = {
      ...shared,
      address: `${request.protocol}://${request.headers.host}`,
      params: request.params as Record<string, string>,
      query: readQuery(request.originalUrl, endpoint.query ?? []),
      body: bodyOf(request),
    };
    const answer = await endpoint.handle(call);
    response.set('cache-control', 'no-store').json(answer);
  };
}

function bodyOf(request: Request): unknown {
  const bytes: unknown = request.body;
  return Buffer.isBuffer(bytes) && bytes.length > 0 ? parseJson(bytes) : {};
}

function wrongMethod(allowed: readonly string[]): RequestHandler {
  return (request) => {
    const detail = `${request.method} is not offered on this path.`;
    throw new Problem({ status: 405, detail, allowed, headers: { allow: allowed.join(', ') } });
  };
}
