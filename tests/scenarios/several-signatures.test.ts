import { expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { signaturesOf } from '../../engine/payments/rows/signable-payments.ts';
import { memoryBank } from '../lab/bank.ts';
import { sign, orderSigned } from '../lab/payments.ts';

test('R7: all of whose days pass before the last signature is refused then, and stays PATC', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const day = localDate('2027-03-24');
  const plan = { startDate: day, endDate: day, frequency: 'Daily' } as const;
  const { payment } = await orderSigned(bank, { from: 'sigrid', to: 'shop', amount: '1.00' }, plan);
  await bank.ledger.write((tx) =>
    tx
      .updateTable('bank_state')
      .set({ clock_value: Date.UTC(2027, 2, 26) })
      .execute(),
  );
  expect(await sign(bank, payment.resource_id, 'tor')).toBe('EXECUTION_DATE_INVALID');
  const given = await bank.ledger.read((reader) => signaturesOf(reader, { paymentId: payment.id }));
  expect(given.map(({ name }) => name)).toEqual(['Sigrid Signerer']);
});
