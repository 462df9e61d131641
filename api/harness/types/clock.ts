import type { PaymentStatus } from './closed-lists.ts';

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
   * With `until` the clock stops when the payment has that status, or has ended in another one: `reached` is then false, and nothing is
   * thrown. Throws a BankError for a status that no run can give it, 409 CONFLICT, and for more than 10 years, 400 BAD_REQUEST.
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

/** A settlement run. */
export interface RunAt {
  /** `2027-03-30/1` */
  readonly id: string;
  readonly at: string;
}

export interface ClockState {
  readonly now: string;
  /** The Oslo date of `now`. */
  readonly date: string;
  readonly mode: 'frozen' | 'running';
  readonly rate: number;
  /** The wall clock's time. */
  readonly wall: string;
  readonly lastRun: RunAt;
  readonly nextRun: RunAt;
}

/** What a run did, in numbers of executions. */
export interface RunStory extends RunAt {
  readonly settled: number;
  /** Without funds, to be tried again. */
  readonly retried: number;
  readonly rejected: number;
  /** Entries of earlier runs that it booked. */
  readonly booked: number;
  readonly registered: number;
}

export interface AdvanceStory {
  readonly from: string;
  readonly to: string;
  /** Only runs that had something to do. */
  readonly runs: readonly RunStory[];
  readonly skippedEmptyRuns: number;
  /** Whether the payment got the status of `until`: false when it ended in another one. Left out without `until`. */
  readonly reached?: boolean;
}
