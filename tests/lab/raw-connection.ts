import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection to a server, for what no HTTP client sends. Errors of the connection end it, and are not thrown. */
export class RawConnection {
  readonly socket: Socket;
  /** Everything that was received, as Latin-1, when the connection has closed. */
  readonly answer: Promise<string>;

  private constructor(socket: Socket) {
    this.socket = socket;
    let text = '';
    socket.on('error', () => undefined).on('data', (bytes) => (text += bytes.toString('latin1')));
    this.answer = new Promise((resolve) => socket.once('close', () => resolve(text)));
  }

  /** Resolves when the connection is open, or has failed. */
  static async open(address: string): Promise<RawConnection> {
    const { hostname, port } = new URL(address);
    const connection = new RawConnection(connect(Number(port), hostname));
    await once(connection.socket, 'connect').catch(() => undefined);
    return connection;
  }

  /** Writes the chunk again and again until the connection is gone or has sent `maxBytes`. Returns the number of bytes sent. */
  async flood(chunk: string, maxBytes: number): Promise<number> {
    const { socket } = this;
    while (!socket.destroyed && socket.writable && socket.bytesWritten < maxBytes) {
      if (!socket.write(chunk))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), this.answer]);
    }
    return socket.bytesWritten;
  }
}

const json = 'Content-Type: application/json\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

/** Requests that take a body: line, header of its type, and the largest size in bytes. One needs a bank named `other`. */
export const bodyPaths = [
  ['POST /v1/payments/norwegian-domestic-credit-transfers', json, 256 * 1024],
  ['POST /api-sandbox/v1/payments/norwegian-domestic-credit-transfers', json, 256 * 1024],
  ['POST /v1/bulk-payments/norwegian-domestic-credit-transfers', json, 8 * 1024 * 1024],
  ['GET /v1/accounts', json, 256 * 1024],
  ['DELETE /v1/consents/x', json, 256 * 1024],
  ['POST /v1/nothing', json, 256 * 1024],
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
  ...['PUT /sandbox/nothing', 'POST /banks/none/v1/accounts'],
] as const;
