import { afterEach, expect, test } from '@jest/globals';
import { startTestBank, type TestBank } from '../support/server.ts';

let bank: TestBank;
afterEach(() => bank.stop());

test.each([
  ['/v1/accounts', 'application/json'],
  ['/api-sandbox/v1', 'application/json'],
  ['/sandbox/clock', 'application/problem+json'],
  ['/', 'application/problem+json'],
])('what fails before the bank has the request is answered at %s as %s, without a stack', async (target, type) => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00');
  await bank.bank.close();
  const answer = await fetch(bank.address + target);
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain(type);
  expect(await answer.text()).not.toMatch(/node_modules|\.ts:/);
});
