import { describe, expect, test } from '@jest/globals';
import type { BankInfo } from '../../api/harness/index.ts';
import { anne, harnessBank, nora, stranger } from './harness-bank.ts';
import '../../api/harness/jest.ts';

const held = harnessBank({ quirks: ['signature-401'] });

describe('bank.topUp', () => {
  test('D3: puts money into an account, booked at once, by BBAN or IBAN', async () => {
    const { iban } = await held.bank.account(anne.bban);
    const { balance, available, transactions } = await held.bank.topUp(anne.bban, '500.00');
    expect([balance, available]).toEqual([
      { amount: '512.00', currency: 'NOK' },
      { amount: '512.00', currency: 'NOK' },
    ]);
    expect(transactions[0]).toMatchObject({ amount: { amount: '500.00' }, bookingDate: '2027-03-24', booked: true });
    const blanks = (iban ?? '').replaceAll(/(.{4})/g, '$1 ').trimEnd();
    expect((await held.bank.topUp(blanks, '0.50')).balance.amount).toBe('512.50');
  });

  test('S4: what is available includes the credit line', async () => {
    const { balance, available } = await held.bank.topUp('34400000036', '1.00');
    expect([balance.amount, available.amount]).toEqual(['501.00', '20501.00']);
    expect((await held.bank.account('34400000036')).available.amount).toBe('20501.00');
  });

  test('S3: between two attempts it brings the funds in time', async () => {
    const payment = await held.bank.tpp().pay({ from: anne.bban, to: stranger, amount: '250.00' });
    await held.bank.clock.advance({ until: { paymentId: payment, status: 'ACCP' } });
    await held.bank.topUp(anne.bban, '238.00');
    await held.bank.clock.advance({ runs: 1 });
    const { attempts } = await held.bank.payments(payment);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['retry', 'settle']);
    await expect(held.bank.account(anne.bban)).toHaveBalance('NOK 0.00');
  });

  test('in the currency of the account', async () => {
    expect((await held.bank.topUp('85523166859', '1.00')).balance.currency).toBe('EUR');
  });

  const later = <Value>(value: Value) => Promise.resolve(value) as unknown as Value;
  test.each<[string, () => Promise<unknown>, string]>([
    ['an unknown account', () => held.bank.topUp('09232911045', '1.00'), 'The nearest is 09232911044;'],
    ['no money', () => held.bank.topUp(nora.bban, '0.00'), '"0.00" is refused: it must be greater than zero.'],
    ['less than nothing', () => held.bank.topUp(nora.bban, '-1.00'), '"-1.00" is refused: it must be'],
    ['more than can be', () => held.bank.topUp(nora.bban, '9999999999999999.00'), 'at most 13 fit.'],
    ['an amount with a comma', () => held.bank.topUp(nora.bban, '1,00'), '"1,00" is refused: '],
    [
      'a number',
      () => held.bank.topUp(nora.bban, 1 as unknown as string),
      "bank.topUp takes an amount as a string, such as '250.00', and got 1.",
    ],
    [
      'a missing await',
      () => held.bank.topUp(later(nora.bban), '1.00'),
      'bank.topUp takes a BBAN or IBAN, and got a promise: an await is missing.',
    ],
  ])('%s is told, and moves nothing', async (_what, topUp, text) => {
    await expect(topUp()).rejects.toThrow(text);
    await expect(held.bank.account(nora.bban)).toHaveBalance('NOK 18000.00');
  });
});

describe('bank.info', () => {
  test('is what GET /sandbox/info answers, with a type', async () => {
    const info: BankInfo = await held.bank.info();
    const raw = await (await held.bank.fetch('/sandbox/info')).json<Omit<BankInfo, 'clock'>>();
    const { clock, ...still } = info;
    expect(raw).toMatchObject(still);
    expect([clock.now, clock.mode]).toEqual(['2027-03-24T12:00:00.000+01:00', 'frozen']);
    expect(info.quirks.filter(({ on }) => on).map(({ name }) => name)).toEqual(['signature-401']);
    const psu = info.psus.find(({ customerNumber }) => customerNumber === nora.psu);
    expect(psu?.accounts.map(({ bban }) => bban)).toContain(nora.bban);
  });
});
