import { expect, test } from '@jest/globals';
import type { Bank } from '../../engine/open-bank.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, memoryBank, type OwnBank } from '../lab/bank.ts';
import { statementsOf } from '../support/count-statements.ts';
import { orderSigned } from '../lab/payments.ts';

/**
 * Beside a run: the state is read, and read again in the transaction; what is due is asked, whether a reservation is to
 * be booked before the run and after it (rules.md D3d), and the state is stored, with the moment of the steady clock.
 */
const around = 6;

async function bankWithOrders(count: number): Promise<OwnBank> {
  const bank = await memoryBank('2027-04-12T16:00:00+02:00');
  const plan = { startDate: localDate('2027-04-13'), frequency: 'Weekly' } as const;
  for (let index = 1; index <= count; index += 1) {
    await orderSigned(bank, { from: 'nora', to: 'even', amount: `${index}.00` }, plan);
  }
  return bank;
}

const writesTo = (statements: readonly string[], table: string): number =>
  statements.filter((text) => RegExp(`^(insert into|update(?: or fail)?) "?${table}\\b`).test(text)).length;

/**
 * The statements of one transaction, on however busy a machine: a move that has used its time goes on in another one, which reads the
 * state again and stores it again. Here no time passes for it.
 */
async function statementsInTime(bank: Bank, work: () => Promise<unknown>): Promise<string[]> {
  const { monotonic } = systemClock;
  const stopped = monotonic();
  Object.assign(systemClock, { monotonic: () => stopped });
  try {
    return await statementsOf(bank, work);
  } finally {
    Object.assign(systemClock, { monotonic });
  }
}

// Up to 32 rows are one statement.
test.each([1, 7, 32])(
  'R9: a run of %i standing orders takes 14 statements, and reads the orders once',
  async (count) => {
    await using bank = await bankWithOrders(count);
    const statements = await statementsInTime(bank, () => advanceClock(bank, at('2027-04-13T05:30:00+02:00')));
    // The state was read before, and nothing was written since.
    expect(statements).toHaveLength(around - 1 + 14);
    expect(statements.filter((text) => /^select .* from "standing_order"/.test(text))).toHaveLength(1);
    for (const table of ['execution', 'attempt', 'entry', 'account', 'standing_order', 'settlement_run']) {
      expect([table, writesTo(statements, table)]).toEqual([
        table,
        ['execution', 'settlement_run'].includes(table) ? 2 : 1,
      ]);
    }
  },
);

test('an advance that ends before its first step stores nothing', async () => {
  await using bank = await bankWithOrders(1);
  const goal = at('2027-04-13T05:30:00+02:00');
  const advance = () => advanceClock(bank, goal, { shouldStop: () => Promise.resolve(true) });
  const statements = await statementsInTime(bank, advance);
  expect(statements).toEqual(Array(2).fill('select * from "bank_state"'));
});

test('S6, T6: a run that only books takes one statement: its row', async () => {
  await using bank = await bankWithOrders(1);
  await advanceClock(bank, at('2027-04-13T05:30:00+02:00'));
  let booked = 0;
  const statements = await statementsInTime(bank, async () => {
    const { runs } = await advanceClock(bank, at('2027-04-13T09:30:00+02:00'));
    booked = runs.reduce((sum, run) => sum + run.booked, 0);
  });
  expect(booked).toBe(1);
  expect(statements).toHaveLength(around + 1);
  expect(writesTo(statements, 'bank_state')).toBe(1);
});
