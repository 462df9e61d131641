import { expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import { nora, stranger } from '../harness/harness-bank.ts';

/* rules.md Q3: a test that pays, signs, reads and deletes with the harness works under ids of other lengths. */

test('Q3: the calls of the harness take the id that the TPP got, and that of the ledger', async () => {
  await using bank = await createBank({
    now: '2027-03-24T12:00:00+01:00',
    quirks: { 'id-lengths': 'transaction:241/payment:69/resource:120', 'reissued-ids': 'P1D' },
  });
  const tpp = bank.tpp();
  const order = { from: nora.bban, to: stranger, amount: '10.00', on: '2027-04-01' };
  const paymentId = await tpp.pay(order);
  expect(paymentId).toHaveLength(69);
  const story = await bank.payments(paymentId);
  expect([story.wirePaymentId, story.paymentId.length]).toEqual([paymentId, 49]);
  for (const id of [paymentId, story.paymentId]) {
    expect((await tpp.status(id)).transactionStatus).toBe('ACSP');
    expect((await tpp.payment(id)).paymentId).toBe(paymentId);
  }
  const { reached } = await bank.clock.advance({ until: { paymentId, status: 'ACSC' } });
  expect(reached).toBe(true);
  const other = await tpp.pay({ ...order, amount: '11.00', on: '2027-04-15' });
  await tpp.cancel(other);
  expect((await bank.payments(other)).status).toBe('CANC');
  const last = await tpp.pay({ ...order, amount: '12.00', on: '2027-04-15' });
  await tpp.cancel((await bank.payments(last)).paymentId);
  expect((await bank.payments(last)).status).toBe('CANC');
  await bank.clock.advance({ runs: 1 });
  const reader = await tpp.consent({ psu: nora.psu });
  const { booked } = await reader.transactions(nora.bban);
  const [first] = booked ?? [];
  expect(first?.transactionId).toHaveLength(241);
  const id = first?.transactionId ?? '';
  expect((await reader.transaction(nora.bban, id)).transactionId).toBe(id);
  await bank.clock.advance({ by: 'P1D' });
  await expect(reader.transaction(nora.bban, id)).rejects.toThrow(/no booked transaction/);
});
