import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { hashOfKnownState } from '../../engine/bank/known-state.ts';
import { testBank } from '../support/test-bank.ts';
import { family, knownState } from './lived-banks.ts';

/* While a bank makes a long past, the banks beside it are answered: no turn of the event loop takes long. */

const bank = testBank('2027-03-24T12:00:00+01:00');

/** The most processor time in ms that one turn of the event loop takes until the work is done. */
async function longestTurnDuring(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver, begun] = [0, false, process.threadCpuUsage()];
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(begun);
    longest = Math.max(longest, (user + system) / 1000);
    begun = process.threadCpuUsage();
    if (!isOver) void setImmediate().then(look);
  };
  void setImmediate().then(look);
  await work();
  // The turn in which it ended counts too.
  await setImmediate();
  isOver = true;
  return longest;
}

test('a past of ten years holds others up for less than a fifth of the time that it takes', async () => {
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
  expect(longest).toBeLessThan((user + system) / 1000 / 5);
}, 60_000);

test('the hash of a known state with 300 lives is made in several turns, and is that of its JSON', async () => {
  const { customers, agreements } = knownState('250000.00');
  const [first] = customers;
  if (first === undefined) throw new Error('there is no customer');
  const persona = { ...first, accounts: first.accounts.map((account) => ({ ...account, persona: family })) };
  const lived = { customers: Array.from({ length: 60 }, () => persona), agreements };
  let [turns, isOver] = [0, false];
  const look = (): void => {
    turns += 1;
    if (!isOver) void setImmediate().then(look);
  };
  void setImmediate().then(look);
  const hash = await hashOfKnownState(lived);
  isOver = true;
  expect(hash).toBe(createHash('sha256').update(JSON.stringify(lived)).digest('hex'));
  expect(turns).toBeGreaterThan(3);
});
