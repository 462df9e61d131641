import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { balanceLimit } from '../../engine/values/money.ts';
import { decideAttempts } from '../../engine/settlement/rules/decide-attempts.ts';
import type { DueExecution } from '../../engine/settlement/rules/decide-attempts.ts';

const day = localDate('2027-04-12');
const accounts: fc.Arbitrary<readonly DueExecution['debtor'][]> = fc
  .array(fc.record({ balance: fc.bigInt({ min: -50n, max: 500n }), creditLine: fc.bigInt({ min: 0n, max: 100n }) }), {
    minLength: 2,
    maxLength: 6,
  })
  .map((funds) => funds.map((one, id) => ({ id, kind: 'customer', ...one })));

const batches: fc.Arbitrary<readonly DueExecution[]> = accounts.chain((known) => {
  const account = fc.constantFrom(...known);
  const fields = {
    amount: fc.bigInt({ min: 1n, max: 300n }),
    attempts: fc.nat({ max: 4 }),
    reserved: fc.bigInt({ min: 0n, max: 80n }),
    debtor: account,
    creditor: account,
  };
  return fc.array(fc.record(fields), { maxLength: 40 }).map((due) =>
    due.map((one, index) => ({
      ...one,
      id: index + 1,
      paymentId: index + 1,
      isOccurrence: false,
      isBulkItem: false,
      rejection: null,
      creditorNumber: '90491105991',
      creditorRefusal: null,
      foreign: null,
      executionDate: day,
      nominalDate: day,
      receivedAt: index as Instant,
      place: index,
    })),
  );
});

describe('a settlement plan', () => {
  test('S5: money is moved, never made: the balances that changed sum to what they were', () => {
    fc.assert(
      fc.property(batches, (due) => {
        const before = new Map(
          due.flatMap(({ debtor, creditor }) => [debtor, creditor]).map((one) => [one.id, one.balance]),
        );
        const { balances } = decideAttempts(due);
        let change = 0n;
        for (const [id, balance] of balances) change += balance - (before.get(id) ?? 0n);
        expect(change).toBe(0n);
      }),
    );
  });

  test('S3, S4, S8b: told one at a time with a purse for each account, it goes the same way', () => {
    fc.assert(
      fc.property(batches, (due) => {
        const purse = new Map(
          due.flatMap(({ debtor, creditor }) => [debtor, creditor]).map((one) => [one.id, one.balance]),
        );
        const told = due.map(({ id, amount, attempts, reserved, debtor, creditor }) => {
          const funds = (purse.get(debtor.id) ?? 0n) + debtor.creditLine - reserved;
          if (funds < amount) return `${id} ${attempts === 4 ? 'reject' : 'retry'} of ${funds}`;
          purse.set(debtor.id, (purse.get(debtor.id) ?? 0n) - amount);
          purse.set(creditor.id, (purse.get(creditor.id) ?? 0n) + amount);
          return `${id} settle of ${funds}`;
        });
        const { decisions, balances } = decideAttempts(due);
        expect(decisions.map((one) => `${one.execution.id} ${one.outcome} of ${one.available}`)).toEqual(told);
        for (const [id, balance] of balances) expect(balance).toBe(purse.get(id));
      }),
    );
  });

  test('S4: no debtor is taken beyond its credit line, and no attempt has a number above five', () => {
    fc.assert(
      fc.property(batches, (due) => {
        const { decisions, balances } = decideAttempts(due);
        expect(decisions.every(({ attempt }) => attempt >= 1 && attempt <= 5)).toBe(true);
        for (const { execution, outcome, available } of decisions) {
          if (outcome === 'settle') expect(available).toBeGreaterThanOrEqual(execution.amount);
        }
        for (const { debtor } of due) {
          const balance = balances.get(debtor.id);
          // An account may begin below its line; it is not taken further.
          const floor = debtor.balance < -debtor.creditLine ? debtor.balance : -debtor.creditLine;
          if (balance !== undefined) expect(balance).toBeGreaterThanOrEqual(floor);
        }
      }),
    );
  });

  test('S3: what comes later changes nothing for what comes before', () => {
    fc.assert(
      fc.property(batches, fc.nat(), (due, cut) => {
        const some = due.slice(0, cut % (due.length + 1));
        expect(decideAttempts(due).decisions.slice(0, some.length)).toEqual(decideAttempts(some).decisions);
      }),
    );
  });

  test('P4: a credit that would pass 10^17 is rejected at once', () => {
    const full = { id: 1, kind: 'customer', balance: balanceLimit - 5n, creditLine: 0n } as const;
    const rich = { id: 2, kind: 'customer', balance: 1000n, creditLine: 0n } as const;
    const one = {
      paymentId: 1,
      isOccurrence: false,
      isBulkItem: false,
      rejection: null,
      creditorNumber: '90491105991',
      reserved: 0n,
      creditorRefusal: null,
      foreign: null,
      executionDate: day,
      nominalDate: day,
      receivedAt: 0 as Instant,
      place: 1,
    };
    const due = [5n, 1n].map((amount, id) => ({ ...one, id, amount, attempts: 0, debtor: rich, creditor: full }));
    expect(decideAttempts(due).decisions.map(({ outcome }) => outcome)).toEqual(['settle', 'reject']);
    const clearing = due.map((execution) => ({ ...execution, creditor: { ...full, kind: 'clearing' as const } }));
    expect(decideAttempts(clearing).decisions.map(({ outcome }) => outcome)).toEqual(['settle', 'settle']);
  });
});
