import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Bank } from '../../engine/open-bank.ts';
import { memoryBank } from '../lab/bank.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/* What the tests of a file, or of a `describe`, have open: it has no members before the first of them. */

/** A server, see {@link startTestBank}, for all tests together. */
export function testBank(...started: Parameters<typeof startTestBank>): TestBank {
  return forAll(
    () => startTestBank(...started),
    (bank) => bank.stop(),
  );
}

/** A server for each test. */
export function testBankForEach(...started: Parameters<typeof startTestBank>): TestBank {
  return forEach(
    () => startTestBank(...started),
    (bank) => bank.stop(),
  );
}

/** A bank without a server, see {@link memoryBank}, for each test. */
export function memoryBankForEach(...opened: Parameters<typeof memoryBank>): Bank {
  return forEach(
    () => memoryBank(...opened),
    (bank) => bank.close(),
  );
}

/** What `open` opens before all tests and `close` closes after them. */
export function forAll<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<unknown>,
): Opened {
  const held = {} as Opened;
  beforeAll(async () => become(held, await open()));
  afterAll(() => close(held));
  return held;
}

/** What `open` opens before each test and `close` closes after it. */
export function forEach<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<unknown>,
): Opened {
  const held = {} as Opened;
  beforeEach(async () => become(held, await open()));
  afterEach(() => close(held));
  return held;
}

/** Gives an object the members of another one. */
function become(held: object, opened: object): void {
  Object.setPrototypeOf(held, Object.getPrototypeOf(opened) as object);
  Object.defineProperties(held, Object.getOwnPropertyDescriptors(opened));
}
