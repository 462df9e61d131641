import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { EventClient } from '../lab/event-client.ts';
import { spellingsOf, tells } from '../lab/secret-spellings.ts';
import { seeded } from '../lab/seeded.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/* C3: where what a client sent is kept or told, a secret is ***, wherever it stood and however it was spelled. */

const token = 'a-Token/of+the=bank';
const apiKey = 'key/of-the+client';
const own = { authorization: `Bearer ${token}` };
const lines: string[] = [];
let bank: TestBank;
let events: EventClient;

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  bank = await startTestBank('2027-03-24T12:00:00+01:00', ['--control-token', token], { log });
  events = await EventClient.open(bank.address, undefined, own);
});
afterAll(async () => {
  events.close();
  await bank.stop();
});

/** All that is kept and told, as somebody reads it. */
async function told(): Promise<Record<string, string>> {
  const list = await bank.raw('GET', '/sandbox/requests', own);
  const whole = await Promise.all(
    [...new Set<string>(list.body.requests.map(({ requestId }: { requestId: string }) => requestId))].map((id) =>
      bank.raw('GET', `/sandbox/requests/${id}`, own),
    ),
  );
  const answer = await fetch(`${bank.address}/sandbox/bundle`, { headers: own });
  const bundle = Buffer.from(await answer.arrayBuffer());
  const content = zstdDecompressSync(bundle.subarray(bundle.indexOf('\n') + 1));
  return {
    journal: JSON.stringify([list.body, whole.map(({ body }) => body)]),
    events: JSON.stringify(events.events),
    log: lines.join(''),
    bundle: content.subarray(0, content.indexOf('\n')).toString(),
  };
}

const header = (value: string) => ({ 'tpp-session-id': value });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const places: readonly (readonly [string, (spelling: string) => Promise<unknown>])[] = [
  ['a header', (spelling) => bank.raw('GET', '/v1/users', header(spelling))],
  [
    'the name of a header',
    (spelling) => bank.raw('GET', '/v1/users', { [spelling.replace(/[^\w!#$%&'*+.^`|~-]/g, '')]: '1' }),
  ],
  ['a path', (spelling) => bank.raw('GET', `/v1/users/${spelling.replaceAll('\\', '%5C')}`)],
  ['a query', (spelling) => bank.raw('GET', `/v1/users?x=${spelling.replaceAll('\\', '%5C')}`)],
  ['a name of a bank', (spelling) => bank.raw('GET', `/banks/${encodeURIComponent(spelling)}/v1/users`)],
  ['the X-Request-ID', (spelling) => bank.raw('GET', '/v1/users', { 'x-request-id': spelling })],
  ['a form', (spelling) => bank.raw('POST', '/v1/signing-baskets', form, Buffer.from(`a=1&x=${spelling}&b=2`))],
  ['a JSON body', (spelling) => bank.signed('POST', '/v1/signing-baskets', { body: `{"paymentIds":["${spelling}"]}` })],
  ['a member of a JSON body', (spelling) => bank.signed('POST', '/v1/signing-baskets', { body: `{"${spelling}":1}` })],
  ['the unsigned door', (spelling) => bank.raw('GET', '/sandbox/as/shop/v1/users', { ...own, ...header(spelling) })],
  [
    'a request that cannot be read',
    (spelling) => unreadable(`GET /v1/users?x=${spelling} HTTP/1.1\r\nX: ${spelling}\r\nBad\r\n\r\n`),
  ],
];

async function unreadable(packet: string): Promise<void> {
  const { hostname, port } = new URL(bank.address);
  const socket = connect(Number(port), hostname);
  socket.end(packet, 'latin1');
  await text(socket);
}

test.each(places)('C3: in %s', async (_, send) => {
  for (const [way, spelling] of spellingsOf(token, seeded(1))) {
    await send(spelling).catch(() => ({ way }));
  }
  for (const [where, text] of Object.entries(await told())) expect([where, tells(text, token)]).toEqual([where, false]);
});

test('C3: an X-Api-Key and a private key', async () => {
  const { body } = await bank.raw('POST', '/sandbox/certificates', { ...own, 'content-type': 'application/json' });
  const key: string = body.key.replace(/-----[^-]*-----|\s/g, '');
  const headers = { 'x-api-key': apiKey };
  for (const spelling of spellingsOf(apiKey, seeded(1)).values()) {
    await bank.raw('GET', `/v1/users?x=${spelling.replaceAll('\\', '%5C')}`, { ...headers, ...header(spelling) });
    await bank.raw('POST', '/v1/signing-baskets', { ...headers, ...form }, Buffer.from(`x=${spelling}`));
  }
  await bank.raw('GET', '/v1/users', { 'tpp-signature-certificate': key });
  await bank.raw('POST', '/v1/signing-baskets', form, Buffer.from(`x=${encodeURIComponent(key)}`));
  const part = key.slice(60, 100);
  for (const [where, text] of Object.entries(await told())) {
    expect([where, tells(text, apiKey), tells(text, part)]).toEqual([where, false, false]);
  }
});

test('C3: the control token in the path of an armed fault is *** in the bundle', async () => {
  const headers = { ...own, 'content-type': 'application/json' };
  const order = { code: 'SERVICE_BLOCKED', path: `/v1/${token}` };
  const armed = await bank.raw('POST', '/sandbox/faults', headers, Buffer.from(JSON.stringify(order)));
  expect(armed.status).toBe(200);
  const { bundle = '' } = await told();
  expect([bundle.includes('/v1/***'), tells(bundle, token)]).toEqual([true, false]);
  await bank.raw('DELETE', '/sandbox/faults', own);
});
