import { randomInt } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Bank } from '../../engine/open-bank.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { hashedColumns } from '../../engine/ledger/content-hash.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { initializeSandbox } from '../../engine/sandbox-data/create-known-state.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { at, manualClock, memoryBank } from '../lab/bank.ts';
import { paySigned } from '../lab/payments.ts';
import { live, upheavals, type Action } from '../lab/random-actions.ts';
import { runs } from '../support/sample.ts';

const seed = randomInt(2 ** 31);
const monday = '2027-03-22T12:00:00+01:00';
const month = 30 * 24 * 60 * 60 * 1000;

/** Lives a history without its end, then lets 30 days pass, stopping at parts of them on the way. */
async function hashAfter(actions: readonly Action[], stops: readonly number[], wall: Instant): Promise<string> {
  const bank = await memoryBank(monday, { wall: manualClock(wall), start: { mode: 'frozen', now: at(monday) } });
  await live(bank, actions.slice(0, -1));
  const now = await bank.ledger.read((reader) => bankNow(bank, reader));
  for (const part of [...stops, 1]) await advanceClock(bank, (now + Math.floor(part * month)) as Instant);
  const hash = await hashLedger(bank, 'left-out');
  await bank.close();
  return hash;
}

const stops = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 });
const inOrder = stops.map((parts) => parts.sort((one, other) => one - other));

test(`K12, T5: an advance in pieces gives the content hash of one go, with other ids and at another wall time (seed ${seed})`, async () => {
  const holds = fc.asyncProperty(upheavals, inOrder, async (actions, parts) => {
    const whole = await hashAfter(actions, [], at(monday));
    expect(await hashAfter(actions, parts, at('2031-05-05'))).toBe(whole);
  });
  await fc.assert(holds, { seed, numRuns: runs(10) });
});

describe('the content hash', () => {
  const hashOf = async (ids: 'included' | 'left-out', act: (bank: Bank) => Promise<unknown>, options = {}) => {
    const bank = await memoryBank(monday, options);
    await act(bank);
    const hash = await hashLedger(bank, ids);
    await bank.close();
    return hash;
  };
  const nothing = () => Promise.resolve();
  const payTen = (amount: string) => async (bank: Bank) => {
    await paySigned(bank, { from: 'nora', to: 'even', amount });
  };

  test.each<[string, (bank: Bank) => Promise<unknown>]>([
    ['a payment', payTen('10.00')],
    ['a second of the bank clock', (bank) => advanceClock(bank, (at(monday) + 1000) as Instant)],
    ['a run that passed', (bank) => advanceClock(bank, at('2027-03-22T14:00:00+01:00'))],
  ])('changes with %s', async (_what, act) => {
    expect(await hashOf('left-out', act)).not.toBe(await hashOf('left-out', nothing));
  });

  test('tells a payment of 10.00 from one of 10.01', async () => {
    expect(await hashOf('left-out', payTen('10.00'))).not.toBe(await hashOf('left-out', payTen('10.01')));
  });

  test('is a SHA-256 in hex, and the known state laid anew has that of the known state', async () => {
    const hash = await hashOf('left-out', nothing);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf('left-out', initializeSandbox)).toBe(hash);
  });

  test('counts drawn ids only when they are included', async () => {
    expect(await hashOf('included', nothing)).not.toBe(await hashOf('included', nothing));
    const seeded = { ids: { seed: 'one' } };
    expect(await hashOf('included', payTen('10.00'), seeded)).toBe(await hashOf('included', payTen('10.00'), seeded));
  });

  test('of a running clock does not depend on the wall clock', async () => {
    const start = { mode: 'running', now: at(monday) } as const;
    const early = { start, wall: manualClock(at('2025-01-01')) };
    expect(await hashOf('left-out', nothing, early)).toBe(await hashOf('left-out', nothing, { start }));
  });

  test('leaves out every id that the ledger shows, and no column that follows from a command', () => {
    const names = (ids: 'included' | 'left-out'): string[] =>
      [...hashedColumns(ids)].flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));
    const isDrawn = (name: string): boolean => /\.(resource_id|psu_id)$/.test(name);
    expect(names('left-out').filter((name) => isDrawn(name) || name.includes('wall'))).toEqual([]);
    expect(names('included').filter(isDrawn)).toHaveLength(9);
    expect(names('left-out')).toEqual(expect.arrayContaining(['account.balance_minor', 'entry.id', 'payment.status']));
  });
});
