import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { exchange } from '../../lab/exchange.ts';

/* C2: what a client sends beside and beyond a body, on the wire. */

let server: RunningServer;
beforeAll(async () => {
  const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];
  server = await startServer(
    readConfig({}, ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', ...clock]),
  );
  await fetch(`${server.address}/sandbox/banks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"other"}',
  });
});
afterAll(() => server.stop());

const json = 'Content-Type: application/json\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
/** Paths that take a body, and one of a byte too much for each. */
const takers = [
  ['POST /v1/payments/norwegian-domestic-credit-transfers', json, 256 * 1024],
  ['POST /api-sandbox/v1/payments/norwegian-domestic-credit-transfers', json, 256 * 1024],
  ['POST /v1/bulk-payments/norwegian-domestic-credit-transfers', json, 8 * 1024 * 1024],
  ['GET /v1/accounts', json, 256 * 1024],
  ['POST /v1/nothing', json, 256 * 1024],
  ['POST /banks/other/v1/signing-baskets', json, 256 * 1024],
  ['POST /sandbox/as/shop/v1/signing-baskets', json, 256 * 1024],
  ['POST /sandbox/reset', json, 256 * 1024],
  ['POST /console/session', form, 32 * 1024],
  ['POST /sca/x', form, 16 * 1024],
] as const;
/** Paths that take none. */
const others = ['POST /', 'GET /', 'POST /health', 'GET /docs', 'PUT /sandbox/nothing', 'POST /banks/none/v1/accounts'];
/** More than a client can put into the buffers on the way and the server may throw away. */
const most = 40 * 1024 * 1024;

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The answer, up to the end of the connection or of its body. */
async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk))).resume();
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

/** Sends chunks without an end until the connection is gone. */
async function flood(head: string): Promise<{ answer: string; written: number }> {
  const socket = await open();
  const answer = answerOf(socket);
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
  while (!socket.destroyed && socket.bytesWritten < 10 * most) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
  }
  const { bytesWritten } = socket;
  socket.destroy();
  return { answer: await answer, written: bytesWritten };
}

describe('C2: a body that is too large', () => {
  test.each(takers)(
    '%s: announced, it is 413 before it is read, and the connection closes',
    async (line, type, limit) => {
      const socket = await open();
      socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${type}Content-Length: ${limit + 1}\r\n\r\n`);
      const answer = await answerOf(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(answer).toContain('too large');
    },
  );

  test.each(takers)('%s: growing, it is cut off at the limit, and the connection closes', async (line, type, limit) => {
    const { answer, written } = await flood(`${line} HTTP/1.1\r\nHost: localhost\r\n${type}`);
    expect(written).toBeGreaterThan(limit);
    expect(written).toBeLessThan(most);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each(takers)('%s: it stops at the limit, and has its answer', async (line, type, limit) => {
    const socket = await open();
    const answer = answerOf(socket);
    const size = limit + 1;
    socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${type}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`);
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each(others)('%s: where nobody reads one, it ends the connection too', async (line) => {
    const { answer, written } = await flood(`${line} HTTP/1.1\r\nHost: localhost\r\n`);
    expect(written).toBeLessThan(most);
    expect(answer).toMatch(/^HTTP\/1\.1 [234]/);
  });

  test('a client that sends it whole before it reads gets the answer', async () => {
    const socket = await open();
    const size = 2 * 1024 * 1024;
    socket.pause();
    const head = `POST /v1/signing-baskets HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: ${size}\r\n\r\n`;
    await new Promise((resolve) => socket.write(head + 'x'.repeat(size), resolve));
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a body that nobody reads, of a size that is taken, leaves the connection open', async () => {
    const socket = await open();
    const size = 200_000;
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`);
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect((await answerOf(socket)).match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  test('one of the largest size is read', async () => {
    const head = { method: 'POST', headers: { 'content-type': 'application/json' } };
    for (const size of [256 * 1024 - 1, 256 * 1024]) {
      const body = Buffer.from(`"${'x'.repeat(size - 2)}"`);
      expect((await exchange(`${server.address}/v1/signing-baskets`, { ...head, body })).status).toBe(400);
    }
  });
});

describe('C2: two Host headers', () => {
  test.each([
    ['GET /v1/accounts', 'tppMessages'],
    ['GET /banks/other/v1/accounts', 'tppMessages'],
    ['GET /sandbox/info', '"status":400'],
    ['POST /sandbox/reset', '"status":400'],
    ['GET /sandbox/as/shop/v1/users', '"status":400'],
    ['GET /', 'Host'],
    ['GET /console', 'Host'],
    ['GET /docs', 'Host'],
    ['GET /sca/x', 'Host'],
    ['GET /openapi.json', 'Host'],
  ])('%s is 400', async (line, what) => {
    for (const hosts of [
      'Host: localhost\r\nHost: localhost',
      'host: localhost\r\nHOST: evil.example',
      'Host: evil.example\r\nX: 1\r\nHost: localhost',
    ]) {
      const socket = await open();
      socket.write(`${line} HTTP/1.1\r\n${hosts}\r\n${json}Connection: close\r\n\r\n`);
      const answer = await answerOf(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain(what);
      expect(answer).toContain('was sent 2 times');
    }
  });
});

test('a request that asks for an upgrade is answered, and what follows it ends the connection', async () => {
  const socket = await open();
  const answer = answerOf(socket);
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n');
  const chunk = Buffer.alloc(64 * 1024, 'x');
  while (!socket.destroyed && socket.bytesWritten < 10 * most) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
  }
  const { bytesWritten } = socket;
  socket.destroy();
  await answer;
  expect(bytesWritten).toBeLessThan(most);
}, 30_000);
