import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { transactionNumberIn, transactionIdOf } from '../../engine/accounts/rules/transaction-list.ts';
import { runs } from '../support/sample.ts';

const entryIds = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 10 ** 12 - 1 }));

describe('P2, S6: a transactionId', () => {
  test('has the form of the other ids and leads back to its entry', () => {
    const holds = (entryId: number) => {
      expect(transactionIdOf(entryId)).toMatch(/^enc!![\w-]+==$/);
      expect(transactionNumberIn(transactionIdOf(entryId))).toBe(entryId);
    };
    fc.assert(fc.property(entryIds, holds));
  });

  test('with one character changed, taken or added leads nowhere, or to another entry by its own id', () => {
    const change = fc.record({ entryId: entryIds, at: fc.nat({ max: 40 }), put: fc.string({ maxLength: 2 }) });
    const holds = ({ entryId, at, put }: { entryId: number; at: number; put: string }) => {
      const id = transactionIdOf(entryId);
      const changed = id.slice(0, at) + put + id.slice(at + 1);
      const found = transactionNumberIn(changed);
      if (found !== null) expect(transactionIdOf(found)).toBe(changed);
    };
    fc.assert(fc.property(change, holds), { numRuns: runs(300) });
  });

  test.each(['', 'enc!!', 'enc!!==', '42', 'txn-000000000042', 'enc%21%21', `enc!!${'A'.repeat(22)}==`])(
    '%p is none',
    (text) => {
      expect(transactionNumberIn(text)).toBeNull();
    },
  );

  test('stays what it was in earlier versions', () => {
    expect(transactionIdOf(42)).toBe('enc!!dHhuLTAwMDAwMDAwMDA0Mg==');
  });
});
