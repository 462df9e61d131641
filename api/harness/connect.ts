import { request, type IncomingMessage, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { isPromise, textGiven, wrongGiven } from './given.ts';
import type { BankAnswer, SendOptions } from './types.ts';

/** One request to a bank. */
interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type Send = (outgoing: Outgoing) => Promise<BankAnswer>;

/**
 * Sends HTTP requests to a server of this process without a port: over a pair of streams, parsed like those of a socket.
 * `base` is the start of the bank's links.
 */
export function connectTo(server: Server, base: URL): Send {
  return ({ method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const createConnection = () => {
        const [near, far] = duplexPair();
        server.emit('connection', far);
        return near;
      };
      const all = { host: base.host, ...headers, 'content-length': String(body.length) };
      const outgoing = request({ method, path: target, headers: all, createConnection }, (answer) => {
        responseOf(answer).then(resolve, reject);
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
}

const withoutBody = [204, 205, 304];

async function responseOf(answer: IncomingMessage): Promise<BankAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const { statusCode: status = 500, statusMessage: statusText = '', rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const body = withoutBody.includes(status) ? null : Buffer.concat(chunks);
  return new Response(body, { status, statusText, headers }) as BankAnswer;
}

/** The members of SendOptions. */
export const sendMembers = ['method', 'headers', 'body'];

/** Path and query of a path or an address of this bank. Throws an Error for an address elsewhere. */
export function targetIn(base: URL, target: string | URL): string {
  if (!(target instanceof URL)) textGiven('fetch', 'a path such as /v1/accounts', target);
  const address = URL.canParse(String(target), base.href) ? new URL(target, base) : null;
  if (address?.origin === base.origin) return address.pathname + address.search;
  throw new Error(
    `${String(target)} is no address of this bank, which is at ${base.origin}. Give a path such as /v1/accounts.`,
  );
}

/** The bytes of a body: text and bytes as they are, anything else as JSON. */
export function bytesOf({ body }: SendOptions): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (isPromise(body)) throw wrongGiven('fetch', 'a body', body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
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
