import type { Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/**
 * Connects to a server of this process without a port: over a pair of streams, parsed like those of a socket. `isTls`:
 * its links are https.
 */
export function pairWith(server: Server, { isTls = false } = {}): Duplex {
  const [near, far] = duplexPair();
  server.emit('connection', isTls ? Object.assign(far, { encrypted: true }) : far);
  return near;
}
