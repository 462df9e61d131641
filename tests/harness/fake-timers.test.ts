import { afterEach, expect, jest, test } from '@jest/globals';
import { harnessBank, nora, stranger } from './harness-bank.ts';
import '../../api/harness/jest.ts';

const held = harnessBank();
afterEach(() => {
  jest.useRealTimers();
});

test("a test that moves its process's own clock has a bank all the same, as docs/tests.md says", async () => {
  jest.useFakeTimers({ now: Date.UTC(2031, 5, 1), doNotFake: ['setImmediate', 'nextTick'] });
  const payment = await held.bank.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00' });
  await held.bank.clock.advance({ runs: 1 });
  await expect(held.bank.payments(payment)).toSettleOn('2027-03-24');
});
