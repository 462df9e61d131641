import { balanceLimit } from './money.ts';
import type { Instant } from './instant.ts';
import type { LocalDate } from './local-date.ts';

/** The statuses an execution can have; the first three are due work (rules.md S3). */
export const openExecutionStatuses = ['ACSP', 'PDNG', 'ACCP'] as const;
export type ExecutionStatus = (typeof openExecutionStatuses)[number] | 'ACSC' | 'RJCT' | 'CANC';
export type AttemptOutcome = 'settle' | 'retry' | 'reject';

/** The attempt that ends in RJCT (rules.md S4; interface: Limits, Sandbox processing). */
export const lastAttempt = 5;

/** An execution whose day has come, with its two accounts as they stand before the batch. */
export interface DueExecution {
  readonly id: number;
  readonly paymentId: number;
  /** Whether it is one occurrence of a standing order, whose own status is not that of its payment. */
  readonly isOccurrence: boolean;
  readonly executionDate: LocalDate;
  readonly authorisedAt: Instant;
  readonly nominalDate: LocalDate;
  /** Earlier attempts, all of which lacked funds. */
  readonly attempts: number;
  /** Minor units of the debtor account's currency. */
  readonly amount: bigint;
  readonly debtor: AccountFunds;
  readonly creditor: AccountFunds;
}

export interface AccountFunds {
  readonly id: number;
  /** Sum of all posted entries, in minor units. */
  readonly balance: bigint;
  readonly creditLine: bigint;
}

/** What one run does with one execution. */
export interface SettlementDecision {
  readonly execution: DueExecution;
  readonly outcome: AttemptOutcome;
  /** 1..5 */
  readonly attempt: number;
  /** Posted entries and credit line of the debtor at that moment. */
  readonly available: bigint;
}

export interface SettlementPlan {
  readonly decisions: readonly SettlementDecision[];
  /** The new balance of every account that moved, in this batch or in an earlier one. */
  readonly balances: ReadonlyMap<number, bigint>;
}

/**
 * Decides a batch of due executions, in the order given (rules.md S3: execution date, authorisation, nominal date,
 * id): funds are judged one after the other, a credit counts for those after it, and one that lacks funds holds up
 * nobody. The fifth attempt without funds rejects (S4). So does a credit that would pass the largest balance (P4).
 * `moved` holds balances that an earlier batch of the run changed and that count instead of those of `due`.
 */
export function planSettlement(
  due: readonly DueExecution[],
  moved: ReadonlyMap<number, bigint> = new Map(),
): SettlementPlan {
  const balances = new Map(moved);
  const decisions = due.map((execution): SettlementDecision => {
    const { debtor, creditor, amount } = execution;
    const debtorBalance = balances.get(debtor.id) ?? debtor.balance;
    const creditorBalance = balances.get(creditor.id) ?? creditor.balance;
    const available = debtorBalance + debtor.creditLine;
    const attempt = execution.attempts + 1;
    if (available < amount) {
      return { execution, outcome: attempt >= lastAttempt ? 'reject' : 'retry', attempt, available };
    }
    if (creditorBalance + amount > balanceLimit) return { execution, outcome: 'reject', attempt, available };
    if (debtor.id !== creditor.id) {
      balances.set(debtor.id, debtorBalance - amount);
      balances.set(creditor.id, creditorBalance + amount);
    }
    return { execution, outcome: 'settle', attempt, available };
  });
  return { decisions, balances };
}

/** The status an execution has after an attempt. */
export const statusAfter: Record<AttemptOutcome, ExecutionStatus> = { settle: 'ACSC', retry: 'ACCP', reject: 'RJCT' };
