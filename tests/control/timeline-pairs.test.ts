import { expect, test } from '@jest/globals';
import { startTestBank } from '../lab/server.ts';

/* K19 beside what changes the bank under it: lives, returns, quirks, snapshots, a running clock, Undo's ledger, saved banks. */

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

test('K19 and returns: those that the forecast plans are in the window: of a payment, a standing order and a part of a bulk payment', async () => {
  await using bank = await startTestBank(wednesday);
  const [next, third] = ['99110000002', '99120000000'].map((to) => ({ to, creditorName: 'Payee', amount: '1.00' }));
  const { from } = order;
  await bank.control('POST', '/sandbox/payments', { from, ...next });
  await bank.control('POST', '/sandbox/payments', { from, ...next, amount: '2.00', every: 'Weekly', on: '2027-03-30' });
  const transfers = [{ to: order.to, amount: '3.00' }, third, { ...next, amount: '99999.00' }];
  await bank.control('POST', '/sandbox/payments', { from, payments: transfers });
  const returns = async (to = '2027-04-07'): Promise<unknown> => {
    const { body } = await bank.control('GET', `/sandbox/timeline?from=2027-03-22&to=${to}`);
    const payments = body.payments as readonly { readonly service: string; readonly returns: readonly object[] }[];
    return Object.fromEntries(payments.map(({ service, returns: own }) => [service, own]));
  };
  const planned = (due: string, text = 'account closed') => ({ due, at: null, text });
  const ofOrder = [planned('2027-03-31'), planned('2027-04-07')];
  const ofBulk = [planned('2027-04-01', 'refused by the beneficiary')];
  expect(await returns()).toEqual({
    payments: [planned('2027-03-30')],
    'periodic-payments': ofOrder,
    'bulk-payments': ofBulk,
  });
  // What comes back after the window is told with the try before it.
  expect(await returns('2027-03-30')).toMatchObject({ 'periodic-payments': ofOrder.slice(0, 1) });
  // Announced, then booked: each is told once, and as it was planned.
  await bank.advance({ to: '2027-03-24T16:00:00+01:00' });
  expect(await returns()).toMatchObject({ payments: [planned('2027-03-30')], 'bulk-payments': ofBulk });
  await bank.advance({ to: '2027-04-05T12:00:00+02:00' });
  const booked = (due: string, text?: string) => ({ ...planned(due, text), at: `${due}T05:30:00.000+02:00` });
  expect(await returns()).toEqual({
    payments: [booked('2027-03-30')],
    'periodic-payments': [booked('2027-03-31'), planned('2027-04-07')],
    'bulk-payments': [booked('2027-04-01', 'refused by the beneficiary')],
  });
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
