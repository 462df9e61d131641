import type { Lane } from '../../time/rules/lanes.ts';
import type { MovedDate } from '../../time/rules/banking-calendar.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import type { Warning } from '../../values/fault.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { PaymentService } from '../../values/product.ts';
import type { Plan } from './plan.ts';

/** What an answer tells of a payment beside its status, as data: `api/causes` says it. */
export interface PaymentNotes {
  /** About members of its initiation that are ignored. */
  readonly ignored: readonly Warning[];
  readonly dates: DateNotes | null;
  readonly failed: FailedParts | RejectedUnsigned | null;
}

export const noNotes: PaymentNotes = { ignored: [], dates: null, failed: null };

/** Of a payment that no run has tried, or of the next occurrence of a standing order (rules.md P3, P3b, P3c, T4f). */
export interface DateNotes {
  readonly isPeriodic: boolean;
  /** Why it is executed on another day than the one wanted. */
  readonly moved: MovedDate | null;
  readonly late: LateExecution | null;
  /** When its rate is fixed, and whether that has passed. */
  readonly fixing: { readonly at: Instant; readonly hasPassed: boolean } | null;
}

/** A payment, or the first occurrence of a standing order, that no run of its day takes any more. */
export interface LateExecution {
  readonly dueOn: LocalDate;
  /** The run that carries it out. */
  readonly run: SettlementRun;
  /** The cut-off that it missed on that day, `14:00` (T4d). Null if the runs of the day were over. */
  readonly cutOff: string | null;
}

/** The first execution of a plan if no run of its day takes it any more, else null. */
export function lateExecution({ executions: [first], cutOff }: Plan): LateExecution | null {
  if (first === undefined || first.run === null || first.run.date === first.executionDate) return null;
  return { dueOn: first.executionDate, run: first.run, cutOff: cutOff === null || cutOff.isMet ? null : cutOff.time };
}

/** It was rejected before it was signed (rules.md P14b). */
interface RejectedUnsigned {
  readonly rejectedUnsigned: string;
}

export interface FailedParts {
  readonly service: PaymentService;
  /** How many items or executions there are. */
  readonly total: number;
  /** Whether it ended in ACSC: then every failed occurrence of a standing order is listed (rules.md R9c). */
  readonly endedSettled: boolean;
  /** The run that tries payments in ACCP again: `2027-03-30/1`. */
  readonly nextRun: string;
  /** Why payments in CANC were cancelled: the cause of the payment's end (rules.md S9c). */
  readonly cancelledFor: string;
  readonly failures: readonly FailedPart[];
}

/**
 * A part of a payment that failed: the payment itself, an item of a bulk payment, an occurrence of a standing order.
 */
export interface FailedPart {
  readonly sequence: number;
  readonly nominalDate: LocalDate;
  /** RJCT and CANC: final. ACCP: tried again. */
  readonly status: 'RJCT' | 'ACCP' | 'CANC';
  readonly lane: Lane;
  /** The last attempt; null when it was rejected without one. Amounts are minor units. */
  readonly attempt: {
    readonly number: number;
    readonly run: { readonly date: LocalDate; readonly number: number } | null;
    readonly available: bigint;
    readonly needed: bigint;
  } | null;
  /**
   * Why it is rejected whatever the funds: the reason of its last attempt, or of a provoked rejection, even a future
   * one.
   */
  readonly rejection: string | null;
}
