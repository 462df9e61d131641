import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { taken } from '../lab/forged-bundle.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';

/* Events by webhook, and traces (docs/spec/control-plane.md). */

interface Received {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

const secret = 'a-secret-of-a-test';
const received: Received[] = [];
/** How many posts are refused first. */
let refusals = 1;
const hook = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.writeHead((refusals -= 1) >= 0 ? 500 : 204).end();
    hook.emit('taken');
  });
});
let server: RunningServer;

beforeAll(async () => {
  await once(hook.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/events`;
  const flags = [
    '--port',
    '0',
    '--ledger',
    ':memory:',
    '--log-level',
    'silent',
    '--clock-mode',
    'frozen',
    '--webhook',
    url,
    '--webhook-secret',
    secret,
  ];
  server = await startServer(readConfig({}, flags));
});
afterAll(async () => {
  await server.stop();
  hook.close();
});

test('an event is sent again until it is taken, signed over its raw body, with the trace of its request', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await fetch(`${server.address}/sandbox/info`);
  await fetch(`${server.address}/sandbox/as/shop/v1/users`, { headers: { traceparent } });
  while (received.length < 3) await once(hook, 'taken');
  const [first, second, third] = received;
  // The first attempt was refused.
  expect(second).toEqual(first);
  expect(JSON.parse(first?.body ?? '')).toMatchObject({ event: 'sca' });
  const { headers, body } = third as Received;
  expect(JSON.parse(body)).toMatchObject({
    event: 'request',
    data: { method: 'GET', target: '/v1/users', traceparent },
  });
  expect(headers['x-sandbank-signature-256']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  expect(headers).toMatchObject({ 'x-sandbank-event': 'request', 'x-sandbank-bank': 'default' });
});

test('the settings are shown as set, and a short secret is refused without its text', async () => {
  const info = await (await fetch(`${server.address}/sandbox/info`)).text();
  expect(info).toContain('"webhookSecretIsSet":true');
  expect(info).not.toContain(secret);
  expect(() => readConfig({}, ['--webhook-secret', 'short-one'])).toThrow(/^(?!.*short-one).*at least 16/);
});

test('the secret is masked in the journal and the bundle, in any part of a request (C3)', async () => {
  const headers = { 'content-type': 'application/json', 'x-note': `of ${secret}` };
  const body = JSON.stringify({ note: secret });
  const path = `/sandbox/as/shop/v1/signing-baskets?x=${secret}`;
  await fetch(server.address + path, { method: 'POST', headers, body });
  const { requests } = (await (await fetch(`${server.address}/sandbox/requests`)).json()) as {
    readonly requests: readonly { readonly requestId: string }[];
  };
  const entry = await fetch(`${server.address}/sandbox/requests/${requests[0]?.requestId}`);
  const shown = JSON.stringify(requests) + (await entry.text());
  expect(shown).toContain('x=***');
  expect(shown).toContain('of ***');
  const bundle = Buffer.from(await (await fetch(`${server.address}/sandbox/bundle`)).arrayBuffer());
  const { json } = taken(bundle);
  const written = JSON.stringify(json);
  expect(written).toContain('x=***');
  expect(shown + written).not.toContain(secret);
});
