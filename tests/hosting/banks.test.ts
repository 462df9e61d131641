import { describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startServer } from '../../api/hosting/server.ts';
import { readConfigOfProfile } from '../../api/start/profile.ts';
import { BankClient } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const quiet = ['--port=0', '--ledger=:memory:', '--log-level=silent'];
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const bank = testBank(now);

function make(name: string, more: object = {}) {
  return bank.control('POST', '/sandbox/banks', { name, ...more });
}

/** Pays and signs in the bank at `base`, and gives the payment's id. */
async function pay(base: string): Promise<string> {
  const paid = await bank.signed('POST', `${base}${singlePath}`, { headers: psu, body: singlePayment() });
  expect(paid.status).toBe(201);
  const { href } = paid.body._links.scaRedirect;
  expect(href.startsWith(`${bank.address}${base}/sca/`)).toBe(true);
  const sca = new URL(href).pathname.split('/').at(-1) ?? '';
  const signed = await bank.control('POST', `${base}/sandbox/sca/${sca}`, {
    outcome: 'approve',
    psu: '13039319955',
    context: 'PRIVATE',
  });
  expect(signed.status).toBe(200);
  return paid.body.paymentId;
}

describe('a bank beside the default one', () => {
  test('is made by name, with a clock, fixtures and quirks of its own, and answers at /banks/{name}', async () => {
    const made = await make('other', {
      now: '2027-05-14T10:00:00.000+02:00',
      mode: 'frozen',
      fixtures: 'known-state',
      quirks: ['status-before-approval'],
    });
    expect(made.body).toMatchObject({
      name: 'other',
      interface: `${bank.address}/banks/other/v1`,
      control: `${bank.address}/banks/other/sandbox`,
      quirks: ['status-before-approval'],
      clock: { now: '2027-05-14T10:00:00.000+02:00', mode: 'frozen' },
    });
    const clock = await bank.control('GET', '/banks/other/sandbox/clock');
    expect(clock.body.now).toBe('2027-05-14T10:00:00.000+02:00');
    const info = await bank.control('GET', '/banks/other/sandbox/info');
    expect(info.body.addresses).toEqual({
      interface: [`${bank.address}/banks/other/v1`, `${bank.address}/banks/other/api-sandbox/v1`],
      sca: `${bank.address}/banks/other/sca`,
      control: `${bank.address}/banks/other/sandbox`,
      unsigned: `${bank.address}/banks/other/sandbox/as/{tpp}/v1`,
      health: `${bank.address}/health`,
      ready: `${bank.address}/ready`,
    });
    expect(info.body.quirks).toContainEqual(expect.objectContaining({ name: 'status-before-approval', on: true }));
  });

  test('pays, signs on its own SCA page and settles by its own clock; the default bank knows nothing of it', async () => {
    await make('apart', { now });
    const id = await pay('/banks/apart');
    const page = await bank.signed('POST', `/banks/apart${singlePath}`, {
      headers: psu,
      body: singlePayment({ instructedAmount: { currency: 'NOK', amount: '7.00' } }),
    });
    const html = await fetch(page.body._links.scaRedirect.href);
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const advanced = await bank.control('POST', '/banks/apart/sandbox/clock/advance', { runs: 1 });
    expect(advanced.body.runs).toMatchObject([{ settled: 1 }]);
    const path = encodeURIComponent(id);
    expect((await bank.control('GET', `/banks/apart/sandbox/payments/${path}`)).status).toBe(200);
    expect((await bank.control('GET', `/sandbox/payments/${path}`)).status).toBe(404);
    expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe(now);
  });

  test('keeps links relative to its base, and faults armed in one do not strike another', async () => {
    await make('armed', { now });
    await bank.control('POST', '/banks/armed/sandbox/faults', { code: 'SERVICE_BLOCKED', path: '/v1/payments' });
    const healthy = await bank.signed('POST', singlePath, { headers: psu, body: singlePayment() });
    expect(healthy.body._links.self.href).toMatch(/^\/v1\/payments\//);
    const struck = await bank.signed('POST', `/banks/armed${singlePath}`, { headers: psu, body: singlePayment() });
    expect(struck.body.tppMessages).toMatchObject([{ code: 'SERVICE_BLOCKED' }]);
  });

  test('is listed with its clock and the size of its ledger', async () => {
    const listed = async () =>
      (await bank.control('GET', '/sandbox/banks')).body.banks.find(
        (each: { name: string }) => each.name === 'looked-at',
      );
    await make('looked-at', { now, mode: 'frozen' });
    expect(await listed()).toMatchObject({ clock: { now, mode: 'frozen' }, damage: null });
    await bank.control('POST', '/banks/looked-at/sandbox/clock/advance', { to: '2027-03-30T05:30:00+02:00' });
    const { clock, bytes } = await listed();
    expect(clock).toEqual({ now: '2027-03-30T05:30:00.000+02:00', mode: 'frozen' });
    expect(bytes).toBeGreaterThan(10_000);
    await make('running', { now, mode: 'running' });
    const { banks } = (await bank.control('GET', '/sandbox/banks')).body;
    const running = banks.find((each: { name: string }) => each.name === 'running');
    expect(running.clock.mode).toBe('running');
    expect(Date.parse(running.clock.now)).toBeGreaterThanOrEqual(Date.parse(now));
  });

  test('is listed, and gone with all that it held when it is deleted', async () => {
    await make('brief');
    await pay('/banks/brief');
    const names = async () =>
      (await bank.control('GET', '/sandbox/banks')).body.banks.map((each: { name: string }) => each.name);
    expect(await names()).toEqual(expect.arrayContaining(['default', 'brief']));
    expect((await bank.control('DELETE', '/sandbox/banks/brief')).body).toEqual({ removed: 'brief' });
    expect(await names()).not.toContain('brief');
    expect((await bank.control('GET', '/banks/brief/sandbox/clock')).status).toBe(404);
    expect((await make('brief')).status).toBe(200);
    const id = await pay('/banks/brief');
    expect((await bank.control('GET', `/banks/brief/sandbox/payments/${encodeURIComponent(id)}`)).body.status).toBe(
      'PDNG',
    );
  });

  test('has snapshots of its own', async () => {
    await make('snaps', { now });
    await bank.control('POST', '/banks/snaps/sandbox/snapshots', { name: 'start' });
    await bank.control('POST', '/banks/snaps/sandbox/clock/advance', { by: 'P30D' });
    const restored = await bank.control('POST', '/banks/snaps/sandbox/snapshots/start/restore');
    expect(restored.body).toMatchObject({ restored: 'start', clock: { now } });
    const { body } = await bank.control('GET', '/sandbox/snapshots');
    expect(body).toEqual({ snapshots: [{ name: 'seeded', now }] });
  });
});

test.each<[what: string, settings: object, profile: string | null, quirks: string[]]>([
  ['the profile of the server', {}, 'obos-banken', ['details-days=90']],
  ['quirks of its own, and then no profile', { quirks: ['order'] }, null, ['order=posting']],
  [
    'a profile of its own',
    { profile: 'sparebanken-ost' },
    'sparebanken-ost',
    ['consent-days=90', 'value-date=transfer-day'],
  ],
  [
    'both, which add up',
    { profile: 'sparebanken-ost', quirks: { order: true } },
    'sparebanken-ost',
    ['order=posting', 'consent-days=90', 'value-date=transfer-day'],
  ],
])('Q8: a bank on a server with a profile has %s', async (_, settings, profile, quirks) => {
  const server = await startServer(await readConfigOfProfile({}, ['--profile=obos-banken', ...quiet]));
  const client = new BankClient(server.address);
  const made = await client.control('PUT', '/sandbox/banks/one', settings);
  const { body: shown } = await client.control('GET', '/banks/one/sandbox/profile');
  await server.stop();
  expect([made.status, made.body.quirks, shown.id]).toEqual([201, quirks, profile]);
});

test('Q8: settings that are given win over those of the profile', async () => {
  const given = { profile: 'den-gule-banken', settlementTimes: ['07:00'] };
  await make('own-times', given);
  const { body } = await bank.control('GET', '/banks/own-times/sandbox/info');
  expect(body.configuration.settlementTimes).toEqual(['07:00']);
});

describe('what cannot be', () => {
  test.each([
    ['a/b', 400],
    ['', 400],
    ['Upper', 400],
    ['-x', 400],
    ['ø', 400],
    ['x'.repeat(64), 400],
    ['default', 409],
    ['twice', 409],
  ])('a bank %j: %i as a problem, and no bank is made', async (name, status) => {
    await make('twice');
    const names = async () =>
      (await bank.control('GET', '/sandbox/banks')).body.banks.map((each: { name: string }) => each.name);
    const before = await names();
    const answer = await make(name);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(await names()).toEqual(before);
  });

  test.each([
    [{ fixtures: 'fees' }, 400, { allowed: ['a-year-of-life', 'known-state', 'twins'] }],
    [{ fixtures: '../fixtures/known-state' }, 400, { allowed: ['a-year-of-life', 'known-state', 'twins'] }],
    [{ now: '2027-02-31' }, 400, {}],
    [{ now: '1850-01-01' }, 400, {}],
    [{ quirks: ['no-such'] }, 400, { allowed: expect.arrayContaining(['bban-mod11']) }],
    [{ mode: 'fast' }, 400, {}],
    [{ colour: 'red' }, 400, {}],
  ])('with %j: %i', async (more, status, part) => {
    const answer = await make('wrong', more);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(part);
    expect((await bank.control('GET', '/banks/wrong/sandbox/clock')).status).toBe(404);
  });

  test('deleting the default bank: 409; an unknown one: 404 with those that there are', async () => {
    expect((await bank.control('DELETE', '/sandbox/banks/default')).status).toBe(409);
    const unknown = await bank.control('DELETE', '/sandbox/banks/nobody');
    expect(unknown.status).toBe(404);
    expect(unknown.body.allowed).toContain('twice');
  });

  test('an unknown bank answers in the form of the path: tppMessages for a TPP, else a problem', async () => {
    const tpp = await bank.signed('GET', '/banks/nobody/v1/accounts');
    expect([tpp.status, tpp.body.tppMessages[0].code]).toEqual([404, 'NOT_FOUND']);
    const control = await bank.control('GET', '/banks/nobody/sandbox/clock');
    expect([control.status, control.body.title]).toEqual([404, 'Not Found']);
  });

  test('only the control plane at the root makes banks', async () => {
    await make('child');
    expect((await bank.control('POST', '/banks/child/sandbox/banks', { name: 'grandchild' })).status).toBe(404);
  });
});
