/** The matchers on the expect of a runner. */
export interface Expectations {
  /**
   * A payment, or a promise of it: one of its executions settled on that date.
   *
   *     await bank.clock.advance({ runs: 1 });
   *     await expect(bank.payments(payment)).toSettleOn('2027-03-24');
   */
  toSettleOn(date: string): Promise<void>;
  /**
   * A payment, or a promise of it: rejected, after so many attempts.
   *
   *     await bank.clock.advance({ until: { paymentId: short, status: 'RJCT' } });
   *     await expect(bank.payments(short)).toBeRejectedAfter(5);
   */
  toBeRejectedAfter(attempts: number): Promise<void>;
  /**
   * A standing order, or a promise of it: its occurrence of that nominal date, such as `2027-05-15`, is RJCT.
   *
   *     await bank.reject(monthly, { reason: 'the creditor account is closed' });
   *     await bank.clock.advance('2027-04-16');
   *     await expect(bank.payments(monthly)).toRejectOccurrence('2027-04-15');
   */
  toRejectOccurrence(nominalDate: string): Promise<void>;
  /**
   * An account, or a promise of it: `NOK 100.00`, pending entries counted.
   *
   *     await expect(bank.account('09232911044')).toHaveBalance('NOK 18000.00');
   */
  toHaveBalance(balance: string): Promise<void>;
}
