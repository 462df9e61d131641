import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadPriceList } from '../../api/start/fixtures.ts';
import type { Bank } from '../../engine/open-bank.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { Forecast } from '../../engine/runs/list-runs.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { memoryBank } from '../lab/bank.ts';
import { lookThenGo } from '../lab/forecast-and-fact.ts';
import { type Action, live, productStep, type ProductStep, takeProductStep, upheavals } from '../lab/random-actions.ts';
import { dump, rowsIn } from '../lab/rows.ts';
import { runs } from '../support/sample.ts';

const prices = await loadPriceList();

/** Closed days are near: Easter, May, Christmas; a change of the clocks. */
const beginnings = fc.constantFrom(
  '2027-03-22T12:00:00+01:00',
  '2027-03-24T15:31:00+01:00',
  '2027-05-14T07:00:00+02:00',
  '2027-10-29T15:30:00+02:00',
  '2026-12-22T23:59:00+01:00',
);

interface History {
  readonly begin: string;
  readonly actions: readonly Action[];
  readonly steps: readonly ProductStep[];
  /** Two looks ahead, one after the other, in minutes. */
  readonly ahead: readonly [number, number];
}

const minutes = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 120_000 }));

/** Orders from one account, signed at one instant, for the same days: their occurrences compete (rules.md S3). */
const twins: fc.Arbitrary<readonly Action[]> = fc
  .record({ amounts: fc.array(fc.integer({ min: 10, max: 4_000 }), { maxLength: 3 }), isDaily: fc.boolean() })
  .map(({ amounts, isDaily }) => [
    ...amounts.map((kroner): Action => {
      const days = { inDays: 1, forDays: 40, frequency: isDaily ? 'Daily' : 'Weekly' } as const;
      return { do: 'order', from: 'nora', to: 'shop', kroner, ...days, executionRule: 'following' };
    }),
    ...amounts.map((_, which): Action => ({ do: 'sign', which })),
  ]);

const history: fc.Arbitrary<History> = fc.record({
  begin: beginnings,
  // Without the long wait at the end, after which little is open.
  actions: fc.tuple(twins, upheavals).map(([first, later]) => [...first, ...later.slice(0, -1)]),
  steps: fc.array(productStep, { maxLength: 6 }),
  ahead: fc.tuple(minutes, minutes),
});

async function lived({ begin, actions, steps }: History): Promise<Bank> {
  const bank = await memoryBank(begin, { prices });
  await live(bank, actions);
  for (const step of steps) await takeProductStep(bank, { ...step, runs: 0 });
  return bank;
}

describe('whatever waits in the ledger', () => {
  test('a forecast tells each attempt that the runs then make, with its funds, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (past) => {
        const bank = await lived(past);
        for (const ahead of past.ahead) {
          const { foreseen, made } = await lookThenGo(bank, ahead);
          expect(foreseen).toEqual(made);
        }
        await bank.close();
      }),
      { numRuns: runs(20) },
    );
  });

  test('D3e: a forecast cut from a longer one that was kept is the one that was made for its instant', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (past) => {
        const bank = await lived(past);
        const [near, far] = [Math.min(...past.ahead), Math.max(...past.ahead)];
        const made = await look(bank, near);
        await look(bank, far);
        expect(await look(bank, near)).toEqual(made);
        await bank.close();
      }),
      { numRuns: runs(8) },
    );
  });

  test('a forecast leaves every row of the ledger as it is', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (past) => {
        const bank = await lived(past);
        const before = await dump(bank);
        const [one, other] = [await look(bank, past.ahead[1]), await look(bank, past.ahead[1])];
        expect(await dump(bank)).toEqual(before);
        expect(other).toEqual(one);
        await bank.close();
      }),
      { numRuns: runs(5) },
    );
  });

  test('the histories hold what can differ: every outcome, five attempts, items, fees, exchanges, laid occurrences', async () => {
    const seen = new Set<string>();
    for (const past of fc.sample(history, { seed: 10, numRuns: 20 })) {
      const bank = await lived(past);
      const laid = await rowsIn(bank, 'select max(id) as id from execution');
      for (const ahead of past.ahead) {
        const { told, foreseen, made } = await lookThenGo(bank, ahead);
        expect(foreseen).toEqual(made);
        remember(seen, told);
      }
      const found = await rowsIn(bank, `${kindsOfMoney} union all ${lateOccurrences(Number(laid[0]?.['id'] ?? 0))}`);
      for (const { kind } of found) seen.add(String(kind));
      await bank.close();
    }
    expect([...seen].sort()).toEqual(
      [
        ...['settle', 'retry', 'reject', 'the fifth attempt', 'item'],
        ...['settled', 'short', 'refused', 'fee in the sentence'],
        ...['moved (following)', 'moved (preceding)', 'late', 'fee', 'exchange', 'own account', 'laid on the way'],
        'end of an order',
      ].sort(),
    );
  }, 120_000);
});

async function look(bank: Bank, ahead: number): Promise<Forecast> {
  const now = await bank.ledger.read((reader) => bankNow(bank, reader));
  return forecast(bank, { to: (now + ahead * 60_000) as Instant });
}

function remember(seen: Set<string>, { executions }: Forecast): void {
  for (const { outcome, item, causes } of executions) {
    seen.add(outcome);
    if (item !== null) seen.add('item');
    for (const cause of causes) {
      seen.add(cause.kind === 'moved' ? `moved (${cause.rule})` : cause.kind);
      if ('attempt' in cause && cause.attempt === 5) seen.add('the fifth attempt');
      if ('fee' in cause && cause.fee !== null) seen.add('fee in the sentence');
    }
  }
}

const kindsOfMoney = `
  select distinct 'fee' as kind from entry where is_fee = 1 and execution_id is not null
  union all select distinct 'exchange' from entry where execution_id is not null group by execution_id
    having count(distinct (select currency from account where account.id = account_id)) > 1
  union all select distinct 'own account' from entry join account on account.id = account_id
    where execution_id is not null and amount_minor > 0 and kind = 'customer'
  union all select distinct 'end of an order' from payment
    where service = 'periodic-payments' and status = 'ACSC'`;

function lateOccurrences(lastId: number): string {
  return `select distinct 'laid on the way' from attempt where execution_id > ${lastId}`;
}
