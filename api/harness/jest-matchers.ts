/*
 * The types of `sandbank/jest`: the matchers on jest's expect, from @jest/globals and from @types/jest. Published as they
 * are, so nothing of ours is imported.
 */
export {};

interface Expectations {
  /** A payment, or a promise of it: one of its executions settled on that date. */
  toSettleOn(date: string): Promise<void>;
  /** A payment, or a promise of it: rejected, after so many attempts. */
  toBeRejectedAfter(attempts: number): Promise<void>;
  /** A bank, its coverage, or a promise of it: its TPPs have met that behaviour, such as `fifth attempt` or `FORMAT_ERROR`. */
  toHaveMet(behaviour: string): Promise<void>;
  /** An account, or a promise of it: `NOK 100.00`, pending entries counted. */
  toHaveBalance(balance: string): Promise<void>;
}

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
