import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Bank } from '../../engine/open-bank.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, memoryBank, type OwnBank } from '../lab/bank.ts';
import { orderSigned } from '../lab/payments.ts';

const target = at('2027-06-24T12:00:00+02:00');
let bank: Bank;

beforeEach(async () => {
  bank = await bankWithDailyOrder();
});
afterEach(() => bank.close());

async function bankWithDailyOrder(): Promise<OwnBank> {
  const made = await memoryBank('2027-03-24T12:00:00+01:00');
  const plan = { startDate: localDate('2027-03-26'), frequency: 'Daily' } as const;
  await orderSigned(made, { from: 'nora', to: 'even', amount: '0.01' }, plan);
  return made;
}

test('T5: short runs share commits', async () => {
  const before = bank.ledger.version();
  const { runs } = await advanceClock(bank, target);
  expect(runs.length).toBeGreaterThan(100);
  expect(bank.ledger.version() - before).toBeLessThan(runs.length);
});

test('T5: who hears of each run hears of it after its own commit, and the ledger is the same', async () => {
  const commits: number[] = [];
  const ran = (): void => void commits.push(bank.ledger.version());
  const { runs } = await advanceClock(bank, target, { ran });
  expect([commits.length, new Set(commits).size]).toEqual([runs.length, runs.length]);
  await using other = await bankWithDailyOrder();
  const report = await advanceClock(other, target);
  expect(report.runs).toEqual(runs);
  expect(await hashLedger(other, 'left-out')).toBe(await hashLedger(bank, 'left-out'));
});
