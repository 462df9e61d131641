import type { Generated } from 'kysely';
import type { Flag } from '../../ledger/queries.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { RunCounts, RunTrigger } from '../../time/rules/settlement-run.ts';
import type { AttemptOutcome, ExecutionStatus } from '../rules/settlement.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    execution: ExecutionRow;
    provoked_rejection: ProvokedRejectionRow;
    settlement_run: SettlementRunRow;
    attempt: AttemptRow;
    double_execution: DoubleExecutionRow;
  }
}

export interface ExecutionRow {
  id: Generated<number>;
  payment_id: number;
  /** The place in its payment: index of a standing order's occurrence or of a bulk payment's item, else 0. */
  sequence: number;
  nominal_date: LocalDate;
  execution_date: LocalDate;
  /** When it counts as received (rules.md T4d, T4f); runs before that do not take it. */
  received_at: Instant;
  debtor_account_id: number;
  /** The creditor's BBAN or IBAN. Credits an account of the sandbox, else the clearing account (rules.md S5). */
  creditor_number: string;
  amount_minor: bigint;
  status: ExecutionStatus;
  /** Attempts that lacked funds. */
  attempts: number;
  /** Whether the payment has a foreign_transfer row with fee and exchange. */
  is_foreign: Generated<Flag>;
}

/** A rejection that the control plane asked for (rules.md P14b). Its execution may not exist yet. */
interface ProvokedRejectionRow {
  payment_id: number;
  /** The sequence of the execution; 0 for a payment that is rejected before it is signed. */
  sequence: number;
  reason: string;
}

export interface SettlementRunRow extends RunCounts {
  date: LocalDate;
  number: number;
  at: Instant;
  trigger: RunTrigger;
  late_ms: number | null;
}

/** An execution that was carried out twice (rules.md R8b): it has two debits and two credits. */
interface DoubleExecutionRow {
  execution_id: number;
  /** The direct posting that took one of them back; null: the next run does. */
  corrected_by: number | null;
}

export interface AttemptRow {
  execution_id: number;
  number: number;
  /** Null for an instant payment, which settles outside the runs (rules.md P10). */
  run_date: LocalDate | null;
  run_number: number | null;
  available_minor: bigint;
  needed_minor: bigint;
  outcome: AttemptOutcome;
  /** Why it was rejected whatever the funds (rules.md P5c, P14b); null if the funds decided. */
  reason: string | null;
}
