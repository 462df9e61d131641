import { describe, expect, test } from '@jest/globals';
import type { ExecutionRule } from '../../engine/time/rules/banking-calendar.ts';
import { forecastReason } from '../../engine/runs/rules/forecast-reason.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import type { AttemptOutcome, DueExecution } from '../../engine/settlement/rules/settlement.ts';
import { calendar } from '../../scripts/lab/bank.ts';

const at = 0 as Instant;

interface Case {
  readonly wanted?: string;
  readonly rule?: ExecutionRule;
  readonly executed?: string;
  readonly tried?: string;
  readonly outcome?: AttemptOutcome;
  readonly attempt?: number;
  /** Posted before the forecast, and the credit line. */
  readonly balance?: bigint;
  readonly creditLine?: bigint;
  readonly available?: bigint;
  readonly fee?: bigint;
}

/** A payment of 100.00 from an account that holds 100.00. */
function reason(one: Case): string {
  const { wanted = '2027-04-14', rule = 'following', executed = wanted, tried = executed } = one;
  const { outcome = 'settle', attempt = 1, balance = 100_00n, creditLine = 0n, fee = 0n } = one;
  const date = localDate(executed);
  const debtor = { id: 1, kind: 'customer', balance, creditLine } as const;
  const clearing = { id: 2, kind: 'clearing', balance: 0n, creditLine: 0n } as const;
  const execution: DueExecution = {
    ...{
      id: 1,
      paymentId: 1,
      isOccurrence: false,
      isBulkItem: false,
      rejection: null,
      creditorRefusal: null,
      executionDate: date,
      nominalDate: date,
    },
    ...{ authorisedAt: at, attempts: attempt - 1, amount: 100_00n, debtor, creditor: clearing },
    foreign: fee === 0n ? null : { fee, clearing, exchange: null },
  };
  const available = one.available ?? balance + creditLine;
  const decision = { execution, outcome, attempt, available, needed: 100_00n + fee, reason: null, movements: [] };
  const run = { date: localDate(tried), number: 1, at };
  return forecastReason({ run, decision, wanted: localDate(wanted), rule, currency: 'NOK' }, calendar);
}

describe('the day', () => {
  test.each<[string, Case, string]>([
    ['a banking day', {}, 'due 2027-04-14'],
    [
      'P3: one closed day',
      { wanted: '2027-05-06', executed: '2027-05-07' },
      'due 2027-05-06; Kristi himmelfartsdag 6 May closed, so moved to Friday 7 May (following)',
    ],
    [
      'a weekend',
      { wanted: '2027-04-17', executed: '2027-04-19' },
      'due 2027-04-17; Saturday 17 April to Sunday 18 April closed, so moved to Monday 19 April (following)',
    ],
    [
      'R6: preceding names what lies between',
      { wanted: '2027-03-26', executed: '2027-03-24', rule: 'preceding' },
      'due 2027-03-26; Skjærtorsdag 25 March to Langfredag 26 March closed, so moved to Wednesday 24 March (preceding)',
    ],
    [
      'R6: preceding, signed when that day was over',
      { wanted: '2027-03-26', executed: '2027-03-30', rule: 'preceding' },
      'due 2027-03-26; Skjærtorsdag 25 March to Langfredag 26 March closed, and signed too late for Wednesday 24 March (preceding), so moved to Tuesday 30 March',
    ],
    [
      'P13: signed after its day',
      { wanted: '2027-04-13', executed: '2027-04-14' },
      'due 2027-04-13; signed after that day, so moved to Wednesday 14 April',
    ],
    [
      'T4: signed after the last run of its day',
      { executed: '2027-04-14', tried: '2027-04-15' },
      'due 2027-04-14; signed after the runs of that day, so tried on Thursday 15 April',
    ],
    ['a later attempt on a later day', { tried: '2027-04-15', attempt: 2 }, 'due 2027-04-14'],
  ])('%s', (_what, one, day) => {
    expect(reason(one).replace(/; funds suffice.*$/, '')).toBe(day);
  });
});

describe('S4: the funds', () => {
  test.each<[string, Case, string]>([
    ['enough', {}, 'funds suffice'],
    ['at the third attempt', { attempt: 3 }, 'funds suffice, attempt 3 of 5'],
    ['with a credit line', { balance: 0n, creditLine: 100_00n }, 'funds suffice'],
    ['more has come', { balance: 1n, available: 100_00n }, 'funds suffice (99.99 NOK more than now)'],
    [
      'more has gone',
      { balance: 200_00n, creditLine: 5_00n, available: 99_99n, outcome: 'retry' },
      'funds 0.01 NOK short (105.01 NOK less than now), attempt 1 of 5',
    ],
    [
      'the fifth',
      { balance: 0n, outcome: 'reject', attempt: 5 },
      'funds 100.00 NOK short, attempt 5 of 5, so rejected',
    ],
    [
      'P11: a fee counts',
      { fee: 15_00n, outcome: 'retry', attempt: 2 },
      'funds 15.00 NOK short (fee of 15.00 NOK included), attempt 2 of 5',
    ],
    ['P4: a full account', { outcome: 'reject' }, 'rejected, as an account would hold more than it can'],
  ])('%s', (_what, one, funds) => {
    expect(reason(one)).toBe(`due 2027-04-14; ${funds}`);
  });
});
