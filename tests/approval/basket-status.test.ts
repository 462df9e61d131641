import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { basketStatus } from '../../engine/approval/rules/basket.ts';
import { transactionStatuses, type TransactionStatus } from '../../engine/values/transaction-status.ts';

const all = Object.keys(transactionStatuses) as TransactionStatus[];

test.each<[TransactionStatus[], TransactionStatus]>([
  [['ACSC', 'RJCT', 'CANC'], 'RJCT'],
  [['ACSC', 'CANC', 'RCVD'], 'CANC'],
  [['ACSP', 'RCVD', 'PATC'], 'RCVD'],
  [['PATC', 'PDNG'], 'PATC'],
  [['ACSP', 'PDNG', 'ACCP'], 'ACCP'],
  [['ACSC', 'ACSP', 'PDNG'], 'PDNG'],
  [['ACSC', 'PART'], 'PART'],
  [['ACSC', 'ACSC'], 'ACSC'],
])('States: the most negative of %j is %s', (statuses, worst) => {
  expect(basketStatus(statuses)).toBe(worst);
});

test("it is one of the payments' own, in whatever order they stand, and no better for more payments", () => {
  const some = fc.array(fc.constantFrom(...all), { minLength: 1 });
  fc.assert(
    fc.property(some, fc.constantFrom(...all), (statuses, more) => {
      const worst = basketStatus(statuses);
      expect(statuses).toContain(worst);
      expect(basketStatus([...statuses].reverse())).toBe(worst);
      expect([worst, more]).toContain(basketStatus([...statuses, more]));
    }),
  );
});
