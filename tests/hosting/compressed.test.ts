import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import express from 'express';
import { compressed } from '../../api/pipeline/compressed.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

/** An answer with its bytes as they were sent. */
async function get(path: string, encoding: string, method = 'GET') {
  const headers = { 'accept-encoding': encoding, accept: 'text/html' };
  const sent = request(`${bank.address}${path}`, { method, headers, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { headers: answer.headers, bytes: await buffer(answer) };
}

test.each(['/console', '/docs/signing', '/docs/guide.css', '/sandbox/info', '/sandbox/openapi.json'])(
  'C33: %s is compressed for a client that takes gzip, and the same without',
  async (path) => {
    // The clock and lists of a page are the same: the bank stands still. Tokens of forms differ.
    const plainOf = (bytes: Buffer) =>
      bytes.toString().replaceAll(/name="form-token" value="[^"]*"|"wall":"[^"]*"/g, '');
    const [packed, plain] = [await get(path, 'br, gzip'), await get(path, 'identity')];
    expect([packed.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['gzip', undefined]);
    for (const { headers, bytes } of [packed, plain]) {
      expect(headers['vary']).toMatch(/accept-encoding/i);
      expect(headers['content-length']).toBe(String(bytes.length));
    }
    expect(plainOf(gunzipSync(packed.bytes))).toBe(plainOf(plain.bytes));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  },
);

test.each(['/sandbox/clock', '/v1/sandbox/customers', '/openapi.json', '/docs/pictures/calendar.webp', '/sandbox/ca'])(
  'C33: %s is not compressed: it is small, of the interface, or no text',
  async (path) => {
    const { headers } = await get(path, 'gzip');
    expect(headers['content-encoding']).toBe(undefined);
  },
);

test('C33: events go out as they happen', async () => {
  const abort = new AbortController();
  const headers = { 'accept-encoding': 'gzip', accept: 'text/event-stream' };
  const answer = await fetch(`${bank.address}/sandbox/events`, { headers, signal: abort.signal });
  expect(answer.headers.get('content-encoding')).toBe(null);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const reset = bank.reset();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value).length).toBeGreaterThan(0);
  await reset;
  abort.abort();
});

test('C33: who ends an answer hears that it has gone, packed too', async () => {
  const server = createServer((asked, answer) => {
    const app = express();
    app.use(compressed, (_request, response) => {
      response.type('text').end('a'.repeat(5_000), () => ended.push(String(response.get('content-encoding'))));
    });
    app(asked, answer);
  });
  const ended: string[] = [];
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const encoding of ['gzip', 'identity'])
    await (await fetch(address, { headers: { 'accept-encoding': encoding } })).text();
  server.close();
  expect(ended).toEqual(['gzip', 'undefined']);
});
