import { attemptCauses, type Cause } from '../settlement/rules/cause.ts';
import { requestedDay } from '../payments/rules/check-dates.ts';
import { earliestDate, latestDate, parseLocalDate, type LocalDate } from '../values/local-date.ts';
import { Refusal } from '../values/fault.ts';
import type { Amount } from '../values/money.ts';
import { osloDate, formatInstant, type Instant } from '../values/instant.ts';
import type { ReturnReason } from '../values/return-reasons.ts';
import { clip } from '../values/text.ts';
import { runId, type RunSchedule, type SettlementRun, type RunReport } from '../time/rules/settlement-run.ts';
import type { AttemptOutcome } from '../settlement/rules/decide-attempts.ts';
import { findSettlementRun, settlementRuns, type SettlementRunOnLedger } from '../settlement/rows/settlement-runs.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { attemptsOfRun, type RunAttemptRow } from './rows/run-attempts.ts';
import type { LivedEvent } from '../bank/outlet.ts';
import { bounds } from '../bank/read-clock.ts';

/** A run with each payment, item or occurrence that it tried, in the order of rules.md S3. */
interface InspectedRun extends RunReport {
  readonly attempts: readonly RunAttempt[];
}

/** An attempt of a run, past or to come: what the run tried, and why it went as it did. */
export interface RunAttempt {
  readonly paymentId: string;
  /** `payments[3]` of a bulk payment; null for any other. */
  readonly item: string | null;
  /** The debtor account's BBAN or, without one, its IBAN. */
  readonly account: string;
  /** Whether it is an occurrence of a periodic payment. */
  readonly isOccurrence: boolean;
  readonly nominalDate: LocalDate;
  readonly executionDate: LocalDate;
  /** 1 to 5: the fifth attempt is the last (rules.md S4). */
  readonly attempt: number;
  /** Posted entries and credit line of the debtor account at that moment, less what is reserved (rules.md S4, S8b). */
  readonly available: Amount;
  readonly needed: Amount;
  readonly outcome: AttemptOutcome;
  /** The payee's name. */
  readonly payee: string;
  /** Of its date, of the run that tries it, and of its outcome, in this order (rules.md S11). */
  readonly causes: readonly Cause[];
}

/**
 * Lists the runs that had work (rules.md T6) on these bank dates, both inclusive, the latest first; null leaves an end
 * open.
 */
export function listRuns(
  bank: BankContext,
  { from, to }: { readonly from: LocalDate | null; readonly to: LocalDate | null },
): Promise<RunReport[]> {
  return bank.ledger.read(async (reader) => {
    return (await settlementRuns(reader, { from: from ?? earliestDate, to: to ?? latestDate })).map(runReport);
  });
}

/**
 * Reads one run by its id, `2027-03-30/1` or `2027-03-30-1`. NOT_FOUND for one that had no work, or is still to come.
 */
export function inspectRun(bank: BankContext, id: string): Promise<InspectedRun> {
  return bank.ledger.read(async (reader) => {
    const named = runNamed(id);
    const run = named === null ? undefined : await findSettlementRun(reader, named);
    if (run === undefined) throw notThere(id);
    return {
      ...runReport(run),
      attempts: (await attemptsOfRun(reader, run)).map((row) => attemptOf(bank.schedule, run, row)),
    };
  });
}

const runIdPattern = /^(\d{4}-\d{2}-\d{2})[/-]([1-9]\d{0,3})$/;

function runNamed(id: string): Pick<SettlementRun, 'date' | 'number'> | null {
  const [, day = '', number = ''] = runIdPattern.exec(id) ?? [];
  const date = parseLocalDate(day);
  return date === null ? null : { date, number: Number(number) };
}

function notThere(id: string): Refusal {
  const text =
    `There is no run ${clip(id, 40)} that had work. An id is a bank date and a number, 2027-03-30/1, in a path ` +
    '2027-03-30-1; GET /sandbox/runs lists the runs that had work. A run that found nothing to do leaves no trace.';
  return new Refusal({ code: 'NOT_FOUND', text });
}

function runReport({ date, number, late_ms: lateMs, ...report }: SettlementRunOnLedger): RunReport {
  return { id: runId({ date, number }), lateMs, ...report };
}

export function attemptOf({ calendar }: RunSchedule, run: SettlementRun, row: RunAttemptRow): RunAttempt {
  const { currency, execution_date: executionDate, execution_rule: rule, number: attempt, outcome, reason } = row;
  const { available_minor: available, needed_minor: needed, fee_minor: fee } = row;
  const wanted = rule === null ? requestedDay(row.requested_date, row.initiated_at) : row.nominal_date;
  const tried = { outcome, attempt, run, available, needed, currency, fee, reason };
  return {
    paymentId: row.resource_id,
    item: row.service === 'bulk-payments' ? `payments[${row.sequence}]` : null,
    account: row.account,
    isOccurrence: row.service === 'periodic-payments',
    nominalDate: row.nominal_date,
    executionDate,
    attempt,
    available: { minor: available, currency },
    needed: { minor: needed, currency },
    outcome,
    payee: row.payee,
    causes: attemptCauses(
      {
        ...{ wanted, executionDate, rule: rule ?? 'following', signedOn: osloDate(row.authorised_at) },
        isReceivedLater: row.is_received_later === 1,
      },
      tried,
      calendar,
    ),
  };
}

/** What happens between two instants if nobody calls the bank (rules.md D3e). */
export interface Forecast extends Foreseen {
  readonly from: Instant;
  readonly to: Instant;
}

export interface Foreseen {
  /** Every attempt: by run, within a run in the order of rules.md S3. */
  readonly executions: readonly ForecastExecution[];
  /** What lives do besides, in order of time: transfers whose day is known before, interest and fees. */
  readonly planned: readonly PlannedEvent[];
}

/** A future attempt as the ledger will store it, with its reason. */
export interface ForecastExecution extends Omit<RunAttempt, 'paymentId'> {
  /** It is null if a life has not ordered the payment yet. */
  readonly paymentId: string | null;
  readonly run: SettlementRun;
  /** What a customer's account at this bank receives if the attempt settles; else null. */
  readonly credit: { readonly account: string; readonly amount: Amount } | null;
  /** The return that is announced when it settles (rules.md S12), or null. */
  readonly comesBack: { readonly due: LocalDate; readonly reason: ReturnReason } | null;
}

export interface PlannedEvent extends LivedEvent {
  /** The day of `at`, on which it is booked. */
  readonly date: LocalDate;
}

/**
 * Maximum number of attempts, and of planned events, in one answer: ten years of a thousand daily orders would be
 * gigabytes.
 */
export const mostInForecast = 50_000;

/** The refusal of a forecast that is longer than one answer; it allows those until `last`. */
export function tooMuch(what: 'attempts' | 'planned events', now: Instant, last: Instant): Refusal {
  const text = `More than ${mostInForecast} ${what} until then: one answer holds those until ${formatInstant(last)}.`;
  return new Refusal({ code: 'BAD_REQUEST', path: 'to', text, allowed: bounds(now, last) });
}
