import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BankMoves } from '../../api/console/clock/moves.ts';
import { oneAtATime } from '../../api/pipeline/one-at-a-time.ts';
import { listedPersona } from '../../api/start/fixtures.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { advanceClock, followClock } from '../../engine/runs/advance-clock.ts';
import { advanceUntil } from '../../engine/runs/advance-until.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { memoryBank, ofProfile } from '../lab/bank.ts';
import { people } from '../lab/payments.ts';
import { live, productStep, takeProductStep, upheavals } from '../lab/random-actions.ts';
import { runs } from '../support/sample.ts';

const family = await listedPersona('family');
const minutes = 60_000;

/** What a person does at the console: something happens, a tick may pass, and the clock is moved and perhaps moved back. */
const step = fc.record({
  actions: upheavals.map((actions) => actions.slice(0, 8)),
  products: fc.array(productStep, { maxLength: 2 }),
  ticks: fc.record({ before: fc.boolean(), between: fc.boolean(), after: fc.boolean() }),
  move: fc.oneof(fc.record({ runs: fc.integer({ min: 1, max: 4 }) }), fc.record({ ms: fc.nat(9 * 1_440 * minutes) })),
  isUndone: fc.boolean(),
});
const history = fc.record({
  begin: fc.constantFrom('2027-03-24T12:00:00+01:00', '2026-12-22T23:59:00+01:00', '2027-01-29T15:31:00+01:00'),
  profile: fc.constantFrom('bien-sparebank', 'handelsbanken-norge', 'sparebank1-ostlandet'),
  hasLife: fc.boolean(),
  steps: fc.array(step, { minLength: 2, maxLength: 6 }),
});

test('C10: after any story an Undo brings back the ledger, ids included, wherever a tick of the clock comes', async () => {
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ begin, profile, hasLife, steps }) => {
      await using stack = new AsyncDisposableStack();
      const bank = await memoryBank(begin, await ofProfile(profile));
      stack.defer(() => bank.close());
      const { catchUp } = followClock(bank);
      const turn = oneAtATime(() => undefined);
      const moves = new BankMoves({ bank, turn, catchUp: () => catchUp() });
      const tick = (isDue: boolean): Promise<void> => (isDue ? turn.tick(() => catchUp()) : Promise.resolve());
      if (hasLife) await beginLife(bank, people.even.bban, { persona: family, months: 1 });
      for (const { actions, products, ticks, move, isUndone } of steps) {
        await live(bank, actions);
        for (const each of products) await takeProductStep(bank, { ...each, runs: 0 });
        await tick(ticks.before);
        const hash = await hashLedger(bank, 'included');
        await tick(ticks.between);
        const now = await bank.ledger.read((reader) => bankNow(bank, reader));
        await moves
          .recording()
          .runExclusive<unknown>(() =>
            'runs' in move ? advanceUntil(bank, move) : advanceClock(bank, (now + move.ms) as Instant),
          );
        if (!isUndone || moves.last === null) continue;
        await tick(ticks.after);
        await moves.undo(moves.last.seen);
        await tick(ticks.after);
        expect(await hashLedger(bank, 'included')).toBe(hash);
        undone += 1;
      }
    }),
    { numRuns: runs(18) },
  );
  expect(undone).toBeGreaterThan(0);
});
