import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { faultResponse } from '../../api/faults/fault-response.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import { bulkPath, singlePath, singlePayment } from '../lab/bodies.ts';
import { entryAddress, kept, listed } from '../support/journal.ts';
import { BankClient, startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md G11: a refusal ends with the address of its journal entry; what the HTTP parser refuses is kept too (G9). */

const drawn = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const bank = testBank('2027-03-24T12:00:00+01:00');
let named: BankClient;
beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'ci' });
  named = new BankClient(`${bank.address}/banks/ci`);
});

/** Sends bytes on a connection of their own; the JSON of the last answer. */
async function sendRaw(text: string | Buffer) {
  const socket = connect(Number(new URL(bank.address).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.write(text);
  await once(socket, 'close');
  return JSON.parse(answer.split('\r\n\r\n').at(-1) ?? '');
}

function head(line: string, ...headers: string[]): string {
  return `${[line, `Host: ${new URL(bank.address).host}`, ...headers].join('\r\n')}\r\n\r\n`;
}

describe('G11, G11b: the address', () => {
  test.each([
    ['its own', '0b5e6a3e-6c5f-4d2c-8a55-7a1d7c1f2a10', '0b5e6a3e-6c5f-4d2c-8a55-7a1d7c1f2a10'],
    ['no UUID', 'TEST_SCRIPT_REQUEST_ID_1', 'TEST_SCRIPT_REQUEST_ID_1'],
    ['of 64', 'a'.repeat(64), 'a'.repeat(64)],
    ['of 1', '-', '-'],
    ['of 65', 'a'.repeat(65), drawn],
    ['with a slash', '../info', drawn],
    ['with a blank', 'a b', drawn],
    ['empty', '', drawn],
    ['of other letters', 'blå', drawn],
    ['an identity number', '13039319955', drawn],
  ])('of an X-Request-ID %s', async (_what, id, key) => {
    const { body } = await bank.raw('GET', '/v1/accounts', { 'x-request-id': id });
    const address = entryAddress(body);
    expect(address.startsWith(`${bank.address}/sandbox/requests/`)).toBe(true);
    const last = address.split('/').at(-1) ?? '';
    expect(last).toEqual(typeof key === 'string' ? key : expect.stringMatching(key));
    expect(await (await fetch(address)).json()).toMatchObject({ requests: [{ requestId: last, answer: body }] });
  });

  test('without an X-Request-ID, and with two', async () => {
    const none = entryAddress((await bank.raw('GET', '/v1/accounts')).body)
      .split('/')
      .at(-1);
    expect(none).toMatch(drawn);
    const twice = await sendRaw(
      head('GET /v1/accounts HTTP/1.1', 'X-Request-ID: a', 'X-Request-ID: b', 'Connection: close'),
    );
    expect(entryAddress(twice).split('/').at(-1)).toMatch(drawn);
  });

  const long = { ...psu, 'tpp-redirect-uri': `https://tpp.example/${'x'.repeat(900)}` };
  test.each<[string, () => Promise<{ status: number; body: { tppMessages: { text: string }[] } }>, number]>([
    ['no signature', () => bank.raw('GET', '/v1/accounts'), 400],
    ['no such path', () => bank.raw('GET', `/v1/${'x'.repeat(2_000)}`), 404],
    ['a method that is not offered', () => bank.raw('PUT', '/v1/accounts'), 405],
    ['an unknown product', () => bank.raw('POST', `/v1/payments/${'p'.repeat(900)}`), 404],
    ['a body that is too large', () => bank.raw('POST', singlePath, {}, Buffer.alloc(300_000)), 413],
    ['a compressed body', () => bank.raw('POST', singlePath, { 'content-encoding': 'br' }, Buffer.from('x')), 415],
    ['no consent', () => bank.signed('GET', '/v1/accounts', { headers: psu }), 401],
    [
      'twenty faults',
      () => bank.signed('POST', singlePath, { headers: psu, body: { [`${'y'.repeat(700)}`]: 1 } }),
      400,
    ],
    ['no JSON', () => bank.signed('POST', bulkPath, { headers: psu, body: '{' }), 400],
    [
      'a payment of another currency',
      () =>
        bank.signed('POST', singlePath, {
          headers: psu,
          body: singlePayment({ instructedAmount: { amount: '1.00', currency: 'EUR' } }),
        }),
      400,
    ],
    [
      'a certificate that is none',
      () => bank.raw('GET', '/v1/accounts', { signature: 'x', 'tpp-signature-certificate': 'x'.repeat(900) }),
      401,
    ],
    ['sandbox data', () => bank.signed('POST', '/v1/sandbox/customers', { body: { name: 'x' } }), 400],
    ['a long header', () => bank.signed('GET', `${singlePath}/nothing`, { headers: long }), 403],
  ])('ends a refusal for %s, whole, in 512 characters', async (_what, refused, status) => {
    const answer = await refused();
    expect(answer.status).toBe(status);
    const [first, ...others] = answer.body.tppMessages;
    expect(first?.text).toMatch(/^\S.* http:\/\/127\.0\.0\.1:\d+\/sandbox\/requests\/[\w-]{1,64}$/s);
    expect(first?.text.length).toBeLessThanOrEqual(512);
    for (const { text } of others) expect(text).not.toContain('/sandbox/requests/');
    expect((await kept(bank, entryAddress(answer.body).split('/').at(-1) ?? ''))[0].answer).toEqual(
      JSON.parse(JSON.stringify(answer.body).replaceAll('13039319955', '***********')),
    );
  });

  test('a provoked fault and a failing armed one end with it too', async () => {
    await bank.control('POST', '/sandbox/faults', { code: 'SERVICE_BLOCKED' });
    const { status, body } = await bank.signed('GET', '/v1/sandbox/customers');
    expect([status, body.tppMessages[0].text]).toEqual([
      403,
      expect.stringContaining(`${bank.address}/sandbox/requests/`),
    ]);
  });

  test('of a named bank has its path, and is in its journal alone', async () => {
    const id = randomUUID();
    const { body } = await named.raw('GET', '/v1/accounts', { 'x-request-id': id });
    expect(entryAddress(body)).toBe(`${bank.address}/banks/ci/sandbox/requests/${id}`);
    expect((await kept(named, id))[0]).toMatchObject({ requestId: id, target: '/banks/ci/v1/accounts' });
    expect((await bank.control('GET', `/sandbox/requests/${id}`)).status).toBe(404);
    expect(await listed(named, '?path=/v1/accounts')).toHaveLength(1);
  });

  test('leads a browser to the page of the request, of the root and of a named bank, and a program to its JSON', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    for (const client of [bank, named]) {
      const id = randomUUID();
      const address = entryAddress((await client.raw('GET', '/v1/accounts', { 'x-request-id': id })).body);
      const seen = await fetch(address, { headers: browser });
      expect([seen.status, seen.url]).toEqual([200, address.replace('/sandbox/', '/console/')]);
      expect(await seen.text()).toContain(id);
      for (const accept of ['application/json', '*/*']) {
        const answer = await fetch(address, { headers: { accept } });
        expect([answer.url, answer.headers.get('vary')]).toEqual([address, expect.stringMatching(/\baccept\b/)]);
        expect(await answer.json()).toMatchObject({ requests: [{ requestId: id }] });
      }
    }
  });

  test('leads a browser without the control token to the page that asks for it', async () => {
    await using guarded = await startTestBank('2027-03-24T12:00:00+01:00', ['--control-token', 'a-token-of-our-own']);
    const address = `${guarded.address}/sandbox/requests/one`;
    const seen = await fetch(address, { headers: { accept: 'text/html' } });
    expect([new URL(seen.url).pathname, await seen.text()]).toEqual([
      expect.stringMatching(/^\/console/),
      expect.stringContaining('type="password"'),
    ]);
    expect((await fetch(address)).status).toBe(401);
  });

  test('begins with the public address where there is one', async () => {
    await using own = await startTestBank('2027-03-24T12:00:00+01:00', ['--public-url', 'https://bank.example/x/']);
    const { body } = await own.raw('GET', '/v1/accounts', { 'x-request-id': 'one' });
    expect(entryAddress(body)).toBe('https://bank.example/x/sandbox/requests/one');
  });

  test.each([
    ['a name of 2,000 characters', 'x'.repeat(2_000)],
    ['no name', 'a b'],
  ])('with %s in Host it is at the address of the server', async (_what, host) => {
    const answer = await sendRaw(
      `GET /v1/accounts HTTP/1.1\r\nHost: ${host}\r\nX-Request-ID: h\r\nConnection: close\r\n\r\n`,
    );
    expect(entryAddress(answer)).toBe(`${bank.address}/sandbox/requests/h`);
    expect(answer.tppMessages[0].text.length).toBeLessThanOrEqual(512);
  });

  test('an unknown bank has no journal: its refusal names none', async () => {
    const { status, body } = await bank.raw('GET', '/banks/nobody/v1/accounts');
    expect([status, body.tppMessages[0].text]).toEqual([404, expect.not.stringContaining('/sandbox/requests/')]);
  });

  test('of a bank in a test that has a port', async () => {
    await using own = await createBank({ now: '2027-03-24T12:00:00+01:00', port: 0 });
    const answer = await own.fetch('/v1/accounts');
    const { tppMessages } = (await answer.json()) as { tppMessages: [{ text: string }] };
    expect(await (await fetch(entryAddress({ tppMessages }))).json()).toMatchObject({
      requests: [{ code: 'SIGNATURE_MISSING' }],
    });
  });

  test.each([0, 1, 380, 381, 382, 383, 511, 512, 5_000])(
    'a text of %i is cut before it, never the address',
    (length) => {
      const entry = `http://bank.example/sandbox/requests/${'k'.repeat(64)}`;
      const faults = [{ code: 'FORBIDDEN', text: '😀'.repeat(length / 2) }] as const;
      const [message] = faultResponse([...faults], { signature401: false, entry }).body.tppMessages;
      expect(message?.text.endsWith(`\nSee ${entry}`)).toBe(true);
      expect(message?.text.length).toBeLessThanOrEqual(512);
      expect(message?.text.isWellFormed()).toBe(true);
    },
  );
});

describe('what the HTTP parser refuses', () => {
  test('a header of two lines: method, target, headers and packet, under its id', async () => {
    const id = randomUUID();
    const answer = await sendRaw(
      head(`GET /v1/accounts?psu=13039319955 HTTP/1.1`, `X-Request-ID: ${id}`, 'X-Note: a\r\n b'),
    );
    expect(entryAddress(answer)).toBe(`${bank.address}/sandbox/requests/${id}`);
    const [entry] = await kept(bank, id);
    expect(entry).toMatchObject({
      method: 'GET',
      target: '/v1/accounts?psu=***********',
      verdict: 'refused',
      status: 400,
      code: 'FORMAT_ERROR',
      finding: null,
      body: null,
      answer,
      signing: { expected: null },
    });
    expect(entry.headers).toContainEqual(['X-Request-ID', id]);
    expect(entry.packet).toContain('X-Note: a\r\n b');
    expect(JSON.stringify(entry)).not.toContain('13039319955');
  });

  test.each<[string, () => string | Buffer, Record<string, unknown>]>([
    ['no HTTP', () => 'hello world\r\n\r\n', { method: null, target: null, code: 'BAD_REQUEST' }],
    ['TLS', () => Buffer.from('1603010200010001fc0303', 'hex'), { method: null, target: null, code: 'BAD_REQUEST' }],
    ['headers of 20 KB', () => head('GET /v1/x HTTP/1.1', `X-Note: ${'a'.repeat(20_000)}`), { status: 431 }],
    ['NULs', () => 'GET /v1/\0\0 HTTP/1.1\r\n\r\n', { code: 'BAD_REQUEST' }],
  ])('%s is in the journal of the bank at the root', async (_what, sent, members) => {
    const answer = await sendRaw(sent());
    const [entry] = await kept(bank, entryAddress(answer).split('/').at(-1) ?? '');
    expect(entry).toMatchObject({ verdict: 'refused', tpp: null, notes: [], answer, ...members });
  });

  test('of a named bank, also before its first request', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'unopened' });
    for (const name of ['ci', 'unopened']) {
      const id = randomUUID();
      const answer = await sendRaw(head(`GET /banks/${name}/v1/x HTTP/1.1`, `X-Request-ID: ${id}`, 'X-Note: a\r\n b'));
      expect(entryAddress(answer)).toBe(`${bank.address}/banks/${name}/sandbox/requests/${id}`);
      expect(await kept(new BankClient(`${bank.address}/banks/${name}`), id)).toHaveLength(1);
      expect((await bank.control('GET', `/sandbox/requests/${id}`)).status).toBe(404);
    }
  });

  test('of an unknown bank: answered without an address', async () => {
    const answer = await sendRaw(head('GET /banks/nobody/v1/x HTTP/1.1', 'X-Note: a\r\n b'));
    expect(answer.tppMessages[0].text).not.toContain('/sandbox/requests/');
  });

  test('a body that cannot be read: its own entry, with the answer', async () => {
    const id = randomUUID();
    const sent = head(`POST ${singlePath} HTTP/1.1`, `X-Request-ID: ${id}`, 'Transfer-Encoding: chunked');
    const answer = await sendRaw(`${sent}zz\r\n`);
    expect(entryAddress(answer)).toBe(`${bank.address}/sandbox/requests/${id}`);
    const entries = await kept(bank, id);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ method: 'POST', target: singlePath, status: 400, code: 'BAD_REQUEST' });
  });

  test('the control plane keeps its problem, and the token is masked in the packet', async () => {
    const sent = head(
      'POST /sandbox/reset HTTP/1.1',
      'Authorization: Bearer a-token',
      'X-Request-ID: cp',
      'X-Note: a\r\n b',
    );
    const answer = await sendRaw(sent);
    expect(answer.detail).not.toContain('/sandbox/requests/');
    const [entry] = await kept(bank, 'cp');
    expect(entry).toMatchObject({ target: '/sandbox/reset', answer });
    expect(JSON.stringify(entry)).not.toContain('a-token');
  });
});
