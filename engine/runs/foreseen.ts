import type { LivedEvent } from '../bank/outlet.ts';
import { NotAllowed } from '../values/fault.ts';
import { bounds } from '../bank/read-clock.ts';
import type { SettlementRun } from '../time/rules/settlement-run.ts';
import { formatInstant, type Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Amount } from '../values/money.ts';
import type { RunAttempt } from './list-runs.ts';

/** What happens between two instants if nobody calls the bank (rules.md D3e). */
export interface Forecast {
  readonly from: Instant;
  readonly to: Instant;
  /** Every attempt: by run, within a run in the order of rules.md S3. */
  readonly executions: readonly ForecastExecution[];
  /** What lives do besides, in order of time: transfers whose day is known before, interest and fees. */
  readonly planned: readonly PlannedEvent[];
}

/** A future attempt as the ledger will store it, with its reason. */
export interface ForecastExecution extends Omit<RunAttempt, 'paymentId'> {
  /** Null: a life has not ordered the payment yet. */
  readonly paymentId: string | null;
  readonly run: SettlementRun;
  /** What a customer's account at this bank receives if the attempt settles; else null. */
  readonly credit: { readonly account: string; readonly amount: Amount } | null;
}

export interface PlannedEvent extends LivedEvent {
  /** The day of `at`, on which it is booked. */
  readonly date: LocalDate;
}

/** Maximum number of attempts, and of planned events, in one answer: ten years of a thousand daily orders would be gigabytes. */
export const maxAttempts = 50_000;

/** The refusal of a forecast that is longer than one answer; it allows those until `last`. */
export function tooMuch(what: 'attempts' | 'planned events', now: Instant, last: Instant): NotAllowed {
  const text = `More than ${maxAttempts} ${what} until then: one answer holds those until ${formatInstant(last)}.`;
  return new NotAllowed({ code: 'BAD_REQUEST', path: 'to', text }, bounds(now, last));
}
