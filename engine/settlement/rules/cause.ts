import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import {
  type BankingCalendar,
  type DatedExecution,
  movedDate,
  type MovedDate,
} from '../../time/rules/banking-calendar.ts';
import type { Amount, Currency } from '../../values/money.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { AttemptOutcome } from './decide-attempts.ts';

/**
 * Why a date or an outcome is as it is, as data (rules.md S11). The control plane, the console, the command line and
 * the matchers say it by one table of texts, `api/causes`.
 */
export type Cause = MovedDate | LateRun | OutcomeCause | MissingSignatures | AwaitedRun;

/** It is tried after its date: no run of that day took it any more (rules.md T4, T4d). */
interface LateRun {
  readonly kind: 'late';
  readonly executionDate: LocalDate;
  /** The day of the run that tries it first. */
  readonly triedOn: LocalDate;
  /**
   * Whether it counts as received later than it was signed: it missed a cut-off, or waits for its fixing (T4d, T4f).
   */
  readonly isReceivedLater: boolean;
}

/** The payment waits for signatures (interface: Multiple signatures). */
export interface MissingSignatures {
  readonly kind: 'signatures';
  /** Names of those who have signed, in their order. */
  readonly given: readonly string[];
  readonly missing: number;
  /** Names of those who can sign too. */
  readonly able: readonly string[];
}

/** Parts of a payment that will be rejected alike. */
interface RefusedParts {
  readonly count: number;
  /** The run that rejects them. */
  readonly run: SettlementRun;
  readonly reason: string;
}

/** The payment waits for a run. */
export interface AwaitedRun {
  readonly kind: 'awaits';
  readonly run: SettlementRun;
  /** How many parts of it that run tries: items, occurrences, or the payment itself. */
  readonly parts: number;
  /**
   * Those that will be rejected whatever the funds are, by run and reason (rules.md P14b, P5c, D1c). The others settle
   * if funds suffice.
   */
  readonly refused: readonly RefusedParts[];
  /** Why its date is another than the one asked for, and why that run is after its date. */
  readonly moved: MovedDate | null;
  readonly late: LateRun | null;
}

/** Why an attempt went as it did. */
export type OutcomeCause = {
  readonly outcome: AttemptOutcome;
  /** From 1; the fifth is the last. */
  readonly attempt: number;
  /** Null means an instant payment, which no run tries (rules.md P10). */
  readonly run: SettlementRun | null;
  /** The run that tries the payment next, where the cause is that of its status; else null. */
  readonly next: AwaitedRun | null;
} &
  /** `fee` is included in what is needed. */
  (
    | { readonly kind: 'settled'; readonly fee: Amount | null }
    | { readonly kind: 'short'; readonly short: Amount; readonly fee: Amount | null }
    /** A balance would pass its limit (rules.md P4). */
    | { readonly kind: 'limit' }
    /** The creditor account takes nothing, or the control plane has it rejected (rules.md P5c, P14b). */
    | { readonly kind: 'refused'; readonly reason: string }
  );

/** An attempt, past or to come. */
export interface Tried extends Pick<OutcomeCause, 'outcome' | 'attempt' | 'run'> {
  /** Minor units of the debtor account's currency. */
  readonly available: bigint;
  readonly needed: bigint;
  /** The part of it that is the fee, for a foreign payment. */
  readonly fee: bigint | null;
  readonly currency: Currency;
  readonly reason: string | null;
}

/**
 * Why an attempt ended as it did: by its funds (rules.md S4), a limit (P4), a closed creditor (P5c), or the control
 * plane (P14b).
 */
export function outcomeCause({
  available,
  needed,
  currency,
  fee: minor,
  reason,
  outcome,
  attempt,
  run,
}: Tried): OutcomeCause {
  const fee = minor === null || minor === 0n ? null : { minor, currency };
  const tried = { outcome, attempt, run, next: null };
  if (reason !== null) return { ...tried, kind: 'refused', reason };
  if (outcome === 'settle') return { ...tried, kind: 'settled', fee };
  if (available >= needed) return { ...tried, kind: 'limit' };
  return { ...tried, kind: 'short', short: { minor: needed - available, currency }, fee };
}

interface DatedAttempt extends DatedExecution, Pick<LateRun, 'isReceivedLater'> {}

/**
 * The causes of an attempt: of its date, of the run that first tries it, and of its outcome, in this order (rules.md
 * S11).
 */
export function attemptCauses(dated: DatedAttempt, tried: Tried, calendar: BankingCalendar): Cause[] {
  const { attempt, run } = tried;
  const moved = movedDate(dated, calendar);
  // Only the first run that tries it may be later than its date because of the signature (rules.md T4).
  const late = attempt === 1 && run !== null ? lateRunCause(dated, run) : null;
  return [...[moved, late].filter((cause) => cause !== null), outcomeCause(tried)];
}

/** Why the first run of an execution is after its date, or null if it is not. */
export function lateRunCause(
  { executionDate, isReceivedLater }: Pick<DatedAttempt, 'executionDate' | 'isReceivedLater'>,
  run: Pick<SettlementRun, 'date'>,
): LateRun | null {
  return run.date === executionDate ? null : { kind: 'late', executionDate, triedOn: run.date, isReceivedLater };
}
