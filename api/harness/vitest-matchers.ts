/*
 * The types of `sandbank/vitest`: the matchers on vitest's expect.
 */
import type { Expectations } from './matchers/expectations.ts';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- merges by the same parameters
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends Expectations {}
}
