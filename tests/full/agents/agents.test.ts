import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Agent } from './agent.ts';
import { BankOfTask, tasks } from './tasks.ts';

/* C24, M2: ten tasks are done by following the next step of each answer, and nothing else. */

const agent = new Agent();
beforeAll(() => agent.open());
afterAll(() => agent.close());

test('C24: there are ten tasks', () => {
  expect(tasks).toHaveLength(10);
});

test.each(tasks)('C24: by the next steps alone $name', async ({ begin, send, judge }) => {
  const { bank: address } = await agent.call('start_bank', { now: '2027-03-24T12:00:00+01:00' });
  const bank = new BankOfTask(address);
  const begun = await begin(agent, bank);
  const answers = await agent.follow(begun, (isSame) => {
    if (send === undefined) throw new Error('the task has no client');
    return send(bank, isSame);
  });
  expect(await judge(bank, answers)).toBeNull();
  // Each answer names its bank.
  expect(new Set(answers.map((each) => each.bank))).toEqual(new Set([begun.bank]));
});
