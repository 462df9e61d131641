import { expect, test } from '@jest/globals';
import { dueDays } from '../../engine/settlement/rules/settlement-order.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import type { DueExecution } from '../../engine/settlement/rules/settlement.ts';
import { at } from '../lab/bank.ts';

const date = localDate('2027-03-24');
const run = { date, at: at('2027-03-24T13:30:00+01:00') };
const funds = { id: 1, kind: 'customer', balance: 0n, creditLine: 0n } as const;

function due(id: number, sinceRun: number, executionDate = date): DueExecution {
  const payment = {
    paymentId: id,
    place: id,
    isOccurrence: false,
    isBulkItem: false,
    attempts: 0,
    rejection: null,
    reserved: 0n,
    creditorRefusal: null,
    amount: 1n,
    foreign: null,
  };
  const receivedAt = (run.at + sinceRun) as Instant;
  return { id, ...payment, executionDate, nominalDate: executionDate, receivedAt, debtor: funds, creditor: funds };
}

test('T4: a run takes what was authorised at its instant or before; what came a moment later waits for the next one', () => {
  const waiting = dueDays([due(1, 1), due(2, 0), due(3, -1)]);
  expect(waiting.take(run).map(({ id }) => id)).toEqual([3, 2]);
  expect(waiting.earliest()).toBe(date);
  const next = { date, at: at('2027-03-24T15:30:00+01:00') };
  expect(waiting.take(next).map(({ id }) => id)).toEqual([1]);
  expect(waiting.earliest()).toBeNull();
});

test('S3: a run takes its own day and those before it, never a later one', () => {
  const waiting = dueDays([due(1, -1, addDays(date, 1)), due(2, -1), due(3, -1, addDays(date, -1))]);
  expect(waiting.take(run).map(({ id }) => id)).toEqual([3, 2]);
  expect(waiting.earliest()).toBe('2027-03-25');
});
