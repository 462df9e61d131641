import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { clearTimeout, nextTurn, setTimeout } from '../../engine/time/clock.ts';
import { type Fault, Refusal } from '../../engine/values/fault.ts';
import { type Journal, readPacket } from '../journal/journal.ts';
import { receivedHeaders } from '../signing/signature/signing-string.ts';
import { absoluteForm } from '../pipeline/addresses.ts';
import { addFacts, logNotesOf } from '../pipeline/request-log.ts';
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

const oneLine =
  'Send the certificate as one line: the base64 of its DER, which is the PEM without its BEGIN and END lines and without line breaks.';
/** How long a client may take to read the answer. */
const lastReadMs = 2_000;
const sandboxTarget = /^(?:\/banks\/[^/?]{1,63})?\/sandbox(?=[/?]|$)/;
const bankPath = /^\/banks\/([^/?]{1,63})(?=[/?]|$)/;

/** The name of the bank in a target, if it names one. */
export function bankNamed(target: string): string | null {
  return bankPath.exec(target)?.[1] ?? null;
}

/** Where refused requests are kept (rules.md G11). */
export interface UnreadableKeeper {
  /** The journal of the bank that a target names, else of the bank at the root. Null if there is none for it. */
  journalOf(target: string): Journal | null;
  /** Address of the server, by the Host header. */
  address(host: string | undefined): string;
}

/** Keeps none: no bank is open yet. */
const noKeeper: UnreadableKeeper = { journalOf: () => null, address: () => '' };

/**
 * Answers and logs requests that Node's HTTP parser refuses (rules.md G9); Node's own answer is an empty 400. Earlier
 * requests of the connection are answered first, then it closes. Requests that come before `keepIn` is called are kept
 * nowhere. `open`: the answers of the server that have not ended.
 */
export function answerUnreadable(
  server: Server,
  open: ReadonlySet<ServerResponse>,
  log: Logger,
): { keepIn(keeper: UnreadableKeeper): void } {
  let keeper = noKeeper;
  const refused = new WeakSet<object>();
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // The client is gone.
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const fault = unreadableFault(error);
    // A browser opens connections in advance: one without any bytes has no request to log.
    if (socket.bytesRead === 0) {
      endWith(socket, answerTo(fault, '', null).text);
      return;
    }
    const ofSocket = [...open].filter(({ req }) => req.socket === socket);
    const broken = ofSocket.find(({ req }) => !req.complete);
    const text = broken === undefined ? keptAnswer(error, fault, keeper) : brokenAnswer(broken, fault, keeper);
    // A request whose body broke off has its own log line.
    if (broken === undefined) {
      const { status } = answerTo(fault, '', null);
      const facts = { status, code: fault.code, error: error.code, reason: error.reason ?? error.message };
      log.info({ ...facts, peer: socket.remoteAddress }, 'unreadable request');
    }
    void Promise.all([text, othersAnswered(ofSocket)]).then(([answer, begun]) => {
      if (begun || !socket.writable) socket.destroy();
      else endWith(socket, answer);
    });
  });
  return { keepIn: (opened) => void (keeper = opened) };
}

/**
 * Answers a request that no other code has seen, and keeps it in the journal of the bank that it names, else of the
 * bank at the root.
 */
async function keptAnswer(error: ParserError, fault: Fault, keeper: UnreadableKeeper): Promise<string> {
  const { target: sent, rawHeaders } = readPacket(error.rawPacket);
  const target = absoluteForm(sent)?.target ?? sent;
  const journal = keeper.journalOf(target);
  if (journal === null) return answerTo(fault, target, null).text;
  const [ids, hosts] = ['x-request-id', 'host'].map((header) => receivedHeaders(rawHeaders).get(header) ?? []);
  const key = journal.keyOf(ids?.length === 1 ? ids[0] : undefined);
  const { status, text, body } = answerTo(fault, target, entryAddress(keeper, hosts?.[0], target, key));
  const packet = error.rawPacket === undefined ? {} : { packet: error.rawPacket };
  journal.keepUnreadable(key, { ...packet, facts: { status, code: fault.code }, answer: body });
  return text;
}

/**
 * Answers a request whose body broke off. The bank already follows the request, so its log line and its entry get the
 * answer.
 */
async function brokenAnswer(response: ServerResponse, fault: Fault, keeper: UnreadableKeeper): Promise<string> {
  const { url = '', headers } = response.req;
  await nextTurn();
  const { entryKey } = logNotesOf(response).facts;
  const address = entryKey === undefined ? null : entryAddress(keeper, headers.host, url, entryKey);
  const { status, text, body } = answerTo(fault, url, address);
  logNotesOf(response).answer = body;
  addFacts(response, { code: fault.code, status });
  return text;
}

function entryAddress(keeper: UnreadableKeeper, host: string | undefined, target: string, key: string): string {
  return `${keeper.address(host)}${bankPath.exec(target)?.[0] ?? ''}/sandbox/requests/${key}`;
}

/** Writes the last answer of a connection and closes it, even if the client does not read. */
function endWith(socket: Socket, text: string): void {
  const timer = setTimeout(() => socket.destroy(), lastReadMs).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(text, () => socket.destroySoon());
}

/**
 * Waits for the answers to complete requests that came before the unreadable one. Returns true if the answer to a
 * request with a broken body has begun: then nothing can follow it.
 */
async function othersAnswered(all: readonly ServerResponse[]): Promise<boolean> {
  const whole = all.filter(({ req }) => req.complete);
  await Promise.all(whole.map((response) => new Promise((resolve) => response.once('close', resolve))));
  return all.some((response) => !whole.includes(response) && response.headersSent);
}

/** The fault of a request that the parser refuses, from its `clientError`. */
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

/** A problem for a path of the control plane, else tppMessages, whose first text ends with the address `entry`. */
function answerTo(
  fault: Fault,
  target: string,
  entry: string | null,
): { readonly status: number; readonly text: string; readonly body: string } {
  const problem = sandboxTarget.test(target) ? problemOf(new Refusal(fault)) : null;
  const { status, body } =
    problem === null
      ? faultResponse([fault], { signature401: false, entry })
      : { status: problem.facts.status, body: problem.json() };
  const json = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    `Content-Type: application/${problem === null ? 'json; charset=utf-8' : 'problem+json'}`,
    `Content-Length: ${Buffer.byteLength(json)}`,
    'Connection: close',
  ];
  return { status, body: json, text: `${head.join('\r\n')}\r\n\r\n${json}` };
}
