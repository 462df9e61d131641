import { beforeEach, describe, expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment, strangerBban } from '../lab/bodies.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/* What the console says of a creditor depends on whose account it is: this bank knows its own only. */
const bank = testBank(beforeEaster);
beforeEach(() => bank.control('POST', '/sandbox/reset', {}));

const own = '74712699947';
/** A number as pages write it, with no-break spaces. */
const grouped = (number: string): string => number.replace(/^(.{4})(..)/, '$1\u00a0$2\u00a0');
const page = async (path: string): Promise<string> =>
  (await new ConsoleClient(bank.address).get(`/console${path}`)).text;
const payTo = (bban: string): Promise<string> =>
  pay(bank, singlePath, singlePayment({ creditorAccount: { bban, currency: 'NOK' } }));
const inThisBank = async (paymentId: string): Promise<unknown> => (await bank.payment(paymentId)).creditorInThisBank;

describe('the creditor of a payment', () => {
  test('in this bank: the page of the payment links to the account', async () => {
    const paymentId = await payTo(own);
    expect(await page(`/payments/${encodeURIComponent(paymentId)}`)).toContain(`accounts/${own}"`);
    expect(await inThisBank(paymentId)).toBe(true);
  });

  test('that was deleted: closed, and no link', async () => {
    const paymentId = await payTo(own);
    const { body: accounts } = await bank.signed('GET', '/v1/sandbox/accounts');
    const { resourceId } = accounts.find(({ bban }: { bban: string }) => bban === own);
    expect(await bank.signed('DELETE', `/v1/sandbox/accounts/${resourceId}`)).toMatchObject({ status: 204 });
    for (const path of ['', '/payments', `/payments/${encodeURIComponent(paymentId)}`]) {
      const text = await page(path);
      expect(text).not.toContain(`accounts/${own}`);
      if (path.startsWith('/payments/'))
        expect(text).toMatch(new RegExp(`${grouped(own)}</span>\\s*<span class="soft">closed</span>`));
    }
    expect(await inThisBank(paymentId)).toBe(false);
    const { payments } = (await bank.control('GET', '/sandbox/payments')).body;
    expect(payments).toMatchObject([{ creditor: { number: own, inThisBank: false, closed: true } }]);
  });

  test('in another bank: no link', async () => {
    const elsewhere = await payTo(strangerBban);
    for (const path of ['', '/payments', `/payments/${encodeURIComponent(elsewhere)}`]) {
      const text = await page(path);
      expect(text).not.toContain(`accounts/${strangerBban}`);
      if (path.startsWith('/payments/'))
        expect(text).toMatch(
          new RegExp(`${grouped(strangerBban)}</span>\\s*<span class="soft">not in this bank</span>`),
        );
    }
    expect(await inThisBank(elsewhere)).toBe(false);
    const { payments } = (await bank.control('GET', '/sandbox/payments')).body;
    expect(payments).toMatchObject([{ creditor: { number: strangerBban, inThisBank: false } }]);
  });

  test('of a bulk payment: several', async () => {
    const bulk = await pay(bank, bulkPath, bulkPayment([bulkItem('1.00'), bulkItem('2.00')]));
    expect(await inThisBank(bulk)).toBeNull();
    expect(await page('/payments')).toContain('Several payees');
  });
});

test('the overview counts its payments in words that fit', async () => {
  await payTo(own);
  expect(await page('')).toMatch(/<h1>1 payment will settle<\/h1>/);
  await payTo(strangerBban);
  expect(await page('')).toMatch(/<h1>2 payments will settle<\/h1>/);
});
