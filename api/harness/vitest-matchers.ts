/*
 * The types of `sandbank/vitest`: the matchers on vitest's expect. They go to chai's assertion, which vitest's has the
 * members of: it has no type parameters, and those of vitest's own `Matchers` differ between vitest 4 and 5.
 */
import type { Expectations } from './types/expectations.ts';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- where @types/chai has it
  namespace Chai {
    // oxlint-disable-next-line typescript/no-empty-object-type -- merges with the assertion of chai
    interface Assertion extends Expectations {}
  }
}
