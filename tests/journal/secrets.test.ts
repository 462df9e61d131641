import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { EventClient } from '../lab/event-client.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/* C3: where what a client sent is kept or told, the control token and the values of secret headers are ***. */

const token = 'a-Token/of+the=bank';
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

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const places: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a header', () => bank.raw('GET', '/v1/users', { 'tpp-session-id': token })],
  ['a path', () => bank.raw('GET', `/v1/users/${token}`)],
  ['a query', () => bank.raw('GET', `/v1/users?x=${token}`)],
  ['a form', () => bank.raw('POST', '/v1/signing-baskets', form, Buffer.from(`a=1&x=${token}&b=2`))],
  ['a JSON body', () => bank.signed('POST', '/v1/signing-baskets', { body: `{"paymentIds":["${token}"]}` })],
  ['the unsigned door', () => bank.raw('GET', '/sandbox/as/shop/v1/users', { ...own, 'tpp-session-id': token })],
  [
    'a request that cannot be read',
    () => unreadable(`GET /v1/users?x=${token} HTTP/1.1\r\nX: ${token}\r\nBad\r\n\r\n`),
  ],
];

async function unreadable(packet: string): Promise<void> {
  const { hostname, port } = new URL(bank.address);
  const socket = connect(Number(port), hostname);
  socket.end(packet, 'latin1');
  await text(socket);
}

test.each(places)('C3: the control token in %s', async (_, send) => {
  await send();
  const all = await told();
  for (const [where, text] of Object.entries(all)) expect([where, text.includes(token)]).toEqual([where, false]);
  expect([all['journal'], all['bundle']]).toEqual([expect.stringContaining('***'), expect.stringContaining('***')]);
});

test.each([
  ['each of its characters', /./g],
  ['all but letters and slashes', /[^A-Za-z/]/g],
])('C3: the control token with %s percent-encoded', async (_, signs) => {
  const encoded = token.replaceAll(signs, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  await bank.raw('GET', `/v1/users?x=%zz${encoded}%20${encoded}%2`);
  const all = await told();
  for (const [where, text] of Object.entries(all)) expect([where, text.includes(encoded)]).toEqual([where, false]);
  expect(all['journal']).toContain('/v1/users?x=%zz***%20***%2"');
});

test('C3: an X-Request-ID that is the control token is no key of the journal', async () => {
  const plain = 'a-token-of-letters-alone';
  await using other = await startTestBank('2027-03-24T12:00:00+01:00', ['--control-token', plain]);
  await other.raw('GET', '/v1/users', { 'x-request-id': plain });
  const { body } = await other.raw('GET', '/sandbox/requests', { authorization: `Bearer ${plain}` });
  expect(body.requests).toHaveLength(1);
  expect(JSON.stringify(body)).not.toContain(plain);
});

test('C3: values of secret headers, in the signing string and in a request that cannot be read too', async () => {
  const secret = 'the-key-of-a-gateway';
  await bank.signed('GET', '/v1/users', { headers: { 'x-api-key': secret } });
  await bank.raw('GET', '/v1/users', { cookie: `session=${secret}`, 'ocp-apim-subscription-key': secret });
  const signature = 'keyId="SN=1,CA=x",algorithm="rsa-sha256",headers="date x-api-key",signature="AAAA"';
  await bank.raw('GET', '/v1/users', { date: 'today', 'x-api-key': secret, signature, 'x-request-id': 'signed-key' });
  await unreadable(`GET /v1/users HTTP/1.1\r\nX-Client-Secret: ${secret}\r\nBad\r\n\r\n`);
  for (const [where, text] of Object.entries(await told()))
    expect([where, text.includes(secret)]).toEqual([where, false]);
  const { body } = await bank.raw('GET', '/sandbox/requests/signed-key', own);
  expect(body.requests[0].signing.expected).toBe('date: today\nx-api-key: ***');
});

test('C3: an armed fault with the control token in its path is not in the bundle', async () => {
  const headers = { ...own, 'content-type': 'application/json' };
  const order = { code: 'SERVICE_BLOCKED', path: `/v1/payments?x=${token}` };
  const armed = await bank.raw('POST', '/sandbox/faults', headers, Buffer.from(JSON.stringify(order)));
  expect(armed.status).toBe(200);
  const { bundle = '' } = await told();
  expect([bundle.includes('/v1/payments?x='), bundle.includes(token)]).toEqual([false, false]);
  await bank.raw('DELETE', '/sandbox/faults', own);
});
