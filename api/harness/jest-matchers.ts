/*
 * The types of `sandbank/jest`: the matchers on jest's expect, from @jest/globals and from @types/jest.
 */
import type { Expectations } from './matchers/expectations.ts';

declare module 'expect' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merges by the same parameters
  interface Matchers<R extends void | Promise<void>, T = unknown> extends Expectations {}
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- where @types/jest has them
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merges by the same parameters
    interface Matchers<R, T> extends Expectations {}
  }
}
