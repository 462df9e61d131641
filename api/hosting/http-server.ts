import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Application } from 'express';
import type { Logger } from 'pino';
import { absoluteForm } from '../pipeline/addresses.ts';
import { bulkBodyLimit } from '../pipeline/read-body.ts';
import {
  clearInterval,
  clearTimeout,
  setImmediate,
  setInterval,
  setTimeout,
  systemClock,
} from '../../engine/time/clock.ts';

/** Limits for one client, so that a slow one does not block others. Times in ms. */
export interface ClientLimits {
  /** From the connection, or from the first byte of a later request, to the last header. */
  readonly headers: number;
  /** From the same start to the last byte of the body. */
  readonly request: number;
  /** How long an answer waits for a client that does not read on. */
  readonly unread: number;
  /** How long a connection without a request stays open. */
  readonly idle: number;
  /** How often the first three are checked. */
  readonly look: number;
  /** Maximum number of open connections; one more is closed at once. */
  readonly connections: number;
}

/** Slow headers are cut off within 20 s and slow bodies within 40 s, `look` included. */
export const clientLimits: ClientLimits = {
  headers: 18_000,
  request: 38_000,
  unread: 30_000,
  idle: 5_000,
  look: 1_000,
  connections: 2_000,
};

/**
 * Creates an HTTP server with these limits. The time to answer has no limit: an advance may take minutes, and its
 * events are sent as long as the client reads them. From `stopping` on each answer is the last one of its connection,
 * so that no client is cut off within one. `open` has the answers that have not ended.
 */
export function httpServer(
  app: Application,
  log: Logger,
  limits = clientLimits,
  stopping: AbortSignal = new AbortController().signal,
): { readonly server: Server; readonly open: ReadonlySet<ServerResponse> } {
  const server = createServer({
    ...classesOf(app),
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.idle,
    connectionsCheckingInterval: limits.look,
    // Otherwise Node itself answers a request without Host, with an empty 400 and no log line.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  tellOfTurnedAway(server, log, limits);
  const open = new Set<ServerResponse>();
  cutOffWhoDoesNotRead(server, open, limits);
  stopping.addEventListener('abort', () => open.forEach(beLast), { once: true });
  // The third argument is called in place of the page that express makes of an error, which has the stack.
  const handle: (...call: [...Parameters<RequestListener>, (error?: unknown) => void]) => void = app;
  const take: RequestListener = (request, response) => {
    if (stopping.aborted) beLast(response);
    // The server never upgrades. The bytes after such a request are no request, so they are not read (C2).
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    boundUnread(request, response);
    toOriginForm(request);
    handle(request, response, lastAnswer(log, request, response));
  };
  server.on('request', (_request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
  });
  server.on('request', inTurn(take));
  // Who reads a body says 100 (C2b): a body that is refused is not sent.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  return { server, open };
}

/** Answers what no handler of the app has answered: a fault in the answer to an error, which is ours. */
function lastAnswer(log: Logger, request: IncomingMessage, response: ServerResponse): (error?: unknown) => void {
  return (error) => {
    log.error({ err: error, method: request.method }, 'an error was not answered');
    if (response.headersSent) request.socket.destroy();
    else response.writeHead(500, { 'content-type': 'text/plain', connection: 'close' }).end('The bank failed.\n');
  };
}

/**
 * The classes of the requests and answers of an app. Express gives each one the prototype of the app, and an object
 * whose prototype changes is slow from then on: these have it from the beginning.
 */
function classesOf(app: Application) {
  // The types of express leave them out.
  const { request, response } = Object(app) as Record<'request' | 'response', object>;
  class AppRequest extends IncomingMessage {}
  class AppResponse<Of extends IncomingMessage> extends ServerResponse<Of> {}
  Object.setPrototypeOf(AppRequest.prototype, request);
  Object.setPrototypeOf(AppResponse.prototype, response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/**
 * Handles the requests of one connection one after the other, even if they come in one packet, and requests of other
 * connections between them.
 */
function inTurn(take: RequestListener): RequestListener {
  const later: RequestListener = (request, response) => {
    if (!response.destroyed) take(request, response);
  };
  return (request, response) => {
    // A response gets its socket at its turn; never if the connection ends first.
    if (response.socket === null) response.once('socket', () => setImmediate(later, request, response));
    else take(request, response);
  };
}

/** Turns a target in absolute form into a path, whose host counts in place of the Host header (RFC 9112, 3.2.2). */
function toOriginForm(request: IncomingMessage): void {
  const asked = absoluteForm(request.url ?? '');
  if (asked === null) return;
  request.url = asked.target;
  request.headers.host = asked.host;
}

/** Makes an answer that has not begun the last one of its connection. */
function beLast(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/** Largest rest of a body that may follow its answer, in bytes: the size of the largest body that the bank takes. */
const maxUnread = bulkBodyLimit;
/** How long a client that still sends may take to read the last answer of its connection. */
const lastReadMs = 1_000;

/**
 * Bounds the rest of a body that follows its answer (docs/spec/control-plane.md C2). The server discards the rest, so
 * that a client that sends everything before it reads gets its answer. Too long a rest ends the connection; if its
 * length is announced, the answer says so. A connection that closes after its answer stays open until the client has
 * sent its body, a second at most: otherwise the client would lose an answer that it has not read.
 */
function boundUnread(request: IncomingMessage, response: ServerResponse): void {
  if (Number(request.headers['content-length'] ?? 0) > maxUnread) closeIfUnread(request, response);
  // Before Node's own listener, which discards an endless body and closes the connection.
  response.prependListener('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    let left = maxUnread;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    // From here on Node takes the body for one that is read.
    request.read(0);
    request.resume();
    const { destroySoon } = socket;
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), lastReadMs).unref();
      socket.once('close', () => clearTimeout(timer));
      request.once('end', () => destroySoon.call(socket));
    };
    request.once('end', () => (socket.destroySoon = destroySoon));
  });
}

/** Adds `Connection: close` to an answer that begins before the body was read. */
function closeIfUnread(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false;
    return writeHead(...(head as Parameters<typeof writeHead>));
  };
}

/** Logs one line for all connections that were refused since the last check, for lack of room or of file handles. */
function tellOfTurnedAway(server: Server, log: Logger, { look, connections }: ClientLimits): void {
  let turnedAway = 0;
  let cause: Error | undefined;
  server.on('drop', () => (turnedAway += 1));
  server.on('listening', () => {
    server.on('error', (error) => {
      turnedAway += 1;
      cause = error;
    });
  });
  every(look, server, () => {
    if (turnedAway === 0) return;
    log.warn({ turnedAway, connections, ...(cause !== undefined && { err: cause }) }, 'connections were turned away');
    turnedAway = 0;
    cause = undefined;
  });
}

/** Cuts off clients that do not read an answer for `unread` ms: the answer takes memory. */
function cutOffWhoDoesNotRead(server: Server, open: ReadonlySet<ServerResponse>, { unread, look }: ClientLimits): void {
  /** Start of the wait of each answer that waits. */
  const waiting = new Map<ServerResponse, number>();
  every(look, server, () => {
    const now = systemClock.monotonic();
    for (const response of waiting.keys())
      if (!open.has(response) || !waitsForClient(response)) waiting.delete(response);
    for (const response of open) {
      if (!waitsForClient(response)) continue;
      const since = waiting.get(response) ?? now;
      waiting.set(response, since);
      if (now - since >= unread) response.destroy();
    }
  });
}

function waitsForClient(response: ServerResponse): boolean {
  return response.writableEnded ? !response.writableFinished : response.writableNeedDrain;
}

function every(ms: number, server: Server, work: () => void): void {
  const timer = setInterval(work, ms).unref();
  server.once('close', () => clearInterval(timer));
}
