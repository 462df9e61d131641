import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Bank } from '../../engine/open-bank.ts';
import { isBankingDay } from '../../engine/time/rules/banking-calendar.ts';
import { localDate, type LocalDate } from '../../engine/values/local-date.ts';
import { transitions } from '../../engine/values/transaction-status.ts';
import { advanceUntil } from '../../engine/runs/advance-until.ts';
import { calendar, memoryBank } from '../lab/bank.ts';
import { inventedMoves, movesOf } from '../support/moves.ts';
import { brokenProofs } from '../lab/proof.ts';
import { payTooMuch } from '../support/rejected-at-once.ts';
import { live, upheavals } from '../lab/random-actions.ts';
import type { Action } from '../lab/random-actions.ts';
import { dump, type Row, rowsIn } from '../lab/rows.ts';
import { runs } from '../support/sample.ts';

/** Banks begin where closed days are near: Easter, May, Christmas, a change of the clocks. */
const beginnings = fc.constantFrom(
  '2027-03-22T12:00:00+01:00',
  '2027-05-04T07:00:00+02:00',
  '2027-10-29T15:30:00+02:00',
  '2026-12-22T23:59:00+01:00',
);

async function lived<T>(
  begin: string,
  actions: readonly Action[],
  look: (bank: Bank) => Promise<T>,
  pieces = 1,
): Promise<T> {
  const bank = await memoryBank(begin, { ids: { seed: 'counted' } });
  await live(bank, actions, pieces);
  const seen = await look(bank);
  await bank.close();
  return seen;
}

function holds(name: string, usual: number, check: (begin: string, actions: readonly Action[]) => Promise<void>): void {
  test(name, () => fc.assert(fc.asyncProperty(beginnings, upheavals, check), { numRuns: runs(usual) }));
}

/** Money for Anne, in the payment of that place in the order of initiation. */
const fund = (kroner: number, which = 1): readonly Action[] => [
  { do: 'pay', from: 'nora', to: 'anne', kroner, inDays: 0 },
  { do: 'sign', which },
  { do: 'wait', minutes: 1100 },
];

/** What chance seldom puts together: money that comes late or not, for a payment or a part of it. */
const stories: readonly (readonly Action[])[] = [
  [
    { do: 'pay', from: 'anne', to: 'shop', kroner: 2000, inDays: 0 },
    { do: 'sign', which: 0 },
    { do: 'wait', minutes: 100 },
    ...fund(5000),
  ],
  [
    { do: 'bulk', from: 'anne', to: ['shop', 'kari', 'even'], kroner: 2000, inDays: 0 },
    { do: 'sign', which: 0 },
    { do: 'wait', minutes: 100 },
    ...fund(3000),
    { do: 'close', whose: 'anne' },
  ],
  [
    { do: 'bulk', from: 'anne', to: ['shop', 'kari'], kroner: 2000, inDays: 0 },
    { do: 'sign', which: 0 },
    { do: 'wait', minutes: 100 },
    ...fund(3000),
    ...fund(3000, 2),
  ],
  [
    { do: 'bulk', from: 'nora', to: ['shop', 'kari'], kroner: 10, inDays: 1 },
    { do: 'sign', which: 0 },
    { do: 'reject', which: 0, part: 1 },
    { do: 'wait', minutes: 1100 },
  ],
  [
    { do: 'instant', from: 'sigrid', to: 'shop', kroner: 120_000 },
    { do: 'sign', which: 0 },
    { do: 'sign', which: 0 },
    { do: 'bulk', from: 'anne', to: ['shop', 'kari'], kroner: 11, inDays: 0 },
    { do: 'sign', which: 1 },
    { do: 'wait', minutes: 100 },
  ],
  [
    { do: 'pay', from: 'anne', to: 'shop', kroner: 2000, inDays: 0 },
    { do: 'sign', which: 0 },
    { do: 'wait', minutes: 100 },
    { do: 'close', whose: 'anne' },
  ],
  [
    // A signature makes Nora known, so that what she pays to herself is exempt.
    { do: 'pay', from: 'nora', to: 'shop', kroner: 2, inDays: 0 },
    { do: 'sign', which: 0 },
    { do: 'instant', from: 'nora', to: 'savings', kroner: 120_000 },
    { do: 'pay', from: 'nora', to: 'savings', kroner: 1, inDays: 0 },
    { do: 'pay', from: 'nora', to: 'savings', kroner: 3, inDays: 9 },
    { do: 'instant', from: 'nora', to: 'savings', kroner: 1 },
    { do: 'close', whose: 'nora' },
  ],
];

/** A full creditor account is too rare for chance: these come from a story of their own. */
async function rareMoves(): Promise<string[]> {
  const moves: string[] = [];
  for (const day of ['2027-04-12', '2027-04-13']) {
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    await payTooMuch(bank, localDate(day));
    await advanceUntil(bank, { runs: 6 });
    moves.push(...(await movesOf(bank)).map((move) => move.join(' -> ')));
  }
  return moves;
}

/** An instant payment is tried without a run (P10). */
function attemptsInRuns(bank: Bank): Promise<Row[]> {
  const statement = 'select run_date, run_number, execution_id from attempt where run_date is not null';
  return rowsIn(bank, statement);
}

describe('after any history', () => {
  holds(
    'S9b: statuses moved along the transition table only; S5, T4: money, days and runs are right',
    30,
    async (...history) => {
      const [broken, moves, attempts] = await lived(...history, (bank) =>
        Promise.all([brokenProofs(bank), movesOf(bank), attemptsInRuns(bank)]),
      );
      // Entries sum to zero, balances are the sum of entries, and every other proof holds.
      expect(broken).toEqual({});
      expect(inventedMoves(moves)).toEqual([]);
      // Nothing was attempted on a closed day, and no run took place twice.
      expect(attempts.filter((run) => !isBankingDay(run['run_date'] as LocalDate, calendar))).toEqual([]);
      const keys = attempts.map(
        (run) => `${String(run['run_date'])}/${String(run['run_number'])} ${String(run['execution_id'])}`,
      );
      expect(new Set(keys).size).toBe(keys.length);
    },
  );

  test('S9b: every row of the transition table is reached, and every end of an attempt', async () => {
    const moves = new Set(await rareMoves());
    const ends = new Set<unknown>();
    for (const actions of [...stories, ...fc.sample(upheavals, { seed: 6, numRuns: 45 })]) {
      const seen = await lived('2027-03-22T12:00:00+01:00', actions, async (bank) => ({
        moves: await movesOf(bank),
        attempts: await rowsIn(bank, 'select distinct outcome from attempt'),
      }));
      for (const move of seen.moves) moves.add(move.join(' -> '));
      for (const { outcome } of seen.attempts) ends.add(outcome);
    }
    expect([...moves].sort()).toEqual(transitions.map(([from, to]) => `${from} -> ${to}`).sort());
    expect([...ends].sort()).toEqual(['reject', 'retry', 'settle']);
  }, 120_000);

  holds('T5: advancing in pieces gives the rows of advancing in one go', 6, async (begin, actions) => {
    const [whole, split] = [await lived(begin, actions, dump), await lived(begin, actions, dump, 7)];
    expect(split).toEqual(whole);
  });
});
