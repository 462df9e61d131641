import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { greetedAddress } from '../lab/greeted-address.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { compileCache } from '../support/kept.ts';
import { program } from '../support/program.ts';
import { BankClient, validCertificate } from '../lab/server.ts';

/* The log of a server in a process of its own, as somebody reads it. */

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [fact: string]: unknown;
}

let child: ChildProcess;
let bank: BankClient;
let said = '';

beforeAll(async () => {
  const flags = ['--ledger', ':memory:', '--port', '0', '--log-level', 'info', '--clock-mode', 'frozen'];
  const output = ['ignore', 'pipe', 'inherit'] as const;
  const started = spawn(process.execPath, [program, ...flags], { env: compileCache, stdio: [...output] });
  child = started;
  started.stdout.on('data', (chunk) => (said += String(chunk)));
  bank = new BankClient(await greetedAddress(started.stdout));
}, 30_000);
afterAll(async () => {
  child.kill('SIGTERM');
  await once(child, 'close');
});

function lines(): Line[] {
  return said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
}

let marks = 0;

/** Asks for a path that is not there, and returns the place of its line: the lines of earlier answers are before it. */
async function mark(): Promise<number> {
  const target = `/mark-${(marks += 1)}`;
  await fetch(bank.address + target);
  for (;;) {
    const place = lines().findIndex((line) => line['target'] === target);
    if (place >= 0) return place;
    await later(2);
  }
}

/** The lines that a call adds, at least one. */
async function linesOf(call: () => Promise<unknown>): Promise<Line[]> {
  const begin = await mark();
  await call();
  // A client that goes away hears of no answer.
  for (let waited = 0; waited < 1_000 && lines().length === begin + 1; waited += 1) await later(2);
  const end = await mark();
  return lines().slice(begin + 1, end);
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const id = '0b5e6a3e-6c5f-4d2c-8a55-7a1d7c1f2a10';
const tpp = 'PSDNO-FSA-987654321';
const nora = '13039319955';
const json = { 'content-type': 'application/json' };
const plain = { 'content-type': 'text/plain' };

test('a request is one line, with an ISO time, a level by name and who signed', async () => {
  const headers = { 'x-request-id': id };
  const [line, ...more] = await linesOf(() => bank.signed('POST', '/v1/bank-offered-consents', { headers }));
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    msg: 'request',
    method: 'POST',
    target: '/v1/bank-offered-consents',
    status: 201,
    bank: 'default',
    client: '127.0.0.1',
    tpp,
    requestId: id,
  });
  expect(line).not.toHaveProperty('code');
});

test('G11: a refusal by the signature check has the finding of its journal entry, identity numbers masked', async () => {
  const headers = { signature: 'x', 'x-request-id': id, 'tpp-signature-certificate': nora };
  const [line] = await linesOf(() => bank.raw('GET', '/v1/accounts', headers));
  expect(line).toMatchObject({ msg: 'refused', code: 'CERTIFICATE_INVALID', finding: expect.stringMatching(/^The /) });
  const [unsigned] = await linesOf(() => bank.raw('GET', '/v1/accounts', { 'x-request-id': 'for-the-log' }));
  const { body } = await bank.control('GET', '/sandbox/requests/for-the-log');
  expect(unsigned?.['finding']).toBe(body.requests[0].finding);
  const date = { ...headers, 'tpp-signature-certificate': validCertificate().certificateBase64, date: nora };
  const [masked] = await linesOf(() => bank.raw('GET', '/v1/accounts', { ...date, 'x-request-id': 'masked' }));
  expect(masked?.['finding']).toMatch(/^The header Date is "\*{11}"/);
});

test('a refusal is one line at info, with code, TPP, bank and request id', async () => {
  const headers = { 'x-request-id': id };
  const [line, ...more] = await linesOf(() => bank.signed('GET', '/v1/accounts/nope', { headers }));
  expect(more).toEqual([]);
  const facts = { level: 'info', msg: 'refused', bank: 'default', requestId: id, status: 401 };
  expect(line).toMatchObject({ ...facts, code: 'CONSENT_INVALID', tpp });
});

test.each<[string, string, string, Record<string, string>, number, Partial<Line>]>([
  ['without a signature', 'GET', '/v1/accounts', { 'x-request-id': id }, 400, { code: 'SIGNATURE_MISSING' }],
  ['of an unknown path', 'GET', '/v1/nothing', {}, 404, { code: 'NOT_FOUND' }],
  ['of the control plane', 'POST', '/sandbox/clock/advance', json, 400, { code: 'FORMAT_ERROR' }],
  ['of its path', 'GET', '/sandbox/nothing', {}, 404, { code: 'NOT_FOUND' }],
  ['of its content type', 'POST', '/sandbox/reset', plain, 415, { code: 'UNSUPPORTED_MEDIA_TYPE' }],
  ['of its guard', 'GET', '/sandbox/clock', { origin: 'https://evil.example' }, 403, { code: 'FORBIDDEN' }],
  ['of an SCA page', 'GET', '/sca/unknown', {}, 404, { code: 'SCA_NOT_FOUND', target: '/sca/...' }],
  [
    'of a page of access, with all below it',
    'GET',
    '/sca/access/3.unknown?language=en&step=one',
    {},
    404,
    { target: '/sca/access/...?language=en&step=...' },
  ],
  ['of a bank that is not there', 'GET', '/banks/nope/v1/accounts', {}, 404, { code: 'NOT_FOUND', bank: 'nope' }],
  ['of nothing at all', 'GET', '/nothing', {}, 404, { code: 'NOT_FOUND' }],
])('a refusal %s is one line too', async (_what, method, target, headers, status, facts) => {
  const [line, ...more] = await linesOf(() =>
    fetch(bank.address + target, { method, headers, ...(headers === plain && { body: 'a text' }) }),
  );
  expect([line, more]).toEqual([expect.objectContaining({ level: 'info', msg: 'refused', status, ...facts }), []]);
  expect(line?.['requestId']).toBe(headers['x-request-id']);
  expect(line).not.toHaveProperty('tpp');
});

test('a named bank has its name in the line of a request, and of what happens in it', async () => {
  const made = await linesOf(() => bank.control('POST', '/sandbox/banks', { name: 'demo' }));
  expect(made).toEqual([expect.objectContaining({ bank: 'default', msg: 'request' })]);
  const [line] = await linesOf(() => bank.raw('GET', '/banks/demo/v1/accounts'));
  expect(line).toMatchObject({ bank: 'demo', code: 'SIGNATURE_MISSING', msg: 'refused' });
  const [happened] = await linesOf(() => bank.control('PUT', '/banks/demo/sandbox/clock', { rate: 2 }));
  expect(happened).toMatchObject({ bank: 'demo', msg: 'clock set' });
});

test('what happens in a bank is a line at info: a run that had work, a clock that was set, a reset; not each payment', async () => {
  const set = await linesOf(() => bank.control('PUT', '/sandbox/clock', { rate: 2 }));
  expect(set).toEqual([
    expect.objectContaining({ level: 'info', msg: 'clock set', mode: 'frozen', rate: 2, at: expect.any(String) }),
    expect.objectContaining({ msg: 'request', target: '/sandbox/clock' }),
  ]);
  // Exempt from SCA: it is registered at once.
  const ownAccount = { creditorAccount: { bban: '70323119469', currency: 'NOK' } };
  const offered = await bank.signed('POST', '/v1/bank-offered-consents', { headers: { 'x-psu-identity': nora } });
  let redirect = new URL(bank.address);
  await linesOf(async () => void (redirect = await bank.approve(offered.body._links.scaRedirect.href, nora)));
  const headers = { 'psu-id': redirect.searchParams.get('psu-id') ?? '', 'psu-context': 'PRIVATE' };
  const paid = await linesOf(() => bank.signed('POST', singlePath, { body: singlePayment(ownAccount), headers }));
  expect(paid).toEqual([expect.objectContaining({ msg: 'request', status: 201 })]);
  const advanced = await linesOf(() => bank.control('POST', '/sandbox/clock/advance', { by: 'P40D' }));
  const run = { level: 'info', bank: 'default', msg: 'settlement run' };
  expect(advanced).toEqual([
    expect.objectContaining({ ...run, settled: 1, id: expect.stringMatching(/^\d{4}-\d\d-\d\d\/\d$/) }),
    expect.objectContaining({ ...run, settled: 0, booked: 1 }),
    expect.objectContaining({ msg: 'request', target: '/sandbox/clock/advance' }),
  ]);
  const reset = await linesOf(() => bank.control('POST', '/sandbox/reset', {}));
  expect(reset).toEqual([
    expect.objectContaining({ level: 'info', msg: 'all data replaced: reset' }),
    expect.objectContaining({ msg: 'request', target: '/sandbox/reset' }),
  ]);
});

test('what an event stream ends with when it fails is a refusal', async () => {
  const headers = { ...json, accept: 'text/event-stream' };
  const call = () => bank.raw('POST', '/sandbox/clock/advance', headers, Buffer.from('{"to":"1999-01-01"}'));
  expect(await linesOf(call)).toEqual([expect.objectContaining({ msg: 'refused', code: expect.any(String) })]);
});

test('no name from outside breaks a line, steers a terminal or makes the line long', async () => {
  const evil = '\u009b31m\u0085{"level":"fatal"}\u001b[2J';
  const path = `/banks/%E2%80%A8${'x'.repeat(5_000)}"\\/v1/a`;
  const asked = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: ${evil.replace('\u001b', '\t')}\r\nConnection: close\r\n\r\n`;
  const [line, ...more] = await linesOf(async () => {
    const socket = connect(Number(new URL(bank.address).port), '127.0.0.1');
    socket.resume().write(Buffer.from(asked, 'latin1'));
    await once(socket, 'close');
  });
  expect(more).toEqual([]);
  expect(JSON.stringify(line).length).toBeLessThan(1_000);
  expect(JSON.stringify(line)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(line).toMatchObject({ msg: 'refused', code: 'NOT_FOUND' });
});

test('a client that goes away before its answer is a line', async () => {
  const [line] = await linesOf(async () => {
    const socket = connect(Number(new URL(bank.address).port), '127.0.0.1');
    const head = ['POST /v1/consents HTTP/1.1', 'Host: localhost', 'Content-Length: 100', 'Expect: 100-continue'];
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    // The server has read the head when it says go on; a reset would take away what it has not read.
    await once(socket, 'data');
    socket.resetAndDestroy();
  });
  expect(line).toMatchObject({ level: 'info', msg: 'client gone', bank: 'default', target: '/v1/consents' });
});

test('a body that breaks off is one line, with what was answered', async () => {
  const found = await linesOf(async () => {
    const socket = connect(Number(new URL(bank.address).port), '127.0.0.1');
    socket.resume().end('POST /v1/consents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    await once(socket, 'close');
  });
  const facts = { msg: 'refused', status: 400, code: 'BAD_REQUEST', target: '/v1/consents' };
  expect(found).toEqual([expect.objectContaining(facts)]);
});

test('the probes are not logged', async () => {
  const begin = await mark();
  await fetch(`${bank.address}/health`);
  await fetch(`${bank.address}/ready`);
  expect(await mark()).toBe(begin + 1);
});
