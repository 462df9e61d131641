import { afterEach, expect, test } from '@jest/globals';
import { startTestBank, type TestBank } from '../lab/server.ts';

let bank: TestBank;
afterEach(() => bank.stop());

test.each([
  ['/banks/nobody/v1/accounts', 'application/json'],
  ['/banks/nobody/api-sandbox/v1', 'application/json'],
  ['/banks/nobody/sandbox/clock', 'application/problem+json'],
  ['/banks/nobody', 'application/problem+json'],
  ['/sandbox/clock', 'application/problem+json'],
])(
  'what fails before a bank has the request, or because it is closed, is answered at %s as %s, without a stack',
  async (target, type) => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    await bank.bank.close();
    const answer = await fetch(bank.address + target);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(await answer.text()).not.toMatch(/node_modules|\.ts:/);
  },
);
