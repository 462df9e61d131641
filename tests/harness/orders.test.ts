import { describe, expect, test } from '@jest/globals';
import type { PaymentOrder } from '../../api/harness/index.ts';
import { anne, harnessBank, nora, stranger } from './harness-bank.ts';

const held = harnessBank();
const order = { from: nora.bban, to: stranger, amount: '250.00' };

describe('pay makes a payment of every product', () => {
  const made = async (changes: object) => {
    const paymentId = await held.bank.tpp().pay({ ...order, ...changes } as PaymentOrder);
    return { paymentId, story: await held.bank.payments(paymentId) };
  };

  test('P10: an instant one is settled when it is signed, on a holiday too', async () => {
    await held.bank.clock.advance('2027-03-28');
    const product = 'instant-norwegian-domestic-credit-transfers-straks';
    const { paymentId, story } = await made({ product, to: anne.bban });
    expect(story).toMatchObject({ product, status: 'ACSC', entries: [{ amount: { amount: '-250.00' } }] });
    expect(await held.bank.tpp().status(paymentId)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  test('P11: SEPA in EUR, and abroad in any currency', async () => {
    const sepa = await made({ product: 'sepa-credit-transfers', to: 'DE89370400440532013000', amount: '10.00' });
    expect(sepa.story.initiation).toMatchObject({ instructedAmount: { amount: '10.00', currency: 'EUR' } });
    const abroad = { product: 'cross-border-credit-transfers', to: 'SE4550000000058398257466', currency: 'SEK' };
    const crossBorder = await made({ ...abroad, amount: '25.00' });
    expect(crossBorder.story.initiation).toMatchObject({ creditorAccount: { currency: 'SEK' } });
    await held.bank.clock.advance({ runs: 1 });
    for (const { paymentId } of [sepa, crossBorder]) expect((await held.bank.payments(paymentId)).status).toBe('ACSC');
  });

  test('from an account in EUR, in the currency of the account', async () => {
    const from = '85523166859';
    const { story } = await made({
      from,
      product: 'sepa-credit-transfers',
      to: 'DE89370400440532013000',
      amount: '1.00',
    });
    expect(story.initiation).toMatchObject({ debtorAccount: { bban: from, currency: 'EUR' } });
  });

  test('S9b: a bulk payment, signed once', async () => {
    const payments = [
      { to: stranger, amount: '10.00' },
      { to: anne.bban, amount: '20.00', more: { creditorName: 'Anne' } },
    ];
    const { from } = order;
    const paymentId = await held.bank.tpp().pay({ from, payments, on: '2027-03-30' });
    const read = await held.bank.tpp().payment(paymentId);
    expect(read.payments?.map(({ creditorName }) => creditorName)).toEqual(['Payee', 'Anne']);
    await held.bank.clock.advance('2027-03-31');
    const { status, entries } = await held.bank.payments(paymentId);
    expect([status, entries.length]).toEqual(['ACSC', 2]);
    await held.bank.tpp().pay({ from, payments, on: '2027-04-01', signedBy: [] });
  });

  test('P7: the same payment again with allowDuplicate alone', async () => {
    const tpp = held.bank.tpp();
    const first = await tpp.pay(order);
    await expect(tpp.pay(order)).rejects.toMatchObject({ status: 400, code: 'CONFLICT' });
    expect(await tpp.pay({ ...order, allowDuplicate: true })).not.toBe(first);
    const bulk = { from: order.from, payments: [{ to: stranger, amount: '250.00' }] };
    await expect(tpp.pay(bulk)).rejects.toMatchObject({ code: 'CONFLICT' });
    await tpp.pay({ ...bulk, allowDuplicate: true });
  });

  test('R6: a standing order before a closed day, in the spelling of the interface', async () => {
    const standing = { every: 'Monthly', on: '2027-05-01', dayOfExecution: 17 };
    const { story } = await made({ ...standing, executionRule: 'preceeding' });
    expect(story.occurrences[0]).toMatchObject({ nominalDate: '2027-05-17', executionDate: '2027-05-14' });
    await expect(made({ ...standing, executionRule: 'preceding' })).rejects.toThrow(
      'expected one of following, preceeding, spelled so.',
    );
  });

  test.each<[string, object, string]>([
    ['a rule without every', { executionRule: 'following' }, 'tpp.pay takes executionRule with every'],
    [
      'every with a product',
      { every: 'Monthly', on: '2027-04-01', product: 'sepa-credit-transfers' },
      'tpp.pay takes no product with every',
    ],
    ['a day without every', { dayOfExecution: 3 }, 'tpp.pay takes dayOfExecution with every'],
    ['payments with an amount', { payments: [] }, 'tpp.pay takes no to with payments'],
    [
      'payments with every',
      { to: undefined, amount: undefined, payments: [], every: 'Monthly' },
      'tpp.pay takes every or payments',
    ],
    ['payments of no list', { payments: stranger }, 'tpp.pay takes a list of {to, amount} in payments'],
    [
      'an item that is a promise',
      { payments: [Promise.resolve()] },
      'tpp.pay takes {to, amount} as payments[0], and got a promise',
    ],
    ['an item without an amount', { payments: [{ to: stranger }] }, 'in payments[0].amount, and got undefined.'],
    [
      'an item with a wrong member',
      { payments: [{ too: stranger }] },
      'tpp.pay, payments[0], has no option too; the nearest is to.',
    ],
  ])('%s is told', async (_what, changes, text) => {
    await expect(made(changes)).rejects.toThrow(text);
  });
});

describe('a TPP reads its payments', () => {
  test('S7b: the payment, and its status with the reason of a failed attempt', async () => {
    const tpp = held.bank.tpp();
    const paymentId = await tpp.pay({ ...order, from: anne.bban, more: { creditorName: 'Company 123' } });
    expect(await tpp.payment(paymentId)).toMatchObject({
      paymentId,
      transactionStatus: 'PDNG',
      instructedAmount: { amount: '250.00', currency: 'NOK' },
      creditorName: 'Company 123',
      debtorAccount: { bban: anne.bban },
    });
    await held.bank.clock.advance({ runs: 1 });
    const { transactionStatus, fundsAvailable, tppMessages } = await tpp.status(paymentId);
    expect([transactionStatus, fundsAvailable]).toEqual(['ACCP', false]);
    expect(tppMessages?.[0]).toMatchObject({ category: 'WARNING', code: 'PAYMENT_FAILED' });
  });

  test('S9: before a signature the payment says RCVD, and the status is refused', async () => {
    const paymentId = await held.bank.tpp().pay({ ...order, signedBy: [] });
    expect(await held.bank.tpp().payment(paymentId)).toMatchObject({ transactionStatus: 'RCVD' });
    await expect(held.bank.tpp().status(paymentId)).rejects.toMatchObject({ status: 403, code: 'RESOURCE_UNKNOWN' });
  });

  test('of another TPP, or booked, it is refused as the bank refuses it', async () => {
    const paymentId = await held.bank.tpp().pay(order);
    const refused = { name: 'BankError', status: 403, code: 'RESOURCE_UNKNOWN' };
    await expect(held.bank.tpp({ name: 'other' }).payment(paymentId)).rejects.toMatchObject(refused);
    await held.bank.clock.advance({ runs: 2 });
    await expect(held.bank.tpp().status(paymentId)).rejects.toMatchObject(refused);
    const unknown = { name: 'BankError', status: 404, code: 'NOT_FOUND' };
    await expect(held.bank.tpp().payment('none/../x')).rejects.toMatchObject(unknown);
    await expect(held.bank.tpp().payment(undefined as unknown as string)).rejects.toThrow(
      'tpp.payment takes a paymentId',
    );
  });
});
