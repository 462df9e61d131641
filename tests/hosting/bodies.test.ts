import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { httpServer } from '../../api/hosting/http-server.ts';
import { readConfig } from '../../api/start/config.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { exchange } from '../lab/exchange.ts';
import { bodilessPaths, bodyPaths, floodWith, openRaw, type RawConnection } from '../lab/raw-connection.ts';
import { someOf } from '../support/sample.ts';

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
/** More bytes than a client can put into the buffers on the way and the server may throw away. */
const maxTaken = 40 * 1024 * 1024;

const open = (): Promise<RawConnection> => openRaw(server.address);

/** Sends chunks without an end until the connection is gone. */
async function flood(head: string): Promise<{ answer: string; written: number }> {
  const connection = await open();
  connection.socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  const written = await floodWith(connection, `8000\r\n${'x'.repeat(0x8000)}\r\n`, 10 * maxTaken);
  connection.socket.destroy();
  return { answer: await connection.answer, written };
}

describe('C2: a body that is too large', () => {
  test.each(bodyPaths)(
    '%s: announced, it is 413 before it is read, and the connection closes',
    async (line, type, limit) => {
      const connection = await open();
      const { socket } = connection;
      socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${type}Content-Length: ${limit + 1}\r\n\r\n`);
      const answer = await connection.answer;
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(answer).toContain('too large');
    },
  );

  test.each(someOf('growing bodies', bodyPaths, 3))(
    '%s: growing, it is cut off at the limit, and the connection closes',
    async (line, type, limit) => {
      const { answer, written } = await flood(`${line} HTTP/1.1\r\nHost: localhost\r\n${type}`);
      expect(written).toBeGreaterThan(limit);
      expect(written).toBeLessThan(maxTaken);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    },
  );

  test.each(bodyPaths)('%s: it stops at the limit, and has its answer', async (line, type, limit) => {
    const connection = await open();
    const { socket } = connection;
    const size = limit + 1;
    socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${type}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`);
    expect(await connection.answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each(someOf('bodies that nobody reads', bodilessPaths, 3))(
    '%s: where nobody reads one, it ends the connection too',
    async (line) => {
      const { answer, written } = await flood(`${line} HTTP/1.1\r\nHost: localhost\r\n`);
      expect(written).toBeLessThan(maxTaken);
      expect(answer).toMatch(/^HTTP\/1\.1 [234]/);
    },
  );

  test.each(bodilessPaths)(
    '%s: announced, where nobody reads one, the answer says that the connection closes',
    async (line) => {
      const connection = await open();
      const head = `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${20 * 1024 * 1024}`;
      connection.socket.write(`${head}\r\n\r\n`);
      expect(await connection.answer).toMatch(/^HTTP\/1\.1 [234][^]*\r\nconnection: close\r\n/i);
    },
  );

  test('a client that sends it whole before it reads gets the answer', async () => {
    const connection = await open();
    const { socket } = connection;
    const size = 2 * 1024 * 1024;
    socket.pause();
    const head = `POST /v1/signing-baskets HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: ${size}\r\n\r\n`;
    await new Promise((resolve) => socket.write(head + 'x'.repeat(size), resolve));
    socket.resume();
    expect(await connection.answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a body that nobody reads, of a size that is taken, leaves the connection open', async () => {
    const connection = await open();
    const { socket } = connection;
    const size = 200_000;
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`);
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect((await connection.answer).match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
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
    ['GET /banks/none/v1/accounts', 'tppMessages'],
    ['POST /banks/none/sandbox/reset', '"status":400'],
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
      const connection = await open();
      const { socket } = connection;
      socket.write(`${line} HTTP/1.1\r\n${hosts}\r\n${json}Connection: close\r\n\r\n`);
      const answer = await connection.answer;
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain(what);
      expect(answer).toContain('was sent 2 times');
    }
  });
});

test('a request that asks for an upgrade is answered, and what follows it ends the connection', async () => {
  const connection = await open();
  connection.socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n');
  const written = await floodWith(connection, 'x'.repeat(64 * 1024), 10 * maxTaken);
  connection.socket.destroy();
  await connection.answer;
  expect(written).toBeLessThan(maxTaken);
}, 30_000);

test('C2b: Expect: 100-continue with too large a length is 413 without a 100; a small one is told to go on', async () => {
  const ask = (length: number) =>
    new Promise<readonly [continued: boolean, status: number]>((resolve, reject) => {
      let continued = false;
      const headers = { expect: '100-continue', 'content-length': length, 'content-type': 'application/json' };
      const asked = httpRequest(`${server.address}/sandbox/faults`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve([continued, answer.statusCode ?? 0]);
        asked.destroy();
      });
      asked.on('error', reject).on('continue', () => {
        continued = true;
        asked.end('x'.repeat(length));
      });
      asked.flushHeaders();
    });
  expect(await ask(2_000_000)).toEqual([false, 413]);
  expect(await ask(4)).toEqual([true, 400]);
});

test('answers that have ended, or whose client has left, are not kept', async () => {
  const app = express().get('/now', (_request, response) => void response.send('now'));
  const { server: own, open: kept } = httpServer(
    app.get('/never', () => undefined),
    pino({ level: 'silent' }),
  );
  await once(own.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
  expect((await exchange(`${address}/now`, { method: 'GET', headers: {} })).text).toBe('now');
  const never = httpRequest(`${address}/never`).on('error', () => undefined);
  const arrived = once(own, 'request');
  never.end();
  const [, response] = await arrived;
  expect(kept.has(response)).toBe(true);
  never.destroy();
  await once(response, 'close');
  own.close();
  expect(kept.size).toBe(0);
});
