import type { AdvanceStory, ClockState, PaymentStatus } from './answers.ts';

/** A date, `2027-03-30`, which is 00:00 of that day, before its runs; an instant with its offset, `2027-03-30T05:30:00+02:00`, or a Date. */
export type BankInstant = string | Date;

/**
 * An instant to go to, a duration to pass, a number of runs, or a status of a payment to wait for. A duration is ISO 8601: `P3D`, `P6M`,
 * `PT12H`; a text that begins with P is one, and `by` takes it too. One call advances 10 years at most.
 */
export type AdvanceTarget =
  | BankInstant
  | { readonly to: BankInstant }
  | { readonly by: string }
  | { readonly runs: number }
  | { readonly until: { readonly paymentId: string; readonly status: PaymentStatus } };

export interface BankClock {
  /** The bank's time, ISO 8601 with the Oslo offset. */
  now(): Promise<string>;
  /**
   * Moves the clock on, with every settlement run in between, in order.
   *
   *     await bank.clock.advance('2027-03-31'); // 00:00 of that day: the runs of the 30th have been
   *     await bank.clock.advance('P3D');
   *     await bank.clock.advance({ runs: 5 });
   *     const { reached } = await bank.clock.advance({ until: { paymentId, status: 'RJCT' } });
   *
   * With `until` the clock stops when the payment has that status. It also stops when the payment ends in another status: `reached` is then
   * false. Throws a BankError for a status that no run can give, 409 CONFLICT, and for more than 10 years, 400 BAD_REQUEST.
   */
  advance(target: AdvanceTarget): Promise<AdvanceStory>;
  /** `now` can go back only while no payment has been initiated. */
  set(setting: ClockSetting): Promise<ClockState>;
}

export interface ClockSetting {
  readonly now?: BankInstant;
  readonly mode?: 'frozen' | 'running';
  /** Speed relative to the wall clock: with 3600 an hour passes in a second. */
  readonly rate?: number;
}
