import { expect, test } from '@jest/globals';
import { LoopShare } from '../../engine/ledger/loop-share.ts';
import { nextTurn, systemClock } from '../../engine/time/clock.ts';

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
