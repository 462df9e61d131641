import { afterEach, beforeEach, expect } from '@jest/globals';
import { leaveBundles } from './bundles/leave-bundles.ts';
import { matchers } from './matchers/matchers.ts';

// What importing `sandbank/jest` does; its types are in jest-matchers.ts.
expect.extend(matchers);

const bundles = leaveBundles();
if (bundles !== null) {
  beforeEach(() => bundles.testBegins());
  // Without parameters: with one, jest waits for a call of it.
  afterEach(() => {
    const { currentTestName: name = '', testPath: file = '' } = expect.getState();
    return bundles.testEnds({ name, file, hasFailed: hasFailed() });
  });
}

/** What of the state of jest-circus tells how a test goes. */
interface CircusState {
  readonly currentlyRunningTest?: { readonly errors: readonly unknown[]; readonly failing?: boolean } | null;
}

/**
 * Whether the running test is red so far. Jest tells its hooks nothing of that: its runner has its state in the global object, and expect the
 * assertions that are to come. A test that is to fail, `test.failing`, is never red here.
 */
function hasFailed(): boolean {
  const place = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  const state = place === undefined ? undefined : (Reflect.get(globalThis, place) as CircusState | undefined);
  const test = state?.currentlyRunningTest ?? null;
  if (test === null || test.failing === true) return false;
  const { assertionCalls, expectedAssertionsNumber, isExpectingAssertions } = expect.getState();
  const isShort = expectedAssertionsNumber !== null && assertionCalls !== expectedAssertionsNumber;
  return test.errors.length > 0 || isShort || (isExpectingAssertions && assertionCalls === 0);
}
