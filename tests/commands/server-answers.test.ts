import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { startTestBank } from '../lab/server.ts';

const commands = [
  ['advance', 'P1D'],
  ['forecast', 'P1D'],
  ['snapshot', 'list'],
  ['bank', 'list'],
] as const;

let server: Server | null = null;
afterEach(() => void server?.close());

/** A port where somebody answers who is no Sandbank. */
async function stranger(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((listening) => started.listen(0, '127.0.0.1', listening));
  return String((started.address() as AddressInfo).port);
}

function ask(args: readonly string[], port: string, env: Record<string, string> = {}): Promise<Ended> {
  return runMain([...args, '--port', port], { env });
}

describe('somebody else at the port is told from a Sandbank', () => {
  test.each([
    ['a page', (_request, response) => response.end('<html>')],
    ['other JSON', (_request, response) => response.end('{"hello":1}')],
    ['no JSON', (_request, response) => response.end('null')],
    ['404', (_request, response) => response.writeHead(404).end('no')],
  ] satisfies [string, RequestListener][])('%s', async (_what, listener) => {
    const port = await stranger(listener);
    for (const args of commands) {
      const { code, errors } = await ask(args, port);
      expect([code, errors]).toEqual([1, [expect.stringMatching(/does not look like a Sandbank/)]]);
    }
  });

  test('an answer that is none, or breaks off', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const early = await stranger((_request, response) => response.writeHead(200, headers).end('event: done\n'));
    expect(await ask(['advance', 'P1D'], early)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining('does not look like a Sandbank')],
    });
    server?.close();
    const broken = await stranger((_request, response) => {
      response.writeHead(200, headers).write('event: progress\ndata: {"at":"2027-01-01T00:00","done":0}\n\n');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await ask(['advance', 'P1D'], broken)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining('does not look like a Sandbank')],
    });
  });
});

test('sign: a page is no answer of an interface; elsewhere it may be', async () => {
  const port = await stranger((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<html>'),
  );
  const refused = `what answers at http://127.0.0.1:${port} (200) does not look like a Sandbank`;
  for (const path of ['/v1/accounts', '/banks/demo/v1/accounts?a=1', '/v1']) {
    expect(await ask(['sign', 'GET', path], port)).toEqual({
      code: 1,
      lines: ['<html>'],
      errors: ['200 OK', refused],
    });
    expect(await ask(['sign', 'GET', path, '--json'], port)).toMatchObject({
      code: 1,
      errors: [JSON.stringify({ detail: refused })],
    });
  }
  expect(await ask(['sign', 'GET', '/guide'], port)).toEqual({ code: 0, lines: ['<html>'], errors: ['200 OK'] });
});

test('the control token goes along, from a flag or the environment; without it the bank says what it asks for', async () => {
  await using bank = await startTestBank('2027-03-24', ['--control-token', 'a-secret-of-the-server']);
  const { port } = new URL(bank.address);
  for (const args of [...commands, ['reset']]) {
    expect((await ask([...args, '--control-token', 'a-secret-of-the-server'], port)).code).toBe(0);
    expect((await ask(args, port, { SANDBANK_CONTROL_TOKEN: 'a-secret-of-the-server' })).code).toBe(0);
    for (const env of [{}, { SANDBANK_CONTROL_TOKEN: 'another-of-16-characters' }]) {
      const { code, errors } = await ask(args, port, env);
      expect([code, errors]).toEqual([1, [expect.stringMatching(/^refused \(401\): .*--control-token\.$/)]]);
    }
  }
});
