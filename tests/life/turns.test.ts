import { expect, test } from '@jest/globals';
import { testBank } from '../support/test-bank.ts';

/* While a bank makes a long past, the banks beside it are answered: no turn of the event loop takes long. */

const bank = testBank('2027-03-24T12:00:00+01:00');

/** The most processor time in ms that one turn of the event loop takes until the work is done. */
async function longestTurnDuring(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver, begun] = [0, false, process.threadCpuUsage()];
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(begun);
    longest = Math.max(longest, (user + system) / 1000);
    begun = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longest;
}

test('a past of ten years holds others up for less than half of the time that it takes', async () => {
  // What is loaded and compiled at a first use.
  await bank.control('POST', '/sandbox/life', { account: '34300000012', persona: 'student', months: 1 });
  const begun = process.threadCpuUsage();
  let status = 0;
  const longest = await longestTurnDuring(async () => {
    ({ status } = await bank.control('POST', '/sandbox/life', {
      account: '09232911044',
      persona: 'student',
      months: 120,
    }));
  });
  const { user, system } = process.threadCpuUsage(begun);
  expect(status).toBe(200);
  expect(longest).toBeLessThan((user + system) / 1000 / 2);
}, 60_000);
