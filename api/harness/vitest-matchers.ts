/*
 * The types of `sandbank/vitest`: the matchers on vitest's expect. Published as they are, so nothing of ours is imported.
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

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merges by the same parameters
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends Expectations {}
}
