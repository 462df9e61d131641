import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection to a server, for what no HTTP client sends. */
export interface RawConnection {
  readonly socket: Socket;
  /** Everything that was received, as Latin-1, when the connection has closed. */
  readonly answer: Promise<string>;
}

/** Resolves when the connection is open, or has failed. Its errors end it, and are not thrown. */
export async function openRaw(address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString('latin1')));
  const answer = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await once(socket, 'connect').catch(() => undefined);
  return { socket, answer };
}

/** Writes the chunk again and again until the connection is gone or has sent `maxBytes`. Returns the number of bytes sent. */
export async function floodWith({ socket, answer }: RawConnection, chunk: string, maxBytes: number): Promise<number> {
  while (!socket.destroyed && socket.writable && socket.bytesWritten < maxBytes) {
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), answer]);
  }
  return socket.bytesWritten;
}

const json = 'Content-Type: application/json\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

/** Requests that take a body: line, header of its type, and the largest size in bytes. One needs a bank named `other`. */
export const bodyPaths = [
  ['POST /v1/payments/norwegian-domestic-credit-transfers', json, 256 * 1024],
  ['POST /api-sandbox/v1/payments/norwegian-domestic-credit-transfers', json, 256 * 1024],
  ['POST /v1/bulk-payments/norwegian-domestic-credit-transfers', json, 8 * 1024 * 1024],
  ['GET /v1/accounts', json, 256 * 1024],
  ['POST /banks/other/v1/signing-baskets', json, 256 * 1024],
  ['POST /sandbox/as/shop/v1/signing-baskets', json, 256 * 1024],
  ['POST /sandbox/reset', json, 256 * 1024],
  ['PUT /sandbox/clock', json, 256 * 1024],
  ['POST /console/session', form, 32 * 1024],
  ['POST /sca/x', form, 16 * 1024],
] as const;

/** Requests whose body nobody reads. */
export const bodilessPaths = [
  ...['POST /', 'GET /', 'POST /health', 'GET /docs', 'GET /openapi.json'],
  ...['PUT /sandbox/nothing', 'POST /banks/none/v1/accounts', 'POST /v1/nothing', 'DELETE /v1/consents/x'],
] as const;
