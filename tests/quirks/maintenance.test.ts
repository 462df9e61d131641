import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { gatewayPage } from '../../api/pipeline/struck-call.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { BankClient } from '../lab/server.ts';
import { holder } from '../cards/card-client.ts';

/* rules.md Q11: a window of maintenance. No bank has published one, so no line of the register tells of it. */
const window = '2027-03-28T01:00/PT4H';
/** The clocks go forward in it: four hours after 01:00 it is 06:00. */
const [begin, last, end] = ['2027-03-28T01:00+01:00', '2027-03-28T05:59:59.999+02:00', '2027-03-28T06:00+02:00'];

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

describe('Q11: maintenance', () => {
  test('by default the bank answers at that time', async () => {
    expect(await answers(await start(begin))).toEqual(usual);
  });

  test('in the window every call under /v1 gets the page of a gateway, before and after it none', async () => {
    const bank = await start('2027-03-28T00:59:59.999+01:00', `--quirks=maintenance=${window}`);
    expect(await answers(bank)).toEqual(usual);
    for (const to of [begin, last]) {
      await advance(bank, to);
      expect(await answers(bank)).toEqual(closed);
    }
    await advance(bank, end);
    expect(await answers(bank)).toEqual(usual);
  });

  test('the page is HTML that knows nothing of the interface, and plain-json changes nothing of it', async () => {
    const bank = await start(begin, `--quirks=maintenance=${window},plain-json`);
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
    const bank = await start(begin, `--quirks=maintenance=${window}`);
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
    const bank = await start('2027-03-24T12:00+01:00', '--quirks=maintenance=2027-03-24T13:00/P2D');
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

  test('a running bank switches it on and off; a named bank has its own', async () => {
    const bank = await start(begin);
    const statusAt = async (path: string) => (await bank.raw('GET', path)).status;
    const made = await bank.control('POST', '/sandbox/banks', { name: 'closed', quirks: { maintenance: window } });
    expect([made.status, made.body.quirks]).toEqual([200, [`maintenance=${window}`]]);
    expect([await statusAt('/v1/accounts'), await statusAt('/banks/closed/v1/accounts')]).toEqual([400, 503]);
    const put = (maintenance: unknown) => bank.quirks({ maintenance });
    expect((await put(true)).body.quirks).toEqual({ maintenance: window });
    expect(await statusAt('/v1/accounts')).toBe(503);
    await put(false);
    expect(await statusAt('/v1/accounts')).toBe(400);
  });

  test('after an hour that the clocks skip or repeat it begins once', async () => {
    const bank = await start('2027-03-01');
    const put = async (maintenance: string) => (await bank.quirks({ maintenance })).body.quirks.maintenance;
    expect(await put('2027-03-28T02:30/PT60M')).toBe('2027-03-28T03:30/PT1H');
    expect(await put('2027-10-31T02:30/P7D')).toBe('2027-10-31T02:30/P7D');
    await advance(bank, '2027-10-31T02:30+02:00');
    expect((await bank.raw('GET', '/v1/accounts')).status).toBe(503);
  });
});

describe('Q11: a wrong window', () => {
  test.each([
    '2027-03-28',
    '2027-03-28T01:00',
    '2027-02-29T01:00/PT4H',
    '2027-03-28T24:00/PT4H',
    '2027-03-28T01:00:00/PT4H',
    '2027-03-28T01:00+01:00/PT4H',
    '2027-03-28T01:00/PT59S',
    '2027-03-28T01:00/P8D',
    '2027-03-28T01:00/P1M',
    '2027-03-28T01:00/PT4H/PT4H',
    '',
  ])('%j is refused with what would do', (given) => {
    expect(() => readConfig({}, [`--quirks=maintenance=${given}`])).toThrow(
      `: maintenance: expected ${window}, bank time to the minute, and a duration of PT1M to P7D`,
    );
  });

  const past =
    /^maintenance: the window ends at 2027-03-28T06:00:00\.000\+02:00, and the clock of the bank shows 2027-/;

  test('one in the past is refused when a new ledger starts, in memory and in a file', async () => {
    for (const ledger of [':memory:', join(folder, 'new.sqlite')]) {
      const started = start(end, `--ledger=${ledger}`, `--quirks=maintenance=${window}`);
      await expect(started).rejects.toThrow(past);
      await expect(started).rejects.toThrow(/; choose a window that ends later, or begin the bank earlier/);
    }
    await start(last, `--quirks=maintenance=${window}`);
  });

  test('a ledger that has outlived its window starts again, also after a reset', async () => {
    const flags = [`--ledger=${join(folder, 'l.sqlite')}`, `--quirks=maintenance=${window}`];
    const bank = await start(begin, ...flags);
    await advance(bank, '2027-04-10');
    const again = await start('2027-04-10', ...flags);
    expect((await again.raw('GET', '/v1/accounts')).status).toBe(400);
    await again.control('POST', '/sandbox/reset', {});
    expect((await again.raw('GET', '/v1/accounts')).status).toBe(503);
  });

  test('one in the past is refused for a named bank, and when it is switched on; other quirks can be switched', async () => {
    const bank = await start(last, `--quirks=maintenance=${window}`);
    await advance(bank, end);
    const put = (quirks: object) => bank.control('PUT', '/sandbox/quirks', { quirks });
    const refused = await put({ maintenance: window });
    const detail = expect.stringMatching(/^maintenance: the window ends at .* choose a window that ends later\.$/);
    expect([refused.status, refused.body.errors]).toEqual([400, [{ path: 'quirks.maintenance', detail }]]);
    expect(await put({ 'plain-json': true })).toMatchObject({ status: 200 });
    expect(await put({ maintenance: false })).toMatchObject({ status: 200 });
    const named = await bank.control('POST', '/sandbox/banks', {
      name: 'late',
      now: end,
      quirks: [`maintenance=${window}`],
    });
    expect([named.status, named.body.errors]).toEqual([400, [{ path: 'quirks', detail }]]);
    const early = { name: 'late', now: '2027-03-27', quirks: [`maintenance=${window}`] };
    expect(await bank.control('POST', '/sandbox/banks', early)).toMatchObject({ status: 200 });
  });
});
