import { expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { signaturesOf } from '../../engine/payments/rows/signable-payments.ts';
import { memoryBank } from '../lab/bank.ts';
import { sign, orderSigned } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { tell } from '../support/story.ts';

test('S2: an account that needs two signatures: PATC after the first, on its way after the last', async () => {
  const { bank, payments } = await tell(`
    at 2027-03-24 12:00
    pay  rent 100.00 sigrid -> shop on 2027-03-31 | RCVD
    see  rent                                     | gone
    sign rent                                     | PATC
    see  rent                                     | PATC
    at 2027-03-31 16:00                           | no runs
    balance sigrid                                | 90000.00
    sign rent as tor                              | PDNG
    at 2027-04-01 05:30                           | 2027-04-01/1 settled 1
    history rent                                  | RCVD PATC PDNG ACSC
    balance sigrid                                | 89900.00
  `);
  const id = payments.get('rent')?.payment.id ?? 0;
  const signatures = await bank.ledger.read((reader) => signaturesOf(reader, { paymentId: id }));
  expect(signatures.map(({ name }) => name)).toEqual(['Sigrid Signerer', 'Tor Signerer']);
  expect(await brokenProofs(bank)).toEqual({});
  await bank.close();
});

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
