/*
 * The types of `sandbank/jest`: the matchers on jest's expect, from @jest/globals and from @types/jest.
 */
import type { Expectations } from './types/expectations.ts';

declare module 'expect' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- merges by the same parameters
  interface Matchers<R extends void | Promise<void>, T = unknown> extends Expectations {}
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- where @types/jest has them
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type -- merges by the same parameters
    interface Matchers<R, T> extends Expectations {}
  }
}
