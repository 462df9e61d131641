import { request, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isAnyArrayBuffer } from 'node:util/types';
import { runInThisContext } from 'node:vm';
import { allowedIn } from '../../engine/values/fault.ts';
import { jsonOr } from '../../engine/values/json-text.ts';
import { withoutTrailing } from '../../engine/values/text.ts';
import { isPromise, isUrl, textGiven, wrongGiven } from './given.ts';
import type { BankAnswer, SendOptions } from './types/index.ts';
import type { Static } from '../bodies/schema.ts';
import type { problemAnswer } from '../control/answers/refusals.ts';
import { type AnswerTo, type Asked, type CallName, partsOf, pathTo } from '../openapi/calls.ts';
import { pairWith } from '../pipeline/own-connection.ts';
import { BankError, codeOf } from './bank-error.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** One request to a bank. */
interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer as it came. {@link responseOf} makes a Response of it. */
export interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export type Send = (outgoing: Outgoing) => Promise<Received>;

/**
 * Sends HTTP requests to the bank at `base`, the start of its links. To a `server` of this process they go without a
 * port: over a pair of streams, parsed like those of a socket. `ca`: the CA of the bank's certificate, PEM.
 */
export function connectTo(base: URL, server: Server | null, ca?: string): Send {
  const ask = base.protocol === 'https:' ? process.getBuiltinModule('node:https').request : request;
  return ({ method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const all = { host: base.host, ...headers, 'content-length': String(body.length) };
      const options = {
        method,
        path: target,
        headers: all,
        ...(ca !== undefined && { ca }),
        ...(server !== null && { createConnection: () => pairWith(server) }),
      };
      const outgoing = ask(base, options, (answer) => {
        receivedIn(answer).then(resolve, reject);
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
}

/** Node's own: the global object of a test under jsdom has no Response. */
const ofNode = runInThisContext('globalThis') as typeof globalThis;

const withoutBody = [204, 205, 304];

async function receivedIn(answer: IncomingMessage): Promise<Received> {
  const { statusCode: status = 500, statusMessage: statusText = '', rawHeaders } = answer;
  return { status, statusText, rawHeaders, body: await buffer(answer) };
}

/** Whether an answer is no refusal. */
export function isOk({ status }: Received): boolean {
  return status >= 200 && status < 300;
}

/**
 * The Response for a test that asks for one: at the first, Node loads its whole client, which takes longer than the
 * call.
 */
export function responseOf({ status, statusText, rawHeaders, body }: Received): BankAnswer {
  const headers = new ofNode.Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return new ofNode.Response(withoutBody.includes(status) ? null : body, { status, statusText, headers }) as BankAnswer;
}

/** The members of SendOptions. */
export const sendMembers = ['method', 'headers', 'body'];

/**
 * Path and query of a path or an address of the bank at `base`; `/v1/accounts` of a named bank is below its own path.
 * Throws a Mistake for an address elsewhere.
 */
export function targetIn(base: URL, target: string | URL): string {
  if (!isUrl(target)) textGiven('fetch', 'a path such as /v1/accounts', target);
  const own = addressOf(base);
  const address = URL.parse(String(target), `${own}/`);
  if (address?.origin === base.origin) {
    const path = own.slice(base.origin.length);
    const isBelow = `${address.pathname}/`.startsWith(`${path}/`);
    return (isBelow ? '' : path) + address.pathname + address.search;
  }
  throw new Mistake(
    `${String(target)} is no address of this bank, which is at ${own}. Give a path such as /v1/accounts.`,
  );
}

/** The address of a bank, without a slash at its end. */
export function addressOf({ origin, pathname }: URL): string {
  return origin + withoutTrailing(pathname, '/');
}

/** The bytes of a body: text and bytes as they are, anything else as JSON. */
export function bytesOf({ body }: SendOptions): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (isPromise(body)) throw wrongGiven('fetch', 'a body', body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isAnyArrayBuffer(body)) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Merges the caller's headers into the usual ones, by lower-case name; null removes a header. */
export function headersOf(
  usual: Readonly<Record<string, string>>,
  { headers = {} }: SendOptions,
): Record<string, string> {
  const all = new Map(Object.entries(usual));
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) all.delete(name.toLowerCase());
    else all.set(name.toLowerCase(), textGiven('fetch', `a text or null for the header ${name}`, value));
  }
  return Object.fromEntries(all);
}

/** A body that is no JSON. */
interface Bytes {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Calls the bank's control plane. Throws a BankError with the refusal and what is allowed. */
export type Control = <Name extends CallName>(
  name: Name,
  sent?: Asked & { readonly body?: object | Bytes },
) => Promise<AnswerTo<Name>>;

/** The control plane of the bank at `base`. */
export function controlOver(send: Send, base: URL): Control {
  return async <Name extends CallName>(
    name: Name,
    { body = {}, ...asked }: Asked & { readonly body?: object | Bytes } = {},
  ) => {
    const { type, bytes } =
      'bytes' in body ? body : { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
    const [method, path] = partsOf(name);
    const target = targetIn(base, `/sandbox${pathTo(path, asked)}`);
    const answer = await send({
      method,
      target,
      headers: { 'content-type': type },
      body: method === 'GET' ? Buffer.alloc(0) : Buffer.from(bytes),
    });
    const value = jsonOr(answer.body.toString(), undefined);
    if (isOk(answer) && value !== undefined) return value as AnswerTo<Name>;
    throw refusalIn(target, answer);
  };
}

/** What the control plane refused; of a gateway before it, the page that it sent instead. */
export function refusalIn(target: string, { status, body }: Received): BankError {
  const text = body.toString();
  const problem = jsonOr(text, null) as ProblemBody | null;
  if (typeof problem?.detail !== 'string') return new BankError(`${target} answered ${status}: ${text}`, { status });
  return new BankError(problemText(problem), { status, code: codeOf(problem.code) });
}

type ProblemBody = Static<typeof problemAnswer>;

/** All details of a problem, and what is allowed. */
function problemText({ detail, allowed, errors = [] }: ProblemBody): string {
  const others = errors.map((error) => error.detail).filter((text) => text !== detail && !detail.endsWith(text));
  const choices = allowedIn(allowed);
  return [detail, ...others, ...(choices.length === 0 ? [] : [`Allowed: ${choices.join(', ')}.`])].join(' ');
}
