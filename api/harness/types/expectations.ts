/** The matchers on the expect of a runner. */
export interface Expectations {
  /** A payment, or a promise of it: one of its executions settled on that date. */
  toSettleOn(date: string): Promise<void>;
  /** A payment, or a promise of it: rejected, after so many attempts. */
  toBeRejectedAfter(attempts: number): Promise<void>;
  /** A standing order, or a promise of it: its occurrence of that nominal date, such as `2027-05-15`, is RJCT. */
  toRejectOccurrence(nominalDate: string): Promise<void>;
  /** An account, or a promise of it: `NOK 100.00`, pending entries counted. */
  toHaveBalance(balance: string): Promise<void>;
}
