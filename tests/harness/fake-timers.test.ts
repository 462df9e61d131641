/** @jest-environment node */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { harnessBank, nora, stranger } from './harness-bank.ts';
import { createBank } from '../../api/harness/index.ts';
import { programs, written } from '../support/page-programs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import '../../api/harness/jest.ts';

const held = harnessBank();
afterEach(() => {
  jest.useRealTimers();
});

/** Calls of every kind: paid, advanced, refused by the interface, by the control plane and by neither. */
async function useBank(bank: typeof held.bank): Promise<void> {
  const payment = await bank.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00' });
  await bank.clock.advance({ runs: 1 });
  await expect(bank.payments(payment)).toSettleOn('2027-03-24');
  expect((await bank.tpp().fetch('/v1/nowhere')).status).toBe(404);
  expect((await bank.fetch('/v1/accounts')).status).toBe(400);
  expect((await bank.fetch('/sandbox/clock/advance', { method: 'POST', body: { runs: 'many' } })).status).toBe(400);
  expect((await bank.fetch('/elsewhere', { method: 'POST', body: '{}' })).status).toBe(404);
  await bank.snapshot();
  await bank.restore();
  await bank.forecast('P30D');
  await bank.fetch('/sandbox/requests');
}

describe('under fake timers without any option', () => {
  test('a bank that was made before answers', async () => {
    jest.useFakeTimers();
    await useBank(held.bank);
  });

  test('a bank that is made under them answers', async () => {
    jest.useFakeTimers({ now: Date.UTC(2031, 5, 1) });
    await using bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
    await useBank(bank);
  });

  test('the date of the test is the wall clock, back to 1970', async () => {
    jest.useFakeTimers({ now: 0 });
    await useBank(held.bank);
  });

  test("the test's own timers are fake between two calls", async () => {
    jest.useFakeTimers();
    const fake = setImmediate;
    await held.bank.clock.now();
    expect(setImmediate).toBe(fake);
    let rang = false;
    setTimeout(() => (rang = true), 86_400_000);
    jest.advanceTimersByTime(86_400_000);
    expect(rang).toBe(true);
    await held.bank.clock.now();
  });

  test('timers that the test makes real during a call stay real', async () => {
    const real = setImmediate;
    jest.useFakeTimers();
    const call = held.bank.clock.now();
    jest.useRealTimers();
    await call;
    await new Promise((resolve) => setImmediate(resolve));
    expect(setImmediate).toBe(real);
  });
});

const folder = tempFolder();
// Importing a whole test file declares its tests, here.
for (const [index, { text }] of programs.entries())
  if (text.includes('jest.useFakeTimers')) await import(written(folder, text, index));
