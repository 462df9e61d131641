import { type Request, type RequestHandler, type Response, Router } from 'express';
import { clip } from '../../engine/values/text.ts';
import type { Bank } from '../../engine/bank.ts';
import { type Fault, Refusal } from '../../engine/values/fault.ts';
import type { ArmedFaults } from './armed-faults.ts';
import type { BodySchema } from '../bodies/schema.ts';
import { requireControlToken } from './control-token.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { bytesOf, isJsonType } from './body-bytes.ts';
import { parseJson } from './parse-json.ts';
import { psuOf, readHeaders } from './request-headers.ts';
import { tell } from './request-log.ts';
import { sendJson } from './send-json.ts';
import { validateBody } from './validate-body.ts';
import { queryIn, QueryReader } from './query-reader.ts';
import type { SignatureCheck } from '../signing/signature-check.ts';
import { offerConsent } from '../../engine/consents/offer-consent.ts';
import { ScaOffered } from '../../engine/consents/sca-required.ts';

export interface InterfaceOptions {
  readonly bank: Bank;
  readonly checkSignature: SignatureCheck;
  /** An armed fault refuses a call that has passed every check of form (rules.md E6). */
  readonly faults: ArmedFaults;
  /** Prefix of request targets before the bank's own path: empty, or `/banks/{name}`. */
  readonly base: string;
  /** Absolute address of an SCA page, on the host of the request. */
  readonly scaAddress: (request: Request, scaId: string) => string;
  /** Token required for changes under `/v1/sandbox` (rules.md G1); null: none. */
  readonly controlToken: string | null;
  /** The bank's lock, shared with its control plane. */
  readonly runExclusive: Call['runExclusive'];
}

/** Routes the bank's interface below `/v1`. An unknown path is NOT_FOUND, a wrong method SERVICE_INVALID (rules.md E2). */
export function signedInterface(endpoints: readonly Endpoint[], options: InterfaceOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const route = router.route(path);
    const here = endpoints.filter((endpoint) => endpoint.path === path);
    for (const endpoint of here) {
      const method = endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>;
      route[method](receive(endpoint, options));
    }
    route.all(wrongMethod(here.map(({ method }) => method)));
  }
  router.use((request) => {
    const text = `The bank has no ${request.method} ${clip(request.originalUrl, 200)}. docs/spec/interface.md lists its paths.`;
    throw new Refusal({ code: 'NOT_FOUND', text });
  });
  return router;
}

/** Checks in the order of rules.md G1: product, signature, control token, headers, content type, body, meaning. */
function receive(endpoint: Endpoint, options: InterfaceOptions): RequestHandler {
  const { bank } = options;
  const sandboxData = endpoint.path.startsWith('/sandbox');
  const token = sandboxData && endpoint.method !== 'GET' ? options.controlToken : null;
  const demands = ['x-request-id', ...endpoint.requires];
  const lenient = bank.quirks.has('lenient-headers');
  return async (request, response) => {
    const params = request.params as Record<string, string>;
    checkProduct(endpoint, params['product']);
    const body = bytesOf(request);
    const { method, originalUrl: target, rawHeaders } = request;
    const tpp = await options.checkSignature({ method, target, rawHeaders, body }, bank.wall.now(), endpoint.role);
    tell(response, { tpp: tpp.id });
    if (token !== null) requireControlToken(request, token);
    const headers = readHeaders(singleValues(request), demands, { sandboxData, lenient, raw: rawHeaders });
    checkAccept(request);
    const schema = schemaOf(endpoint, params['product']);
    const call: Call = {
      bank,
      tpp,
      headers,
      params,
      query: new QueryReader(queryIn(target), endpoint.query ?? []),
      body: schema === null ? null : readBody(schema, request, body, bank),
      bytes: body,
      runExclusive: options.runExclusive,
      scaAddress: (scaId) => options.scaAddress(request, scaId),
    };
    if (endpoint.query === undefined) call.query.finish();
    const armed = options.faults.match(endpoint, target.slice(options.base.length));
    if (armed !== null) throw await provokedRefusal(armed, call);
    const answer = await endpoint.handle(call);
    const { paymentId } = params;
    if (paymentId !== undefined) tell(response, { paymentId });
    send(response, headers.requestId, answer);
  };
}

function send(response: Response, requestId: string | null, answer: Awaited<ReturnType<Endpoint['handle']>>): void {
  if (requestId !== null) response.set('x-request-id', requestId);
  response.status(answer.status).set({ ...answer.headers });
  if (answer.body === undefined) response.end();
  else sendJson(response, answer.body);
}

function checkProduct(endpoint: Endpoint, product: string | undefined): void {
  if (endpoint.products === undefined || product === undefined || endpoint.products.includes(product)) return;
  const text = `The product ${clip(product)} is not offered here. Offered: ${endpoint.products.join(', ')}.`;
  throw new Refusal({ code: 'PRODUCT_UNKNOWN', text });
}

function checkAccept(request: Request): void {
  if (request.accepts('application/json') !== false) return;
  const text = `Accept is ${clip(String(request.headers.accept))}, and the bank answers application/json only.`;
  throw new Refusal({ code: 'REQUESTED_FORMATS_INVALID', path: 'accept', text });
}

/** Schema of the request's body, which depends on the product (rules.md P1). */
function schemaOf({ body }: Endpoint, product = ''): BodySchema | null {
  return body !== null && 'byProduct' in body ? (body.byProduct[product] ?? null) : body;
}

/** Parses and validates the body. Content-Type is checked only when there is a body; the charset must be UTF-8 (interface: What the service does, 4). */
function readBody(schema: BodySchema, request: Request, bytes: Uint8Array, bank: Bank): unknown {
  const type = request.headers['content-type'] ?? '';
  if (bytes.length > 0 && !isJsonType(type)) {
    const text = `Content-Type is ${type === '' ? 'missing' : clip(type)}. Send application/json, in UTF-8.`;
    throw new Refusal({ code: 'FORMAT_ERROR', place: 'content-type', path: 'content-type', text });
  }
  const value = parseJson(bytes);
  validateBody(schema, value, { quirks: bank.quirks });
  return value;
}

function singleValues(request: Request): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

function wrongMethod(allowed: readonly string[]): RequestHandler {
  return (request, response) => {
    response.set('allow', allowed.join(', '));
    const text = `${request.method} is not offered on this path. Offered: ${allowed.join(', ')}.`;
    throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
  };
}

/**
 * Refusal by an armed fault (rules.md E6). CONSENT_INVALID and CONSENT_EXPIRED come with scaRedirect (rules.md E1) when the
 * call names a known PSU and a redirect address.
 */
async function provokedRefusal(fault: Fault, { bank, tpp, headers }: Call): Promise<Refusal> {
  const { redirectUri, sessionId, psuContext: context } = headers;
  const requiresSca = fault.code === 'CONSENT_INVALID' || fault.code === 'CONSENT_EXPIRED';
  const namesPsu = headers.psuId !== null || headers.psuIdentity !== null;
  if (!requiresSca || !namesPsu || redirectUri === null) return new Refusal(fault);
  try {
    const scaId = await offerConsent(bank, { tpp, psu: psuOf(headers), context, returnTo: { redirectUri, sessionId } });
    return new ScaOffered(fault, scaId);
  } catch (error) {
    if (error instanceof Refusal) return new Refusal(fault);
    throw error;
  }
}
