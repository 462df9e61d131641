import { expect, test } from '@jest/globals';
import { inShares, openLedger } from '../../engine/ledger/database.ts';
import { LoopShare } from '../../engine/ledger/loop-share.ts';
import { nextTurn, systemClock } from '../../engine/time/clock.ts';
import type { Steps } from '../../engine/values/steps.ts';
import { startTestBank } from '../lab/server.ts';

/* How long work of several banks and requests share the event loop (docs/decisions/0021). Order is tested, not time. */

function busyFor(ms: number): void {
  const end = systemClock.monotonic() + ms;
  while (systemClock.monotonic() < end);
}

/** Five banks with long work, of so many shares; tells each share. */
async function longWork(shares: number, told: (bank: number) => void): Promise<void> {
  const work = async (bank: number): Promise<void> => {
    const share = new LoopShare();
    for (let done = 0; done < shares; done += 1) {
      while (!share.isUsed()) busyFor(1);
      await share.pass();
      told(bank);
    }
  };
  await Promise.all([0, 1, 2, 3, 4].map(work));
}

test('a request runs to its answer within a share or two, however many banks have long work', async () => {
  let given = 0;
  const waited: number[] = [];
  let isOver = false;
  const working = longWork(5, () => (given += 1)).finally(() => (isOver = true));
  while (!isOver) {
    const before = given;
    for (let turn = 0; turn < 12; turn += 1) {
      await nextTurn();
      busyFor(0.3);
    }
    waited.push(given - before);
    await nextTurn();
  }
  await working;
  // Under the load of other processes a turn may look idle now and then.
  expect(waited.filter((shares) => shares > 2).length).toBeLessThan(waited.length / 4);
  expect(given).toBe(25);
});

test('banks with long work take turns', async () => {
  const order: number[] = [];
  await longWork(4, (bank) => order.push(bank));
  for (let round = 0; round < 4; round += 1) {
    expect(order.slice(round * 5, round * 5 + 5).toSorted()).toEqual([0, 1, 2, 3, 4]);
  }
});

test('H Shares: long work between two statements of a transaction gives way, as its statements do', async () => {
  const ledger = await openLedger(':memory:');
  let [turns, isOver] = [0, false];
  const done = ledger.write((tx) => inShares(tx, twentySteps())).finally(() => (isOver = true));
  while (!isOver) {
    await nextTurn();
    turns += 1;
  }
  expect(await done).toBe('done');
  // Twelve shares of 5 ms, each after three turns.
  expect(turns).toBeGreaterThan(20);
  await ledger.close();
});

function* twentySteps(): Steps<string> {
  for (let step = 0; step < 20; step += 1) {
    busyFor(3);
    yield;
  }
  return 'done';
}

test('H Shares: a large body of the control plane is read in shares, as one of the interface is', async () => {
  const bank = await startTestBank('2027-03-24T12:00:00.000+01:00');
  const size = 4_000_000;
  /** How many shares other long work gets until a call with this body is answered. */
  const sharesBeside = async (body: string): Promise<number> => {
    let [shares, isOver] = [0, false];
    const bytes = Buffer.from(body);
    const json = { 'content-type': 'application/json' };
    const answered = bank.raw('POST', '/sandbox/doctor', json, bytes).finally(() => (isOver = true));
    const share = new LoopShare();
    while (!isOver) {
      await share.pass();
      shares += 1;
    }
    expect((await answered).status).toBe(400);
    return shares;
  };
  // Both are read to their end; the second one is refused at its first characters.
  const whole = `{"a":[${'{"b":{}},'.repeat(size / 9)}{}]}`;
  const refused = '['.repeat(70) + ' '.repeat(whole.length - 70);
  const shares = [await sharesBeside(refused), await sharesBeside(whole)] as const;
  await bank.stop();
  expect(shares[1]).toBeGreaterThan(shares[0] + 2);
});
