/*
 * The types of `sandbank/vitest`: the matchers on vitest's expect.
 */
import type { Expectations } from './matchers/expectations.ts';

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merges by the same parameters
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends Expectations {}
}
