import { describe, expect, test } from '@jest/globals';
import type { Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { balanceLimit } from '../../engine/values/money.ts';
import { decideAttempts, statusAfter } from '../../engine/settlement/rules/decide-attempts.ts';
import type { DueExecution } from '../../engine/settlement/rules/decide-attempts.ts';

const day = localDate('2027-04-12');
const accounts: Readonly<Record<string, DueExecution['debtor']>> = {
  A: { id: 1, kind: 'customer', balance: 100n, creditLine: 0n },
  B: { id: 2, kind: 'customer', balance: 0n, creditLine: 0n },
  C: { id: 3, kind: 'customer', balance: 0n, creditLine: 50n },
};

function account(name: string): DueExecution['debtor'] {
  const found = accounts[name];
  if (found === undefined) throw new Error(`no account ${name}`);
  return found;
}

/** `A>B 100` or, with three earlier attempts, `A>B 100 3`. */
function dueOf(text: string, index: number): DueExecution {
  const [, debtor = '', creditor = '', amount = '', attempts = '0'] = /^(\w)>(\w) (\d+) ?(\d)?$/.exec(text) ?? [];
  return {
    id: index + 1,
    paymentId: index + 1,
    isOccurrence: false,
    isBulkItem: false,
    rejection: null,
    creditorNumber: '90491105991',
    reserved: 0n,
    creditorRefusal: null,
    foreign: null,
    executionDate: day,
    nominalDate: day,
    receivedAt: index as Instant,
    place: index,
    attempts: Number(attempts),
    amount: BigInt(amount),
    debtor: account(debtor),
    creditor: account(creditor),
  };
}

describe('S3, S4: a batch of due executions, of accounts A 100, B 0 and C 0 with a credit line of 50', () => {
  test.each([
    ['exactly what is there', ['A>B 100'], ['settle 1 of 100'], 'A 0, B 100'],
    ['one øre short', ['A>B 101'], ['retry 1 of 100'], ''],
    ['the credit line is funds', ['C>B 50', 'C>B 1'], ['settle 1 of 50', 'retry 1 of 0'], 'B 50, C -50'],
    [
      'a credit counts for those after it',
      ['A>B 60', 'B>C 60'],
      ['settle 1 of 100', 'settle 1 of 60'],
      'A 40, B 0, C 60',
    ],
    ['but not for those before it', ['B>C 60', 'A>B 60'], ['retry 1 of 0', 'settle 1 of 100'], 'A 40, B 60'],
    [
      'one that lacks funds holds up nobody',
      ['A>B 200', 'A>B 100'],
      ['retry 1 of 100', 'settle 1 of 100'],
      'A 0, B 100',
    ],
    ['the fourth attempt is retried', ['B>A 1 3'], ['retry 4 of 0'], ''],
    ['the fifth attempt rejects', ['B>A 1 4'], ['reject 5 of 0'], ''],
    ['the fifth attempt may settle', ['A>B 1 4'], ['settle 5 of 100'], 'A 99, B 1'],
    [
      'money goes round',
      ['A>B 100', 'B>C 100', 'C>A 150'],
      ['settle 1 of 100', 'settle 1 of 100', 'settle 1 of 150'],
      'A 150, B 0, C -50',
    ],
    ['to itself it needs funds and moves nothing', ['A>A 100', 'A>A 101'], ['settle 1 of 100', 'retry 1 of 100'], ''],
    ['nothing due', [], [], ''],
  ])('%s', (_, batch, decided, moved) => {
    const { decisions, balances } = decideAttempts(batch.map(dueOf));
    expect(decisions.map((one) => `${one.outcome} ${one.attempt} of ${one.available}`)).toEqual(decided);
    const changes = Object.entries(accounts).flatMap(([name, { id }]) => {
      const balance = balances.get(id);
      return balance === undefined ? [] : [`${name} ${balance}`];
    });
    expect(changes.join(', ')).toBe(moved);
  });

  test('S3: balances that earlier pages of the run changed replace those of the accounts', () => {
    const moved = new Map([
      [1, 40n],
      [2, 5n],
    ]);
    const { decisions, balances } = decideAttempts(['A>B 41', 'A>B 40', 'B>C 46', 'B>C 45'].map(dueOf), { moved });
    const decided = decisions.map((one) => `${one.outcome} of ${one.available}`);
    expect(decided).toEqual(['retry of 40', 'settle of 40', 'retry of 45', 'settle of 45']);
    expect(balances).toEqual(
      new Map([
        [1, 0n],
        [2, 0n],
        [3, 45n],
      ]),
    );
    expect(moved.get(1)).toBe(40n);
  });

  test.each([
    ['without a fee', 0n, [40n]],
    ['with one', 5n, [40n, 5n]],
    ['with one that is not there', 61n, []],
  ])('P11, S4: a foreign payment %s moves amount and fee, if both are there', (_, fee, moved) => {
    const clearing = { id: 9, kind: 'clearing', balance: 0n } as const;
    const foreign = { fee, valueDate: null, clearing, exchange: null };
    const { decisions, balances } = decideAttempts([{ ...dueOf('A>B 40', 0), foreign }]);
    expect(decisions.flatMap(({ movements }) => movements.map(({ amount }) => amount))).toEqual(moved);
    expect(decisions.map(({ needed }) => needed)).toEqual([40n + fee]);
    expect(balances.get(9)).toBe(fee === 5n ? 5n : undefined);
  });

  test.each([
    ['customer', 'settle'],
    ['clearing', 'reject'],
  ] as const)('D1c: a number with a meaning says nothing of a %s account of this bank: %s', (kind, outcome) => {
    const due = dueOf('A>B 40', 0);
    const { decisions } = decideAttempts([
      { ...due, creditorNumber: '99130000009', creditor: { ...due.creditor, kind } },
    ]);
    expect(decisions.map((one) => one.outcome)).toEqual([outcome]);
  });

  test.each([
    [false, 'retry'],
    [true, 'reject'],
  ])('D1c, P10: no bank is asked again for what waits for no run (%s)', (isAtOnce, outcome) => {
    const creditor = { id: 9, kind: 'clearing', balance: 0n } as const;
    const { decisions } = decideAttempts([{ ...dueOf('A>B 40', 0), creditorNumber: '99140000007', creditor }], {
      isAtOnce,
    });
    expect(decisions.map((one) => [one.outcome, one.reason])).toEqual([
      [outcome, 'the bank of the creditor does not answer'],
    ]);
  });

  test('arguments are not changed', () => {
    const due = Object.freeze(['A>B 60', 'B>C 60'].map(dueOf).map((one) => Object.freeze(one)));
    decideAttempts(due);
    expect(account('A')).toEqual({ id: 1, kind: 'customer', balance: 100n, creditLine: 0n });
  });

  test.each([null, 'the account is closed'])(
    'S4, P5c: the fifth attempt is the last, refused by the creditor account: %s',
    (reason) => {
      const { decisions } = decideAttempts([{ ...dueOf('B>A 1 4', 0), creditorRefusal: reason }]);
      expect(decisions.map((one) => [one.outcome, one.attempt, one.reason])).toEqual([['reject', 5, reason]]);
    },
  );

  test('P14b, P5c: of two reasons that of the control plane is told', () => {
    const refused = { rejection: 'blocked by the test', creditorRefusal: 'the account is closed' };
    const { decisions } = decideAttempts([{ ...dueOf('A>B 1', 0), ...refused }]);
    expect(decisions.map((one) => [one.outcome, one.reason])).toEqual([['reject', 'blocked by the test']]);
  });

  test('P4: what a full account does not take stays with its debtor, and pays the next one', () => {
    const full = { ...dueOf('A>B 60', 0), creditor: { ...account('B'), balance: balanceLimit } };
    const { decisions, balances } = decideAttempts([full, dueOf('A>C 100', 1)]);
    expect(decisions.map(({ outcome, available }) => [outcome, available])).toEqual([
      ['reject', 100n],
      ['settle', 100n],
    ]);
    expect(balances).toEqual(
      new Map([
        [1, 0n],
        [2, balanceLimit],
        [3, 100n],
      ]),
    );
  });

  test('S4: what an attempt makes of an execution', () => {
    expect(statusAfter).toEqual({ settle: 'ACSC', retry: 'ACCP', reject: 'RJCT' });
  });
});
