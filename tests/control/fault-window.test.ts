import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { maxArmed } from '../../api/pipeline/armed-faults.ts';
import { gatewayPage } from '../../api/pipeline/struck-call.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { BankClient } from '../lab/server.ts';
import { holder } from '../cards/card-client.ts';
import { ConsoleClient } from '../console/console-client.ts';
import { openSaved } from '../lab/saved-bank.ts';

/* rules.md E6f: a window in which a gateway answers every call. The clocks go forward in it. */
const [begin, last, end] = ['2027-03-28T01:00:00+01:00', '2027-03-28T05:59:59.999+02:00', '2027-03-28T06:00:00+02:00'];
const window = { status: 503, from: begin, until: end };

let folder: string;
let server: RunningServer | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-maintenance-'));
});
afterEach(async () => {
  await server?.stop();
  server = null;
  rmSync(folder, { recursive: true });
});

async function start(now: string, ...flags: string[]): Promise<BankClient> {
  await server?.stop();
  const own = ['--port=0', '--ledger=:memory:', '--log-level=silent', '--clock-mode=frozen', `--clock-now=${now}`];
  server = await startServer(readConfig({}, [...own, ...flags]));
  return new BankClient(server.address);
}

/** A bank with this window. */
async function closing(now: string, of: object = window, ...flags: string[]): Promise<BankClient> {
  const bank = await start(now, ...flags);
  expect(await arm(bank, of)).toMatchObject({ status: 200, body: of });
  return bank;
}

const arm = (bank: BankClient, fault: object) => bank.control('POST', '/sandbox/faults', fault);

async function advance(bank: BankClient, to: string): Promise<void> {
  expect(await bank.advance({ to })).toMatchObject({ status: 200 });
}

const single = { 'x-psu-identity': holder, 'psu-context': 'PRIVATE' };

/** Status and type of the answer to every kind of call under /v1. */
async function answers(bank: BankClient): Promise<Record<string, string>> {
  const calls: Readonly<Record<string, () => Promise<{ status: number; headers: Headers }>>> = {
    'a read': () => bank.signed('GET', '/v1/accounts', { headers: single }),
    'a payment': () => bank.signed('POST', `${singlePath}?allowLogicalDuplicate=true`, pay()),
    'the test data': () => bank.signed('GET', '/v1/sandbox/accounts'),
    'the other base': () => bank.signed('GET', '/api-sandbox/v1/accounts', { headers: single }),
    'the unsigned door': () => bank.raw('GET', '/sandbox/as/shop/v1/accounts'),
    'no signature': () => bank.raw('GET', '/v1/accounts'),
    'no path': () => bank.raw('GET', '/v1/nowhere'),
    'no body': () => bank.raw('HEAD', '/v1/accounts'),
  };
  const entries = Object.entries(calls).map(async ([name, call]) => {
    const { status, headers } = await call();
    return [name, `${status} ${headers.get('content-type')?.split(';')[0]}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function pay(requestId: string = randomUUID()) {
  return { body: singlePayment(), headers: { ...single, 'x-request-id': requestId } };
}

const usual = {
  'a read': '401 application/json',
  'a payment': '201 application/json',
  'the test data': '200 application/json',
  'the other base': '401 application/json',
  'the unsigned door': '401 application/json',
  'no signature': '400 application/json',
  'no path': '404 application/json',
  'no body': '400 application/json',
};
const closed = Object.fromEntries(Object.keys(usual).map((name) => [name, '503 text/html']));

describe('E6f: a window of maintenance', () => {
  test('by default the bank answers at that time', async () => {
    expect(await answers(await start(begin))).toEqual(usual);
  });

  test('in the window every call under /v1 gets the page of a gateway, before and after it none', async () => {
    const bank = await closing('2027-03-28T00:59:59.999+01:00');
    expect(await answers(bank)).toEqual(usual);
    for (const to of [begin, last]) {
      await advance(bank, to);
      expect(await answers(bank)).toEqual(closed);
    }
    await advance(bank, end);
    expect(await answers(bank)).toEqual(usual);
  });

  test('Q11b: a bank that has left meanwhile is not there: 404, in the window and after it', async () => {
    const bank = await closing('2027-03-27T01:00:00+01:00', window, '--quirks=leaves=P1D');
    const left = Object.fromEntries(Object.keys(usual).map((name) => [name, '404 text/html']));
    for (const to of [begin, end]) {
      await advance(bank, to);
      expect(await answers(bank)).toEqual(left);
    }
  });

  test('its answer and the console tell its instants, and no number of calls', async () => {
    const bank = await closing('2027-03-28T00:00:00+01:00');
    const { faults } = (await bank.control('GET', '/sandbox/faults')).body;
    expect(faults).toEqual([{ id: 1, ...window }]);
    const { text } = await new ConsoleClient(bank.address).get('/console/requests');
    expect(text).toContain('answers 503 as a gateway does, from Sun 28 Mar 2027, 01:00 until Sun 28 Mar 2027, 06:00');
    expect(text).toContain('every request');
  });

  test('at its end it is disarmed: another fault can be armed in its place', async () => {
    const bank = await start(begin);
    const other = { code: 'SERVICE_BLOCKED' };
    for (let count = 0; count < maxArmed; count += 1) expect((await arm(bank, window)).status).toBe(200);
    expect((await arm(bank, other)).status).toBe(429);
    await advance(bank, end);
    expect((await arm(bank, other)).status).toBe(200);
    expect((await bank.control('DELETE', '/sandbox/faults')).body).toEqual({ disarmed: 1 });
  });

  test('the page is HTML that knows nothing of the interface, and plain-json changes nothing of it', async () => {
    const bank = await closing(begin, window, '--quirks=plain-json');
    const answer = await fetch(`${server?.address}/v1/accounts`, { headers: { 'x-request-id': randomUUID() } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-request-id')]).toEqual([
      503,
      'text/html',
      null,
    ]);
    const page = await answer.text();
    expect(page).toBe(gatewayPage);
    const { requests } = (await bank.control('GET', '/sandbox/requests')).body;
    const entry = (await bank.control('GET', `/sandbox/requests/${requests[0].requestId}`)).body;
    expect([requests[0].status, JSON.stringify(entry)]).toEqual([503, expect.stringContaining('<center>gateway')]);
  });

  test('a call in it is not carried out: the same X-Request-ID is a new call afterwards', async () => {
    const bank = await closing(begin);
    const requestId = randomUUID();
    const send = () => bank.signed('POST', singlePath, pay(requestId));
    const statuses = [(await send()).status, (await send()).status];
    expect((await bank.control('GET', '/sandbox/payments')).body.payments).toEqual([]);
    await advance(bank, end);
    statuses.push((await send()).status, (await send()).status);
    expect(statuses).toEqual([503, 503, 201, 201]);
    expect((await bank.control('GET', '/sandbox/payments')).body.payments).toHaveLength(1);
  });

  test('control plane, SCA pages and runs go on', async () => {
    const days = { from: '2027-03-24T13:00:00+01:00', until: '2027-03-26T13:00:00+01:00' };
    const bank = await closing('2027-03-24T12:00+01:00', { status: 503, ...days });
    const { body } = await bank.signed('POST', singlePath, pay());
    await advance(bank, '2027-03-24T13:15+01:00');
    const page = await fetch(body._links.scaRedirect.href);
    expect(page.status).toBe(200);
    await bank.approve(body, holder);
    await advance(bank, '2027-03-24T15:30+01:00');
    const { payments } = (await bank.control('GET', '/sandbox/payments')).body;
    expect(payments.map(({ status }: { status: string }) => status)).toEqual(['ACSC']);
    expect((await bank.control('GET', '/sandbox/info')).status).toBe(200);
    expect(Object.values(await answers(bank))).toContain('503 text/html');
  });

  test('a gateway that is busy answers 429; disarmed, or after a reset, the bank answers again', async () => {
    const bank = await closing(begin, { ...window, status: 429 });
    const read = async () => {
      const { status, headers } = await bank.raw('GET', '/v1/accounts');
      return [status, headers.get('retry-after')];
    };
    expect(await read()).toEqual([429, '1']);
    await bank.control('DELETE', '/sandbox/faults');
    expect(await read()).toEqual([400, null]);
    await arm(bank, window);
    expect(await read()).toEqual([503, null]);
    await bank.control('POST', '/sandbox/reset', {});
    expect(await read()).toEqual([400, null]);
  });

  test('beside another fault each strikes in its time', async () => {
    const bank = await closing('2027-03-28T00:59:59.999+01:00');
    await arm(bank, { code: 'SERVICE_BLOCKED', path: '/v1/sandbox/accounts' });
    await advance(bank, begin);
    expect((await bank.signed('GET', '/v1/sandbox/accounts')).status).toBe(503);
    const armed = async () =>
      (await bank.control('GET', '/sandbox/faults')).body.faults.map(({ id }: { id: number }) => id);
    expect(await armed()).toEqual([1, 2]);
    await advance(bank, end);
    expect(await armed()).toEqual([2]);
    const statuses = [(await bank.signed('GET', '/v1/sandbox/accounts')).status];
    statuses.push((await bank.signed('GET', '/v1/sandbox/accounts')).status);
    expect(statuses).toEqual([403, 200]);
  });
});

test.each([
  ['no end', { status: 503, from: begin }, 'until'],
  ['no beginning', { status: 503, until: end }, 'from'],
  ['no status', { code: 'SYSTEM_ERROR', from: begin, until: end }, 'status'],
  ['a path', { ...window, path: '/v1/accounts' }, 'path'],
  ['a number of calls', { ...window, times: 2 }, 'times'],
  ['a moment', { ...window, when: 'before' }, 'when'],
  ['no instant', { ...window, from: 'soon' }, 'from'],
  ['an end before its beginning', { ...window, from: window.until, until: window.from }, 'until'],
  ['an end that has passed', { ...window, until: '2027-03-28T00:00:00+01:00' }, 'until'],
])('E6f: a window with %s is refused', async (_what, fault, path) => {
  const { status, body } = await arm(await start(begin), fault);
  expect([status, body.errors[0].path]).toEqual([400, path]);
});

test('E6f: what a window lacks is told, and the values of a status only if that is it', async () => {
  const bank = await start(begin);
  const members = ['status', 'from', 'until'] as const;
  for (const missing of members) {
    const { [missing]: _none, ...half } = { ...window, delay: 'PT1S' };
    const { body } = await arm(bank, half);
    const allowed = missing === 'status' ? [429, 503] : members;
    expect([body.errors[0].path, body.allowed]).toEqual([missing, allowed]);
  }
});

test('E6f: a bank in a file has its window after a restart, and so has a saved bank that is opened', async () => {
  const banks = `--banks=${join(folder, 'banks')}`;
  const bank = await start(begin, banks);
  await bank.control('POST', '/sandbox/banks', { name: 'kept', now: begin, mode: 'frozen' });
  await bank.control('POST', '/banks/kept/sandbox/faults', window);
  const again = await start(begin, banks);
  expect((await again.raw('GET', '/banks/kept/v1/accounts')).status).toBe(503);
  const saved = await fetch(`${server?.address}/banks/kept/sandbox/bundle`);
  const bundle = Buffer.from(await saved.arrayBuffer());
  await server?.stop();
  server = await openSaved(bundle);
  expect((await new BankClient(server.address).raw('GET', '/v1/accounts')).status).toBe(503);
});
