import { expect, test } from '@jest/globals';
import { startTestBank } from '../lab/server.ts';

/* K19 beside what changes the bank under it: lives, quirks, snapshots, a running clock, Undo's ledger, saved banks. */

const wednesday = '2027-03-24T12:00:00+01:00';
const window = '/sandbox/timeline?from=2027-03-24&to=2027-04-16';
const order = { from: '09232911044', to: '86011117947', creditorName: 'Påskehytta AS', amount: '250.00' };

test('K19 and lives: what they do besides payments is no row', async () => {
  await using bank = await startTestBank(wednesday);
  await bank.control('POST', '/sandbox/life', { account: order.from, persona: 'pensioner', months: 1 });
  const { body } = await bank.control('GET', window);
  const { planned } = (await bank.control('GET', '/sandbox/forecast?to=2027-04-17')).body;
  expect(planned.length).toBeGreaterThan(1);
  expect(body.payments.map(({ status }: { status: string }) => status)).toEqual([]);
});

test('K19 and quirks: under id-lengths the id of the wire stands beside the ledger’s, and either names a payment', async () => {
  await using bank = await startTestBank(wednesday, ['--quirks', 'id-lengths']);
  await bank.control('POST', '/sandbox/payments', order);
  const [{ paymentId, wirePaymentId }] = (await bank.control('GET', window)).body.payments;
  expect(wirePaymentId).not.toBe(paymentId);
  for (const id of [paymentId, wirePaymentId]) {
    const { body } = await bank.control('GET', `${window}&payment=${encodeURIComponent(id)}`);
    expect(body.payments.map((each: { paymentId: string }) => each.paymentId)).toEqual([paymentId]);
  }
  // What is kept holds under the quirks alone that it was made under.
  await bank.control('PUT', '/sandbox/quirks', { quirks: { 'id-lengths': false } });
  expect((await bank.control('GET', window)).body.payments[0]).not.toHaveProperty('wirePaymentId');
});

test('K19 and snapshots: a restore brings back what the window was', async () => {
  await using bank = await startTestBank(wednesday);
  await bank.control('POST', '/sandbox/payments', { ...order, on: '2027-03-25' });
  await bank.control('POST', '/sandbox/snapshots', { name: 'before' });
  const before = (await bank.control('GET', window)).body;
  await bank.advance({ to: '2027-03-30T05:30:00+02:00' });
  expect((await bank.control('GET', window)).body.totals).toMatchObject({ settled: 1, settles: 0 });
  await bank.control('POST', '/sandbox/snapshots/before/restore');
  expect((await bank.control('GET', window)).body).toEqual(before);
  await bank.control('POST', '/sandbox/reset');
  expect((await bank.control('GET', window)).body.payments).toEqual([]);
});

test('K19 and a running clock: what is kept has the time of now', async () => {
  await using bank = await startTestBank(wednesday);
  await bank.control('POST', '/sandbox/payments', { ...order, on: '2027-03-25' });
  await bank.control('PUT', '/sandbox/clock', { mode: 'running', rate: 3600 });
  const look = async () => (await bank.control('GET', window)).body;
  const first = await look();
  // Calls of one millisecond have one bank time.
  let later = await look();
  while (later.now === first.now) later = await look();
  expect(Date.parse(later.now)).toBeGreaterThan(Date.parse(first.now));
  expect([first.payments, later.payments].map(({ length }) => length)).toEqual([1, 1]);
});
