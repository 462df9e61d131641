import { describe, expect, test } from '@jest/globals';
import { anne, harnessBank, nora, stranger } from './harness-bank.ts';
import '../../api/harness/jest.ts';

const held = harnessBank();
const maundyThursday = '2027-03-25';
const order = { from: nora.bban, to: stranger, amount: '250.00', on: maundyThursday };
const shared = '34330000017';

describe('a payment in three lines', () => {
  test('paid on a holiday it settles on the next banking day', async () => {
    const payment = await held.bank.tpp().pay(order);
    await held.bank.clock.advance('2027-03-31');
    await expect(held.bank.payments(payment)).toSettleOn('2027-03-30');
    await expect(held.bank.account(nora.bban)).toHaveBalance('NOK 17750.00');
  });

  test('without funds it is rejected after five attempts', async () => {
    const payment = await held.bank.tpp().pay({ ...order, from: anne.bban });
    const { executions } = await held.bank.forecast('2027-03-31');
    expect(executions.map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'retry', 'retry', 'reject']);
    await held.bank.clock.advance({ until: { paymentId: payment, status: 'RJCT' } });
    await expect(held.bank.payments(payment)).toBeRejectedAfter(5);
  });

  test('P14b: with the money it is rejected for the reason that a test gives', async () => {
    const payment = await held.bank.tpp().pay(order);
    const reason = 'the creditor account is closed';
    expect(await held.bank.reject(payment, { reason })).toMatchObject({ occurrences: [{ rejection: reason }] });
    await held.bank.clock.advance('2027-03-31');
    await expect(held.bank.payments(payment)).toBeRejectedAfter(1);
    await expect(held.bank.account(nora.bban)).toHaveBalance('NOK 18000.00');
    await expect(held.bank.reject(payment, { reason })).rejects.toThrow('The payment is RJCT, which is final');
  });

  test('a periodic payment goes on until its end', async () => {
    const monthly = { from: nora.bban, to: stranger, amount: '10.00', on: '2027-04-15', every: 'Monthly' };
    const payment = await held.bank.tpp().pay({ ...monthly, until: '2027-06-20' });
    await held.bank.clock.advance('P4M');
    for (const day of ['2027-04-15', '2027-05-18', '2027-06-15']) {
      await expect(held.bank.payments(payment)).toSettleOn(day);
    }
  });

  test('all who must sign for a corporation do', async () => {
    const payment = await held.bank.tpp().pay({ from: shared, to: stranger, amount: '10.00' });
    const { status, signatures } = await held.bank.payments(payment);
    expect({ status, signed: signatures.length }).toEqual({ status: 'PDNG', signed: 2 });
  });

  test('one who signs alone where two must is not enough', async () => {
    const alone = { from: shared, to: stranger, amount: '10.00', signedBy: ['17818050100'] };
    await expect(held.bank.tpp().pay(alone)).rejects.toThrow('needs more signatures than those of 17818050100.');
  });

  test('A5: between accounts of one PSU nobody needs to sign, once the PSU has had an SCA with this TPP', async () => {
    const signatures = async (amount: string): Promise<number> => {
      const payment = await held.bank.tpp().pay({ ...order, amount, to: '70323119469' });
      return (await held.bank.payments(payment)).signatures.length;
    };
    expect([await signatures('1.00'), await signatures('2.00'), await signatures('3.00')]).toEqual([1, 0, 0]);
  });

  test.each([
    [
      'an unknown debtor',
      { from: '09232911045' },
      'This bank has no account "09232911045". The nearest is 09232911044;',
    ],
    ['an amount that is none', { amount: '1,5' }, 'The payment was refused, 400: FORMAT_ERROR instructedAmount.amount'],
    ['a refusal', { from: '34500000025' }, 'The payment was refused, 403: SERVICE_BLOCKED debtorAccount The bank has'],
    ['a PSU who may not', { signedBy: ['12085592767'] }, 'The PSU 12085592767 could not sign: FORBIDDEN'],
    ['nobody to sign', { signedBy: [] }, 'signedBy names nobody.'],
  ])('%s is told', async (_what, changes, text) => {
    await expect(held.bank.tpp().pay({ ...order, ...changes })).rejects.toThrow(text);
  });
});

describe('the clock', () => {
  test('goes to a date, by a duration, or by runs, and tells what happened', async () => {
    expect(await held.bank.clock.advance('2027-03-30')).toMatchObject({
      to: '2027-03-30T00:00:00.000+02:00',
      runs: [],
    });
    expect((await held.bank.clock.advance('P1D')).to).toBe('2027-03-31T00:00:00.000+02:00');
    expect((await held.bank.clock.advance({ runs: 2 })).to).toBe('2027-03-31T09:30:00.000+02:00');
  });

  test.each([
    ['backwards', '2027-01-01', /has passed: the bank clock shows .* Allowed: from 2027-03-24T12:00/],
    ['a duration that is none', 'P3X', /"P3X" is refused: expected an ISO 8601 duration/],
    ['nothing', undefined, /^advance takes a date, a duration such as P3D, or .* got undefined\.$/],
    ['no date', 'Easter', /"Easter" is refused: /],
  ])('%s is told', async (_what, target, text) => {
    await expect(held.bank.clock.advance(target as string)).rejects.toThrow(text);
  });

  test('is set and frozen', async () => {
    expect(await held.bank.clock.set({ now: '2027-01-04', mode: 'frozen' })).toMatchObject({ date: '2027-01-04' });
  });
});

describe('snapshots', () => {
  test('one is restored twice, for two ways on', async () => {
    const payment = await held.bank.tpp().pay(order);
    const signed = await held.bank.snapshot();
    await held.bank.clock.advance('2027-03-31');
    await held.bank.restore(signed);
    await expect(held.bank.payments(payment)).not.toSettleOn('2027-03-30');
    await held.bank.clock.advance('2027-03-31');
    await expect(held.bank.payments(payment)).toSettleOn('2027-03-30');
  });

  test('an unknown one is told with those that there are', async () => {
    await held.bank.snapshot('before');
    await expect(held.bank.restore('after')).rejects.toThrow('There is no snapshot "after". Allowed: seeded, before');
  });
});
