import type { RunAt } from './clock.ts';
import type { AttemptOutcome, PaymentProduct, PaymentService, PaymentStatus } from './closed-lists.ts';
import type { Money } from './money.ts';

/** As GET /sandbox/payments/{paymentId} has it, but for `entries`, which are in two lists. */
export interface PaymentStory {
  readonly paymentId: string;
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly tpp: { readonly id: string; readonly name: string };
  readonly status: PaymentStatus;
  /** A status that a TPP is shown instead. */
  readonly forcedStatus: PaymentStatus | null;
  /** Null for a periodic payment. */
  readonly executionDate: string | null;
  /** What the status waits for or came of: `98.00 NOK short at the fifth attempt, run 15:30 on 9 June`; null: nothing beside it tells. */
  readonly why: string | null;
  /** The run that tries it next; null: none does, as it is unsigned or over. */
  readonly nextAttempt: RunAt | null;
  /** Whether the creditor's account is an open one of this bank; null of a bulk payment. */
  readonly creditorInThisBank: boolean | null;
  /** True: it was an account of this bank that is closed; left out: it was not. */
  readonly creditorClosed?: boolean;
  /** The body as the TPP sent it. */
  readonly initiation: unknown;
  /** Every status it had, the oldest first. */
  readonly history: readonly {
    readonly status: PaymentStatus;
    /** Bank time. */
    readonly at: string;
    /** Null: the clock alone made it, at the beginning of the due day. */
    readonly wall: string | null;
    readonly cause: string;
  }[];
  /** In the order in which they were given. */
  readonly signatures: readonly { readonly psu: string; readonly name: string; readonly at: string }[];
  /** Every try of a run, the oldest first. */
  readonly attempts: readonly PaymentAttempt[];
  /** Its executions, past and next: one of a single payment, one for each date of a periodic one, one for each item of a bulk. */
  readonly occurrences: readonly PaymentOccurrence[];
  /** What it moved on the account that it is paid from. */
  readonly entries: readonly PaymentEntry[];
  /** The other leg: on the creditor's account if it is in this bank, else on the bank's own, `Clearing NOK`; fees. */
  readonly otherEntries: readonly PaymentEntry[];
}

export interface PaymentAttempt {
  /** Of a bulk payment: `payments[3]`. */
  readonly item?: string;
  /** `2027-03-30/1`; null for an instant payment. */
  readonly run: string | null;
  /** Bank time. */
  readonly at: string;
  /** That of the occurrence. */
  readonly nominalDate: string;
  /** Balance and credit line of the debtor account at that moment. */
  readonly available: Money;
  /** The amount, and the fee of a foreign payment. */
  readonly needed: Money;
  readonly outcome: AttemptOutcome;
  /** Why: `98.00 NOK short at the fifth attempt, run 15:30 on 9 June`. */
  readonly reason: string;
}

export interface PaymentOccurrence {
  /** Of a bulk payment: `payments[3]`. */
  readonly item?: string;
  /**
   * Of a standing order: the date by its plan, before a closed day moved it. Of a single or bulk payment: the date on which it is
   * executed; `tpp.payment(id)` has the one that was asked for, `requestedExecutionDate`.
   */
  readonly nominalDate: string;
  readonly executionDate: string;
  /** Why it is not executed on the date wanted: `Sat 28 Nov, closed: weekend, paid Mon 30 Nov`; left out: it is. */
  readonly moved?: string;
  /** `planned`: in the future, and not scheduled for a run yet. */
  readonly status: PaymentStatus | 'planned';
  /** Why `bank.reject` has it rejected. */
  readonly rejection?: string;
}

export interface PaymentEntry {
  /** Of a bulk payment: `payments[3]`. */
  readonly item?: string;
  /** `debtor`: on the account that it is paid from. */
  readonly leg: 'debtor' | 'other';
  /** The BBAN; the name of an account that has none. */
  readonly account: string;
  readonly accountName: string;
  /** Negative: a debit. */
  readonly amount: Money;
  readonly nominalDate: string;
  /** Null while it is pending. */
  readonly bookingDate: string | null;
  readonly valueDate: string;
  readonly booked: boolean;
}
