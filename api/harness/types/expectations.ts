/** The matchers on the expect of a runner. */
export interface Expectations {
  /** A payment, or a promise of it: one of its executions settled on that date. */
  toSettleOn(date: string): Promise<void>;
  /** A payment, or a promise of it: rejected, after so many attempts. */
  toBeRejectedAfter(attempts: number): Promise<void>;
  /** An account, or a promise of it: `NOK 100.00`, pending entries counted. */
  toHaveBalance(balance: string): Promise<void>;
}
