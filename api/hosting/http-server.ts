import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/** What one client may take of the server, so that a slow one takes nothing from the others. Times in ms. */
export interface ClientLimits {
  /** From the connection, or from the first byte of a later request, to the last header. */
  readonly headers: number;
  /** From the same moment to the last byte of the body. */
  readonly request: number;
  /** How long an answer may wait for its client to read on. */
  readonly unread: number;
  /** How long a connection without a request stays open. */
  readonly idle: number;
  /** How often the first three are looked at. */
  readonly look: number;
  /** How many connections are open at most; one more is closed at once. */
  readonly connections: number;
}

/** Slow headers are gone within 20 s and slow bodies within 40 s, the look included. */
export const clientLimits: ClientLimits = {
  headers: 18_000,
  request: 38_000,
  unread: 30_000,
  idle: 5_000,
  look: 1_000,
  connections: 2_000,
};

/**
 * A server of HTTP that keeps to these limits. A request under way is not limited: an advance may take minutes, and the
 * events of one go on as long as the client reads them.
 */
export function httpServer(answer: RequestListener, log: Logger, limits = clientLimits): Server {
  const server = createServer({
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.idle,
    connectionsCheckingInterval: limits.look,
    // Without it Node answers a request without Host by itself, with an empty 400 that no log tells of.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  tellOfTurnedAway(server, log, limits);
  const watch = cutOffWhoDoesNotRead(server, limits);
  const take: RequestListener = (request, response) => {
    watch(response);
    answer(request, response);
  };
  server.on('request', inTurn(take));
  return server;
}

/**
 * Takes the requests of one connection one after the other, however many came in one packet, and lets others have their
 * turn between two of them.
 */
function inTurn(take: RequestListener): RequestListener {
  const later: RequestListener = (request, response) => {
    if (!response.destroyed) take(request, response);
  };
  return (request, response) => {
    // A response has no socket before its turn, and none ever where the connection ends first.
    if (response.socket === null) response.once('socket', () => setImmediate(later, request, response));
    else take(request, response);
  };
}

/** One line for all connections that found no place, or no file handle, since the last look. */
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

/** Destroys the connections of watched answers that have waited for their client since `unread` ms: they hold memory. */
function cutOffWhoDoesNotRead(server: Server, { unread, look }: ClientLimits): (response: ServerResponse) => void {
  /** Since when each open answer waits; null while it does not. */
  const waiting = new Map<ServerResponse, number | null>();
  every(look, server, () => {
    const now = performance.now();
    for (const [response, since] of waiting) {
      if (!waitsForClient(response)) waiting.set(response, null);
      else if (since === null) waiting.set(response, now);
      else if (now - since >= unread) response.destroy();
    }
  });
  return (response) => {
    waiting.set(response, null);
    response.once('close', () => waiting.delete(response));
  };
}

function waitsForClient(response: ServerResponse): boolean {
  return response.writableEnded ? !response.writableFinished : response.writableNeedDrain;
}

function every(ms: number, server: Server, work: () => void): void {
  const timer = setInterval(work, ms).unref();
  server.once('close', () => clearInterval(timer));
}
