import type { Request, Response } from 'express';
import { clip } from '../../engine/values/text.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { acceptsType, readHeaders } from './request-headers.ts';
import type { ArmedFaults } from './armed-faults.ts';
import type { BodySchema } from '../bodies/schema.ts';
import { type ControlToken, requireControlToken, tokenHeader } from './control-token.ts';
import { type Call, type Endpoint, operationOf } from './endpoint.ts';
import { bulkBodyLimit, bytesOf, isJsonType, readBody, readJson } from './read-body.ts';
import { pathTable, queryIn, QueryReader, queryTextIn } from './target.ts';
import { addFacts, factsOf, logNotesOf } from './request-log.ts';
import { type AskedRequest, isSigned, noteCall, sendAnswer, shapingOf } from './shaping.ts';
import { carryOutStruck } from './struck-call.ts';
import { noteUse } from './use-of-program.ts';
import { validateBody } from './validate-body.ts';
import type { SignatureCheck } from '../signing/signature-check.ts';

export interface InterfaceOptions {
  readonly bank: Bank;
  readonly checkSignature: SignatureCheck;
  /** An armed fault strikes a call that would have been carried out (rules.md E6b, E6c). */
  readonly faults: ArmedFaults;
  /** Prefix of request targets before the bank's own path: empty, or `/banks/{name}`. */
  readonly base: string;
  /** Absolute address of an SCA page, on the host of the request. */
  readonly scaAddress: (request: Request, scaId: string) => string;
  /** Token required for changes under `/v1/sandbox` (rules.md G1). */
  readonly controlToken: ControlToken | null;
  /** The bank's lock, shared with its control plane. */
  readonly runExclusive: Call['runExclusive'];
}

/**
 * Routes the bank's interface below `/v1`. An unknown path is NOT_FOUND, a wrong method SERVICE_INVALID (rules.md E2).
 */
export function signedInterface(endpoints: readonly Endpoint[], options: InterfaceOptions): InterfaceHandler {
  const find = pathTable(
    endpoints.map(({ path }) => path),
    (path) => {
      const here = endpoints.filter((endpoint) => endpoint.path === path);
      const byMethod = new Map<string, PathHandler>(here.map((each) => [each.method, receive(each, options)]));
      return { byMethod, otherwise: wrongMethod(here) };
    },
  );
  return async (request, response, sign = null) => {
    const found = find(request.path);
    if (found === null) {
      const text = `The bank has no ${request.method} ${clip(request.originalUrl, 200)}. docs/spec/interface.md lists its paths.`;
      throw new Refusal({ code: 'NOT_FOUND', text });
    }
    const { byMethod, otherwise } = found.value;
    const handle = byMethod.get(request.method === 'HEAD' ? 'GET' : request.method) ?? otherwise;
    await handle(request, response, { params: found.params, sign });
  };
}

/**
 * Answers a request of the interface. `sign` signs the request of an unsigned door, once its body was read. It is null
 * for a signed request.
 */
export type InterfaceHandler = (
  request: Request,
  response: Response,
  sign?: (() => Promise<void>) | null,
) => Promise<void>;

interface Found {
  /** Values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly sign: (() => Promise<void>) | null;
}

/** Answers a request to this path. */
type PathHandler = (request: Request, response: Response, found: Found) => Promise<void> | void;

/**
 * The stations of a request from its size to its answer; `api/hosting/app.ts` lists all. The order is that of rules.md
 * G1.
 */
function receive(endpoint: Endpoint, options: InterfaceOptions): PathHandler {
  const { bank } = options;
  const sandboxData = endpoint.path.startsWith('/sandbox');
  const token = sandboxData && endpoint.method !== 'GET' ? options.controlToken : null;
  const demands = ['x-request-id', ...endpoint.requires];
  const strictDemands = endpoint.withPsu === true ? [...demands, 'psu-ip-address'] : demands;
  const operation = operationOf(endpoint);
  const limit = endpoint.path.startsWith('/bulk-payments/') ? bulkBodyLimit : undefined;
  return async (request, response, { params, sign }) => {
    logNotesOf(response).operation = operation;
    checkProduct(endpoint, params['product']);
    await readBody(request, response, limit);
    await sign?.();
    const tpp = await signingTpp(request, endpoint, options);
    addFacts(response, { tpp: tpp.id });
    if (token !== null) requireControlToken(request, token);
    const lenient = bank.quirks.has('lenient-headers');
    const demanded = bank.quirks.has('strict-signing') ? strictDemands : demands;
    const headers = readHeaders(request.headers, demanded, { sandboxData, lenient, raw: request.rawHeaders });
    checkAccept(request);
    const schema = schemaOf(endpoint, params['product']);
    const asked = { operation, params, query: queryIn(request.originalUrl), body: jsonOf(request, response, schema) };
    const read = (await shapingOf(response)?.read(asked, { tpp, headers })) ?? asked;
    if (schema !== null)
      validateBody(schema, read.body, { quirks: bank.quirks, noteCase: () => note(response, smallLetters) });
    const call = callOf({ request, response, endpoint, tpp, headers, read }, options);
    noteCall(response, call);
    if (endpoint.query === undefined) call.query.finish();
    const isAlone = endpoint.withPsu === true && headers.psuIpAddress === null;
    const carriedOut = isAlone ? { ...endpoint, handle: notedHandle(endpoint, response) } : endpoint;
    const answer = isStruck(request, response, endpoint, options)
      ? await carryOutStruck(options.faults, {
          call,
          provoked: {
            endpoint: carriedOut,
            headers,
            parameters: [...asked.query.keys()],
            schema,
            tokenHeader: token && tokenHeader,
            revoked403: bank.quirks.has('revoked-403'),
          },
          target: targetIn(request, options),
          response,
        })
      : await carriedOut.handle(call);
    if (answer === null) return;
    const { paymentId } = read.params;
    if (paymentId !== undefined) addFacts(response, { paymentId });
    if (headers.requestId !== null) response.set('x-request-id', headers.requestId);
    await sendAnswer(response, answer);
    if (response.statusCode === 201) noteUse('a TPP paid');
  };
}

/** rules.md P5d. */
const smallLetters = 'the letters of an IBAN or a BIC are small; write capitals (identifier-case)';
/** rules.md A8c. */
const psuAbsent = 'the document demands the PSU here; send PSU-IP-Address (psu-absent)';

/**
 * The work of an endpoint for a call without the PSU: what it carries out is noted, and a refusal is not (rules.md
 * A8c).
 */
function notedHandle({ handle }: Endpoint, response: Response): Endpoint['handle'] {
  return async (call) => {
    const answer = await handle(call);
    note(response, psuAbsent);
    return answer;
  };
}

/** Notes what the bank accepts though the interface does not promise it (rules.md G3b). */
function note(response: Response, what: string): void {
  addFacts(response, { notes: [...(factsOf(response).notes ?? []), `accepted, but ${what}`] });
}

/** The TPP that signed a request. Throws a Refusal of the signature check. */
function signingTpp(
  request: Request,
  { role }: Endpoint,
  { bank, checkSignature }: InterfaceOptions,
): ReturnType<SignatureCheck> {
  const { method, originalUrl: target, rawHeaders } = request;
  return checkSignature({ method, target, rawHeaders, body: bytesOf(request) }, bank.security.now(), role);
}

interface ReadRequest extends Pick<Call, 'tpp' | 'headers'> {
  readonly request: Request;
  readonly response: Response;
  readonly endpoint: Endpoint;
  readonly read: AskedRequest;
}

function callOf({ request, response, endpoint, tpp, headers, read }: ReadRequest, options: InterfaceOptions): Call {
  const { params, body } = read;
  return {
    bank: options.bank,
    tpp,
    headers,
    params,
    query: new QueryReader(read.query, endpoint.query ?? {}),
    sentTo: { method: endpoint.method, path: decodedPath(endpoint, params), query: queryTextIn(request.originalUrl) },
    body,
    bytes: bytesOf(request),
    runExclusive: options.runExclusive,
    addFacts: (facts) => addFacts(response, facts),
    scaAddress: (scaId) => options.scaAddress(request, scaId),
  };
}

/** Whether an armed fault is for this request (rules.md E6b). */
function isStruck(request: Request, response: Response, { method }: Endpoint, options: InterfaceOptions): boolean {
  return options.faults.match(method, targetIn(request, options), isSigned(response)) !== undefined;
}

/** The target of a request, below its bank. */
function targetIn({ originalUrl }: Request, { base }: InterfaceOptions): string {
  return originalUrl.slice(base.length);
}

function checkProduct(endpoint: Endpoint, product: string | undefined): void {
  if (endpoint.products === undefined || product === undefined || endpoint.products.includes(product)) return;
  const text = `The product ${clip(product)} is not offered here. Offered: ${endpoint.products.join(', ')}.`;
  throw new Refusal({ code: 'PRODUCT_UNKNOWN', text });
}

function checkAccept(request: Request): void {
  const { accept } = request.headers;
  if (acceptsType(accept, 'application/json')) return;
  const text = `Accept is ${clip(String(accept))}, and the bank answers in application/json only, in UTF-8.`;
  throw new Refusal({ code: 'REQUESTED_FORMATS_INVALID', path: 'accept', text });
}

/** Schema of the request's body, which depends on the product (rules.md P1). */
function schemaOf({ body }: Endpoint, product = ''): BodySchema | null {
  return body !== null && 'byProduct' in body ? (body.byProduct[product] ?? null) : body;
}

/**
 * The JSON of the body, or null if the call has none. Content-Type is checked only when there is a body; the charset
 * must be UTF-8 (interface: What the service does, 4).
 */
function jsonOf(request: Request, response: Response, schema: BodySchema | null): unknown {
  if (schema === null) return null;
  const bytes = bytesOf(request);
  const type = request.headers['content-type'] ?? '';
  if (bytes.length > 0 && !isJsonType(type)) {
    const text = `Content-Type is ${type === '' ? 'missing' : clip(type)}. Send application/json, in UTF-8.`;
    throw new Refusal({ code: 'FORMAT_ERROR', place: 'content-type', path: 'content-type', text });
  }
  return readJson(request, response);
}

/** The path of a request with decoded parameters: every encoding gives the same path. */
function decodedPath({ path }: Endpoint, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
}

function wrongMethod(endpoints: readonly Endpoint[]): PathHandler {
  const allowed = endpoints.map(({ method }) => method);
  const elsewhere = endpoints.find((endpoint) => endpoint.elsewhere !== undefined)?.elsewhere;
  return (request, response) => {
    response.set('allow', allowed.join(', '));
    const offered = `${request.method} is not offered on this path. Offered: ${allowed.join(', ')}.`;
    const text = elsewhere === undefined ? offered : `${offered} ${elsewhere}`;
    throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
  };
}
