import { expect, test } from '@jest/globals';
import type { PaymentOrder } from '../../api/harness/index.ts';
import { harnessBank, nora, stranger } from './harness-bank.ts';

const held = harnessBank();

/** With an agreement that demands a KID of modulus 10. */
const billed = '34400000028';
const order = { from: nora.bban, to: billed, amount: '250.00' };
const right = '2345676';

test('P6: pay sends the KID, in a payment, an instant one and an item of a bulk payment', async () => {
  const tpp = held.bank.tpp();
  const reference = [{ reference: right, referenceType: 'SCOR' }];
  const single = await tpp.pay({ ...order, kid: right });
  expect((await tpp.payment(single)).remittanceInformationStructuredArray).toEqual(reference);
  const instant = {
    ...order,
    amount: '3.00',
    kid: right,
    product: 'instant-norwegian-domestic-credit-transfers-straks',
  } as const;
  await tpp.pay(instant);
  const payments = [
    { to: billed, amount: '1.00', kid: right },
    { to: stranger, amount: '2.00' },
  ];
  const bulk = await tpp.payment(await tpp.pay({ from: nora.bban, payments }));
  expect(bulk.payments?.map((each) => each.remittanceInformationStructuredArray)).toEqual([reference, undefined]);
  await held.bank.clock.advance({ runs: 2 });
  const reader = await tpp.consent({ psu: nora.psu });
  const { booked } = await reader.transactions(nora.bban);
  expect(booked.some((each) => each.remittanceInformationStructuredArray?.[0]?.reference === right)).toBe(true);
});

test.each([
  ['none', undefined, 'KID_MISSING'],
  ['a wrong one', '2345670', 'KID_INVALID'],
  ['no KID at all', 'abc', 'FORMAT_ERROR'],
])('P6: the bank judges it: %s', async (_what, kid, code) => {
  const payment = held.bank.tpp().pay({ ...order, ...(kid !== undefined && { kid }) });
  await expect(payment).rejects.toMatchObject({ name: 'BankError', status: 400, code });
});

test.each<[string, object, string]>([
  ['a number', { kid: 2_345_676 }, 'tpp.pay takes a KID, a text of digits, in kid, and got 2345676.'],
  [
    'a standing order',
    { kid: right, on: '2027-04-15', every: 'Monthly' },
    'tpp.pay takes no kid with every: a standing order carries no structured reference.',
  ],
  [
    'a SEPA payment',
    { kid: right, product: 'sepa-credit-transfers' },
    'tpp.pay takes no kid with sepa-credit-transfers: only domestic payments carry one.',
  ],
  [
    'a cross-border payment',
    { kid: right, product: 'cross-border-credit-transfers' },
    'tpp.pay takes no kid with cross-border-credit-transfers: only domestic payments carry one.',
  ],
  [
    'all of a bulk payment',
    { to: undefined, amount: undefined, kid: right, payments: [{ to: billed, amount: '1.00' }] },
    'tpp.pay takes no kid with payments: each of them has a creditor, an amount in NOK and perhaps a KID of its own.',
  ],
  [
    'an item, as a number',
    { to: undefined, amount: undefined, payments: [{ to: billed, amount: '1.00', kid: 1 }] },
    'tpp.pay takes a KID, a text of digits, in payments[0].kid, and got 1.',
  ],
])('a kid of %s is refused', async (_what, more, text) => {
  const pay = held.bank.tpp().pay({ ...order, ...more } as unknown as PaymentOrder);
  await expect(pay).rejects.toThrow(text);
});
