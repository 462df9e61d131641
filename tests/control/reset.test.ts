import { expect, test } from '@jest/globals';
import { controlForEach } from './control-client.ts';
import { sql } from 'kysely';
import { pay } from '../lab/payments.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const control = controlForEach(now);

test('K5: reset lays the known state, clock and mode too; an empty body will do (D1, T7)', async () => {
  const { payment } = await pay(control.bank, { from: 'nora', to: 'even', amount: '100.00' });
  await control.post('/sandbox/clock/advance', { by: 'P1M' });
  await control.send('PUT', '/sandbox/clock', { body: { mode: 'running' } });
  const { status, body } = await control.post('/sandbox/reset');
  expect([status, body.clock.now, body.clock.mode]).toEqual([200, now, 'frozen']);
  expect((await control.get(`/sandbox/payments/${payment.resource_id}`)).status).toBe(404);
});

test('C5: fixtures are named; later resets keep those of the last reset that named some', async () => {
  const fixturesNow = async () => [
    (await control.get('/sandbox/info')).body.ledger.fixtures,
    (await control.get('/sandbox/accounts')).body.accounts.length,
  ];
  const hashNow = async () => (await control.get('/sandbox/ledger/hash')).body.hash;
  const usual = await hashNow();
  expect((await control.post('/sandbox/reset', { fixtures: 'twins' })).body.fixtures).toBe('twins');
  const [twins, hash] = [await fixturesNow(), await hashNow()];
  expect(twins[0]).toBe('twins');
  const later: readonly (() => Promise<{ status: number }>)[] = [
    () => control.post('/sandbox/reset'),
    () => control.post('/sandbox/snapshots/seeded/restore'),
    () => control.send('PUT', '/sandbox/clock', { body: { now: '2027-03-01' } }),
    () => control.post('/sandbox/reset', { now }),
  ];
  for (const goBack of later) {
    await control.post('/sandbox/accounts/09232911044/top-up', { amount: { amount: '1.00', currency: 'NOK' } });
    expect((await goBack()).status).toBe(200);
    expect(await fixturesNow()).toEqual(twins);
  }
  expect(await hashNow()).toBe(hash);
  expect((await control.post('/sandbox/reset', { fixtures: 'known-state' })).status).toBe(200);
  expect((await fixturesNow())[0]).toBe('known-state');
  expect((await control.post('/sandbox/reset')).body.fixtures).toBe('known-state');
  expect(await hashNow()).toBe(usual);
});

test('a set that cannot be laid for a reason that nobody expected is no fault of the request: 500, logged', async () => {
  // A row that no table of the bank has, and that holds on to one of them.
  await control.bank.ledger.write(async (tx) => {
    await sql`create table kysely_stray (customer_id integer references customer (id))`.execute(tx);
    await sql`insert into kysely_stray select id from customer`.execute(tx);
  });
  const { status, body } = await control.post('/sandbox/reset', { fixtures: 'twins' });
  expect([status, body.detail]).toEqual([500, expect.not.stringContaining('FOREIGN')]);
  expect(control.logged.join()).toContain('FOREIGN KEY constraint failed');
});

test.each(['exchange', 'fees', '../package', '../fixtures/known-state', '/etc/passwd', 'known-state.json', '.', ''])(
  'no set of fixtures: %j',
  async (fixtures) => {
    const { status, body } = await control.post('/sandbox/reset', { fixtures });
    expect(status).toBe(400);
    if (fixtures !== '') expect(body.allowed).toEqual(['a-year-of-life', 'known-state', 'twins']);
  },
);
