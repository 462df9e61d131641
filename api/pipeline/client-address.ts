import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address of the client of a request. Behind the proxies of `--trust-proxy` it is the one that they forward, which express reads (C4).
 * Undefined: there is no connection.
 */
export function clientAddress(request: IncomingMessage): string | undefined {
  const forwarded = 'ip' in request ? String(request.ip) : '';
  return isIP(forwarded) === 0 ? request.socket.remoteAddress : forwarded;
}
