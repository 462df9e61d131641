import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Fault } from '../../engine/values/fault.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { tell } from '../pipeline/request-log.ts';
import { problemOf } from '../pipeline/problem.ts';
import { faultResponse } from '../faults/fault-response.ts';

/** Node's error for a request that its parser refused or that took too long. */
interface ParserError extends Error {
  readonly code?: string;
  /** In words: `Missing expected CR after header value`. */
  readonly reason?: string;
  /** The last chunk received; missing after a timeout. */
  readonly rawPacket?: Buffer;
}

/** Unfinished answers of a connection. */
type Open = Set<ServerResponse<IncomingMessage>>;

const oneLine =
  'Send the certificate as one line: the base64 of its DER, which is the PEM without its BEGIN and END lines and without line breaks.';
/** How long the answer may wait for a client that does not read, in ms. */
const patience = 2_000;
const sandboxTarget = /^[A-Z]{3,7} (?:\/banks\/[^/ ]{1,63})?\/sandbox[/? ]/;

/**
 * Answers and logs requests that Node's HTTP parser refuses (rules.md G9); Node's own answer is an empty 400. Earlier
 * requests of the connection are answered first. Closes the connection.
 */
export function answerUnreadable(server: Server, log: Logger): void {
  const connections = new WeakMap<object, Open>();
  const refused = new WeakSet<object>();
  server.on('request', ({ socket }, response) => {
    const open = connections.get(socket) ?? new Set();
    connections.set(socket, open.add(response));
    response.once('close', () => open.delete(response));
  });
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // The client is gone.
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const fault = unreadableFault(error);
    const { status, text } = answerTo(fault, error.rawPacket);
    const reason = error.reason ?? error.message;
    const open = connections.get(socket) ?? new Set();
    const broken = [...open].find(({ req }) => !req.complete);
    // A request whose body broke off has its own log line.
    if (broken !== undefined) tell(broken, { code: fault.code, status });
    else
      log.info(
        { status, code: fault.code, error: error.code, reason, peer: socket.remoteAddress },
        'unreadable request',
      );
    void othersAnswered(open).then((begun) => {
      if (begun || !socket.writable) socket.destroy();
      else endWith(socket, text);
    });
  });
}

/** Writes the last answer of a connection and closes it, even if the client does not read. */
function endWith(socket: Socket, text: string): void {
  const timer = setTimeout(() => socket.destroy(), patience).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(text, () => socket.destroySoon());
}

/**
 * Waits for the answers to complete requests, which came before the unreadable one. True when the answer to a request with
 * a broken body has begun: then nothing can follow it.
 */
async function othersAnswered(open: Open): Promise<boolean> {
  const all = [...open];
  const whole = all.filter(({ req }) => req.complete);
  await Promise.all(whole.map((response) => new Promise((resolve) => response.once('close', resolve))));
  return all.some((response) => !whole.includes(response) && response.headersSent);
}

/** Fault of a request that the parser refuses, from its `clientError`. */
export function unreadableFault({ code = '', reason, message, rawPacket }: ParserError): Fault {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      code: 'BAD_REQUEST',
      place: 'time',
      text: 'The request took too long to come. Send headers and body at once.',
    };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const text = 'The headers are too large: the bank reads 16 KB of request line and headers together. Send less.';
    return { code: 'BAD_REQUEST', place: 'header-size', text };
  }
  if (rawPacket?.[0] === 0x16 && rawPacket[1] === 3) {
    return { code: 'BAD_REQUEST', text: 'This port speaks http, not https: write http:// in the address.' };
  }
  if (code === 'HPE_CR_EXPECTED' || code === 'HPE_INVALID_HEADER_TOKEN' || code === 'HPE_LF_EXPECTED') {
    const why = `The headers cannot be read: ${reason ?? message}.`;
    if (rawPacket?.includes('-----BEGIN') === true || rawPacket?.includes('-----END') === true) {
      const text = `${why} A header value holds a line break, as a PEM certificate does. ${oneLine}`;
      return { code: 'FORMAT_ERROR', path: 'tpp-signature-certificate', text };
    }
    return { code: 'FORMAT_ERROR', text: `${why} Each header is one line without control characters. ${oneLine}` };
  }
  const text = `This is no request of HTTP/1.1 that can be read: ${reason ?? message}. Send one as RFC 9112 has it.`;
  return { code: 'BAD_REQUEST', text };
}

/** A problem when the packet shows a path of the control plane, else tppMessages. */
function answerTo(fault: Fault, packet: Buffer | undefined): { readonly status: number; readonly text: string } {
  const problem = sandboxTarget.test(packet?.toString('latin1', 0, 200) ?? '') ? problemOf(new Refusal(fault)) : null;
  const { status, body } =
    problem === null
      ? faultResponse([fault], { signature401: false })
      : { status: problem.facts.status, body: problem.json() };
  const json = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    `Content-Type: application/${problem === null ? 'json; charset=utf-8' : 'problem+json'}`,
    `Content-Length: ${Buffer.byteLength(json)}`,
    'Connection: close',
  ];
  return { status, text: `${head.join('\r\n')}\r\n\r\n${json}` };
}
