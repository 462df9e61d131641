import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bulkStatus } from '../../engine/payments/rules/payment-status.ts';
import { duplicatesWithin } from '../../engine/payments/rules/transfer-rules.ts';
import type { ExecutionStatus } from '../../engine/settlement/rules/decide-attempts.ts';

test.each<[string, readonly ExecutionStatus[], string]>([
  ['all lack funds', ['ACCP', 'ACCP'], 'ACCP'],
  ['one is rejected, none has settled', ['ACCP', 'RJCT'], 'ACCP'],
  ['one has settled, one lacks funds', ['ACSC', 'ACCP'], 'PART'],
  ['one has settled, one was not tried', ['ACSC', 'PDNG'], 'PART'],
  ['all have settled', ['ACSC', 'ACSC'], 'ACSC'],
  ['some have settled, the rest is rejected', ['ACSC', 'RJCT'], 'PART'],
  ['S9c: some have settled, the rest is cancelled', ['ACSC', 'CANC'], 'PART'],
  ['all are rejected', ['RJCT', 'RJCT'], 'RJCT'],
])('S9b: %s', (_, items, status) => {
  expect(bulkStatus(new Set(items))).toBe(status);
});

test('P7: duplicates within one body are all but the first of those that are alike', () => {
  const transfer = fc.record({
    creditorNumber: fc.constantFrom('90491105991', '74712699947'),
    amount: fc.record({
      currency: fc.constantFrom('NOK' as const, 'EUR' as const),
      minor: fc.bigInt({ min: 1n, max: 4n }),
    }),
  });
  fc.assert(
    fc.property(fc.array(transfer, { maxLength: 30 }), (transfers) => {
      const text = transfers.map((one) => `${one.creditorNumber} ${one.amount.currency} ${one.amount.minor}`);
      const expected = text.flatMap((key, index) =>
        text.indexOf(key) < index ? [{ index, first: text.indexOf(key) }] : [],
      );
      expect(duplicatesWithin(transfers)).toEqual(expected);
    }),
  );
});
