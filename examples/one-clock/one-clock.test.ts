/** @jest-environment node */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { type Bank, createBank, followClock } from 'sandbank';
import 'sandbank/jest';
import { Shop } from './shop.ts';

// The shop as it is, with its timers. The tests move one clock, that of the bank.
const nora = { psu: '13039319955', bban: '09232911044' };
const per = { psu: '15817550018', bban: '34500000017' };
/** The bank returns what is paid to this account on the next banking day. */
const closed = '99110000002';
let bank: Bank;
let shop: Shop;
beforeAll(async () => {
  bank = await createBank({ now: '2027-03-24T12:00:00+01:00', port: 0 });
  shop = new Shop(bank.url, await bank.tpp({ name: 'shop' }).credentials());
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => bank.close());

test('order on the Wednesday before Easter, reminder on the third banking day, payment, return and refund', async () => {
  jest.useFakeTimers();
  await followClock(bank, jest);
  const job = setInterval(() => shop.remind(), 6 * 3_600_000);
  const order = shop.order();
  expect(order).toMatchObject({ orderedOn: '2027-03-24', remindOn: '2027-04-01' });

  await bank.clock.advance('2027-03-31T23:00:00+02:00');
  expect(order.remindedOn).toBeNull();
  await bank.clock.advance('PT2H');
  expect(order.remindedOn).toBe('2027-04-01');
  clearInterval(job);

  const { amount } = (await bank.account(per.bban)).balance;
  await bank.psu(nora.psu).approve(await shop.pay(order, nora));
  await bank.clock.advance({ runs: 1 });
  expect(await shop.status(order.payment, nora.psu)).toBe('ACSC');
  await expect(bank.account(nora.bban)).toHaveBalance('NOK 17750.00');

  // The goods come back after a week, and the account that the customer gives is closed.
  await bank.clock.advance('P7D');
  await bank.psu(per.psu).approve(await shop.refund(order, closed));
  await bank.clock.advance({ runs: 1 });
  expect(await shop.status(order.refund)).toBe('ACSC');
  await expect(bank.account(per.bban)).toHaveBalance(`NOK ${amount}`);
  await bank.clock.advance('P1D');
  await expect(bank.account(per.bban)).not.toHaveBalance(`NOK ${amount}`);

  await bank.psu(per.psu).approve(await shop.refund(order, nora.bban));
  await bank.clock.advance({ runs: 1 });
  expect(await shop.status(order.refund)).toBe('ACSC');
  await expect(bank.account(nora.bban)).toHaveBalance('NOK 18000.00');
  await expect(bank.account(per.bban)).toHaveBalance(`NOK ${amount}`);
});
