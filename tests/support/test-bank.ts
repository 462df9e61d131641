import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Bank } from '../../engine/bank.ts';
import { startTestBank, TestBank } from '../lab/server.ts';

type Started = Parameters<typeof startTestBank>;

/** A server for the tests of a file or of a `describe`, see {@link startTestBank}: it starts before the first of them and stops after the last. */
export function testBank(...started: Started): TestBank {
  const held = notStarted();
  beforeAll(async () => void Object.assign(held, await startTestBank(...started)));
  afterAll(() => held.stop());
  return held;
}

/** A server for each test of a file or of a `describe`. */
export function testBankForEach(...started: Started): TestBank {
  const held = notStarted();
  beforeEach(async () => void Object.assign(held, await startTestBank(...started)));
  afterEach(() => held.stop());
  return held;
}

function notStarted(): TestBank {
  return new TestBank('', {} as Bank, () => Promise.resolve());
}
