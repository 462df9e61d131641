import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Bank } from '../../engine/bank.ts';
import { isBankingDay } from '../../engine/core/banking-calendar.ts';
import type { LocalDate } from '../../engine/core/local-date.ts';
import { canMove } from '../../engine/core/transaction-status.ts';
import type { TransactionStatus } from '../../engine/core/transaction-status.ts';
import { calendar, memoryBank } from '../support/bank.ts';
import { brokenProofs } from '../support/proof.ts';
import { histories, live } from '../support/random-actions.ts';
import type { Action } from '../support/random-actions.ts';
import { countedIds, dump, rowsOf } from '../support/rows.ts';

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
  const bank = await memoryBank(begin, { ids: countedIds() });
  await live(bank, actions, pieces);
  const seen = await look(bank);
  await bank.close();
  return seen;
}

function holds(name: string, runs: number, check: (begin: string, actions: readonly Action[]) => Promise<void>): void {
  test(name, () => fc.assert(fc.asyncProperty(beginnings, histories, check), { numRuns: runs }), 60_000);
}

describe('after any history', () => {
  holds(
    'S5: entries sum to zero, balances are the sum of entries, and every other proof holds',
    40,
    async (begin, actions) => {
      expect(await lived(begin, actions, (bank) => brokenProofs(bank))).toEqual({});
    },
  );

  holds('S9b: statuses moved along the transition table only', 25, async (begin, actions) => {
    const changes = await lived(begin, actions, (bank) => {
      return bank.ledger.read((reader) => rowsOf(reader, 'select payment_id, status from status_change order by id'));
    });
    const current = new Map<unknown, TransactionStatus>();
    for (const { payment_id: payment, status } of changes) {
      const from = current.get(payment) ?? 'new';
      const to = status as TransactionStatus;
      expect(`${from} -> ${to}: ${canMove(from, to)}`).toBe(`${from} -> ${to}: true`);
      current.set(payment, to);
    }
  });

  holds('T4: nothing was attempted on a closed day, and no run took place twice', 25, async (begin, actions) => {
    const runs = await lived(begin, actions, (bank) => {
      return bank.ledger.read((reader) => rowsOf(reader, 'select run_date, run_number, execution_id from attempt'));
    });
    const closed = runs.filter((run) => !isBankingDay(run['run_date'] as LocalDate, calendar));
    expect(closed).toEqual([]);
    const keys = runs.map(
      (run) => `${String(run['run_date'])}/${String(run['run_number'])} ${String(run['execution_id'])}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('the histories reach every status and every end of an attempt', async () => {
    const reached = new Set<unknown>();
    for (const actions of fc.sample(histories, { seed: 7, numRuns: 25 })) {
      const rows = await lived('2027-03-22T12:00:00+01:00', actions, (bank) => {
        return bank.ledger.read((reader) =>
          rowsOf(reader, 'select status from status_change union select outcome from attempt'),
        );
      });
      for (const { status } of rows) reached.add(status);
    }
    const wanted = ['ACCP', 'ACSC', 'ACSP', 'CANC', 'PART', 'PDNG', 'RCVD', 'RJCT', 'reject', 'retry', 'settle'];
    expect([...reached].sort()).toEqual(wanted);
  }, 60_000);

  holds('T5: advancing in pieces gives the rows of advancing in one go', 20, async (begin, actions) => {
    const [whole, split] = [await lived(begin, actions, dump), await lived(begin, actions, dump, 7)];
    expect(split).toEqual(whole);
  });
});
