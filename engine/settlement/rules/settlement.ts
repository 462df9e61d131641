import { isWithinBalanceLimit } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** The statuses an execution can have; the first three are due work (rules.md S3). */
export const openExecutionStatuses = ['ACSP', 'PDNG', 'ACCP'] as const;
export type ExecutionStatus = (typeof openExecutionStatuses)[number] | 'ACSC' | 'RJCT' | 'CANC';

/** Whether a run can still try an execution of this status. */
export function isOpenStatus(status: ExecutionStatus): boolean {
  return openExecutionStatuses.some((open) => open === status);
}

export type AttemptOutcome = 'settle' | 'retry' | 'reject';

/** The attempt that ends in RJCT (rules.md S4; interface: Limits, Sandbox processing). */
export const lastAttempt = 5;

/** An execution whose day has come, with its two accounts as they stand before the batch. */
export interface DueExecution {
  readonly id: number;
  readonly paymentId: number;
  /** Whether it is one occurrence of a standing order, whose own status is not that of its payment. */
  readonly isOccurrence: boolean;
  /** Whether it is one item of a bulk payment, whose status follows from all of them. */
  readonly isBulkItem: boolean;
  readonly executionDate: LocalDate;
  readonly authorisedAt: Instant;
  readonly nominalDate: LocalDate;
  /** Earlier attempts, all of which lacked funds. */
  readonly attempts: number;
  /** Minor units of the debtor account's currency. */
  readonly amount: bigint;
  readonly debtor: AccountFunds;
  readonly creditor: AccountFunds;
  /** Null for a domestic transfer. */
  readonly foreign: ForeignParts | null;
}

/** What moves beside the amount of a foreign payment (rules.md P11). */
export interface ForeignParts {
  /** Minor units of the debtor account's currency. */
  readonly fee: bigint;
  /** The bank's own account of the debtor account's currency. */
  readonly clearing: AccountFunds;
  /** What the creditor gets, and from which clearing account, where it is of another currency than the debtor's. */
  readonly exchange: { readonly clearing: AccountFunds; readonly amount: bigint } | null;
}

export interface AccountFunds {
  readonly id: number;
  /** The bank's own clearing account keeps more than a customer's (rules.md P4). */
  readonly kind: 'customer' | 'clearing';
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
  /** The amount, with the fee of a foreign payment. */
  readonly needed: bigint;
  /** What it moves; nothing unless it settles. */
  readonly movements: readonly Movement[];
}

/** What the ledger keeps of a decision (rules.md S10). */
export interface Attempt extends Pick<SettlementDecision, 'outcome' | 'available' | 'needed'> {
  readonly executionId: number;
  /** 1..5 */
  readonly number: number;
}

export function attemptOf({ execution, outcome, attempt, available, needed }: SettlementDecision): Attempt {
  return { executionId: execution.id, number: attempt, outcome, available, needed };
}

export interface SettlementPlan {
  readonly decisions: readonly SettlementDecision[];
  /** The new balance of every account that this batch moved. */
  readonly balances: ReadonlyMap<number, bigint>;
}

/** What a batch is decided under, where it differs from the first batch of a run. */
export interface SettlementTerms {
  readonly moved?: ReadonlyMap<number, bigint>;
  readonly attemptsAllowed?: number;
}

/**
 * Decides a batch of due executions, in the order given (rules.md S3: execution date, authorisation, nominal date,
 * id): funds are judged one after the other, a credit counts for those after it, and one that lacks funds holds up
 * nobody. The fifth attempt without funds rejects (S4), an instant payment's first (P10). So does a credit that would pass
 * the largest balance (P4). `moved` holds balances that earlier batches of the run changed and that count instead of
 * those of `due`.
 */
export function planSettlement(
  due: readonly DueExecution[],
  { moved = new Map(), attemptsAllowed = lastAttempt }: SettlementTerms = {},
): SettlementPlan {
  const balances = new RunningBalances(moved);
  const decisions = due.map((execution): SettlementDecision => {
    const { debtor, amount, foreign } = execution;
    const available = balances.of(debtor) + debtor.creditLine;
    const needed = foreign === null ? amount : amount + foreign.fee;
    const attempt = execution.attempts + 1;
    const seen = { execution, attempt, available, needed };
    if (available < needed) {
      return { ...seen, outcome: attempt >= attemptsAllowed ? 'reject' : 'retry', movements: [] };
    }
    const movements = movementsOf(execution);
    return balances.move(movements)
      ? { ...seen, outcome: 'settle', movements }
      : { ...seen, outcome: 'reject', movements: [] };
  });
  return { decisions, balances: balances.changed };
}

class RunningBalances {
  readonly changed = new Map<number, bigint>();
  readonly #before: ReadonlyMap<number, bigint>;

  constructor(before: ReadonlyMap<number, bigint>) {
    this.#before = before;
  }

  of({ id, balance }: AccountFunds): bigint {
    return this.changed.get(id) ?? this.#before.get(id) ?? balance;
  }

  /** Moves all or, when a balance would pass the largest one, nothing. */
  move(movements: readonly Movement[]): boolean {
    for (const movement of movements) this.#shift(movement, movement.amount);
    if (movements.every(({ debtor, creditor }) => this.#isKept(debtor) && this.#isKept(creditor))) return true;
    for (const movement of movements) this.#shift(movement, -movement.amount);
    return false;
  }

  #shift({ debtor, creditor }: Movement, amount: bigint): void {
    if (debtor.id === creditor.id) return;
    this.changed.set(debtor.id, this.of(debtor) - amount);
    this.changed.set(creditor.id, this.of(creditor) + amount);
  }

  #isKept(account: AccountFunds): boolean {
    return isWithinBalanceLimit(this.of(account), account.kind);
  }
}

/** Whether no run has tried it yet: from the first try on, its standing order goes on to the next date (rules.md R9). */
export function isFirstAttempt({ attempts }: DueExecution): boolean {
  return attempts === 0;
}

/** The status an execution has after an attempt. */
export const statusAfter: Record<AttemptOutcome, ExecutionStatus> = { settle: 'ACSC', retry: 'ACCP', reject: 'RJCT' };

/** Money of one currency from one account to another: a posting before it has dates (rules.md S5). */
export interface Movement {
  readonly debtor: AccountFunds;
  readonly creditor: AccountFunds;
  /** Minor units, greater than zero. */
  readonly amount: bigint;
  readonly isFee: boolean;
}

/** What settling an execution moves. A foreign payment's fee is a movement of its own, and so is an exchange (rules.md P11). */
function movementsOf({ debtor, creditor, amount, foreign }: DueExecution): readonly Movement[] {
  if (foreign === null) return [{ debtor, creditor, amount, isFee: false }];
  const { clearing, fee, exchange } = foreign;
  const movements: Movement[] = [{ debtor, creditor: exchange === null ? creditor : clearing, amount, isFee: false }];
  if (exchange !== null) {
    movements.push({ debtor: exchange.clearing, creditor, amount: exchange.amount, isFee: false });
  }
  if (fee > 0n) movements.push({ debtor, creditor: clearing, amount: fee, isFee: true });
  return movements;
}
