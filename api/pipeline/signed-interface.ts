import type { Request, RequestHandler, Response } from 'express';
import { clip } from '../../engine/values/text.ts';
import type { Bank } from '../../engine/bank.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { acceptsType, readHeaders } from './request-headers.ts';
import type { ArmedFaults } from './armed-faults.ts';
import type { BodySchema } from '../bodies/schema.ts';
import { type ControlToken, requireControlToken, tokenHeader } from './control-token.ts';
import { type Call, type Endpoint, operationOf } from './endpoint.ts';
import { bytesOf, isJsonType, parseJson } from './read-body.ts';
import { pathTable, queryIn, QueryReader, queryTextIn } from './target.ts';
import { addFacts, notesOf } from './request-log.ts';
import { noteCall, sendAnswer, shapingOf } from './shaping.ts';
import { carryOutStruck } from './struck-call.ts';
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
  /** Token required for changes under `/v1/sandbox` (rules.md G1); null: none. */
  readonly controlToken: ControlToken | null;
  /** The bank's lock, shared with its control plane. */
  readonly runExclusive: Call['runExclusive'];
}

/** Routes the bank's interface below `/v1`. An unknown path is NOT_FOUND, a wrong method SERVICE_INVALID (rules.md E2). */
export function signedInterface(endpoints: readonly Endpoint[], options: InterfaceOptions): RequestHandler {
  const find = pathTable(
    endpoints.map(({ path }) => path),
    (path) => {
      const here = endpoints.filter((endpoint) => endpoint.path === path);
      const byMethod = new Map<string, PathHandler>(here.map((each) => [each.method, receive(each, options)]));
      return { byMethod, otherwise: wrongMethod(here) };
    },
  );
  return (request, response) => {
    const found = find(request.path);
    if (found === null) {
      const text = `The bank has no ${request.method} ${clip(request.originalUrl, 200)}. docs/spec/interface.md lists its paths.`;
      throw new Refusal({ code: 'NOT_FOUND', text });
    }
    const { byMethod, otherwise } = found.value;
    const handle = byMethod.get(request.method === 'HEAD' ? 'GET' : request.method) ?? otherwise;
    return handle(request, response, found.params);
  };
}

/** Answers a request with these values of its path's parameters. */
type PathHandler = (
  request: Request,
  response: Response,
  params: Readonly<Record<string, string>>,
) => Promise<void> | void;

/** Checks in the order of rules.md G1: product, signature, control token, headers, content type, body, meaning. */
function receive(endpoint: Endpoint, options: InterfaceOptions): PathHandler {
  const { bank, faults } = options;
  const sandboxData = endpoint.path.startsWith('/sandbox');
  const token = sandboxData && endpoint.method !== 'GET' ? options.controlToken : null;
  const demands = ['x-request-id', ...endpoint.requires];
  const operation = operationOf(endpoint);
  return async (request, response, sent) => {
    const { product } = sent;
    notesOf(response).operation = operation;
    checkProduct(endpoint, product);
    const bytes = bytesOf(request);
    const { method, originalUrl: target, rawHeaders } = request;
    const sentRequest = { method, target, rawHeaders, body: bytes };
    const tpp = await options.checkSignature(sentRequest, bank.wall.now(), endpoint.role);
    addFacts(response, { tpp: tpp.id });
    if (token !== null) requireControlToken(request, token);
    const lenient = bank.quirks.has('lenient-headers');
    const headers = readHeaders(request.headers, demands, { sandboxData, lenient, raw: rawHeaders });
    checkAccept(request);
    const schema = schemaOf(endpoint, product);
    const query = queryIn(target);
    const own = target.slice(options.base.length);
    const json = schema === null ? null : readJson(request, bytes);
    const asked = { operation, params: sent, query, body: json };
    const shaping = shapingOf(response);
    const read = shaping === null ? asked : await shaping.read(asked, { tpp, headers });
    const { params, body } = read;
    if (schema !== null) validateBody(schema, body, { quirks: bank.quirks });
    const call: Call = {
      bank,
      tpp,
      headers,
      params,
      query: new QueryReader(read.query, endpoint.query ?? {}),
      sentTo: { method: endpoint.method, path: pathOf(endpoint, params), query: queryTextIn(target) },
      body,
      bytes,
      runExclusive: options.runExclusive,
      addFacts: (facts) => addFacts(response, facts),
      scaAddress: (scaId) => options.scaAddress(request, scaId),
    };
    noteCall(response, call);
    if (endpoint.query === undefined) call.query.finish();
    const provoked = {
      endpoint,
      headers,
      parameters: [...query.keys()],
      schema,
      tokenHeader: token && tokenHeader,
      revoked403: bank.quirks.has('revoked-403'),
    };
    const answer =
      faults.match(endpoint.method, own) === undefined
        ? await endpoint.handle(call)
        : await carryOutStruck(faults, { call, provoked, target: own, response });
    if (answer === null) return;
    const { paymentId } = params;
    if (paymentId !== undefined) addFacts(response, { paymentId });
    if (headers.requestId !== null) response.set('x-request-id', headers.requestId);
    await sendAnswer(response, answer);
  };
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

/** Parses the body. Content-Type is checked only when there is a body; the charset must be UTF-8 (interface: What the service does, 4). */
function readJson(request: Request, bytes: Uint8Array): unknown {
  const type = request.headers['content-type'] ?? '';
  if (bytes.length > 0 && !isJsonType(type)) {
    const text = `Content-Type is ${type === '' ? 'missing' : clip(type)}. Send application/json, in UTF-8.`;
    throw new Refusal({ code: 'FORMAT_ERROR', place: 'content-type', path: 'content-type', text });
  }
  return parseJson(bytes);
}

/** The path of a request with decoded parameters: every encoding gives the same path. */
function pathOf({ path }: Endpoint, params: Readonly<Record<string, string>>): string {
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
