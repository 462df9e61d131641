import { type Currency, isWithinBalanceLimit } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Posting } from '../../accounts/rules/entry.ts';
import { refusalAt, type RefusedAttempt } from '../../values/numbers-with-a-meaning.ts';
import { type AskedDays, datesOf, type DatingTerms } from './posting-dates.ts';

/** The statuses in which an execution waits for a run (rules.md S3). */
export const openExecutionStatuses = ['ACSP', 'PDNG', 'ACCP'] as const;
export type ExecutionStatus = (typeof openExecutionStatuses)[number] | 'ACSC' | 'RJCT' | 'CANC';

/** Whether a run tries executions of this status. */
export function isOpenStatus(status: ExecutionStatus): boolean {
  return openExecutionStatuses.some((open) => open === status);
}

/** The fields of a due execution by which a run takes one before another, in their rank (rules.md T9). */
export const settlementOrder = ['executionDate', 'receivedAt', 'place', 'nominalDate', 'id'] as const;

/** The place of an execution in that order. */
export type SettlementPlace = Pick<DueExecution, (typeof settlementOrder)[number]>;

export type AttemptOutcome = 'settle' | 'retry' | 'reject';

/** The attempt without funds that ends in RJCT (rules.md S4; interface: Limits, Sandbox processing). */
export const lastAttempt = 5;

/**
 * Days in which the attempts of an execution are over, from the day on which it is due: each week has a banking day,
 * and each of these a run.
 */
export const daysOfAttempts = 7 * lastAttempt;

/** A due execution with its two accounts, their balances as they are before the batch. */
export interface DueExecution {
  readonly id: number;
  readonly paymentId: number;
  /** Whether it is an occurrence of a standing order: then its status is not that of its payment. */
  readonly isOccurrence: boolean;
  /** Whether it is an item of a bulk payment, whose status follows from all items. */
  readonly isBulkItem: boolean;
  readonly executionDate: LocalDate;
  readonly receivedAt: Instant;
  readonly nominalDate: LocalDate;
  /** The place of its payment in the order of signatures (rules.md T9). */
  readonly place: number;
  /** Number of earlier attempts; each lacked funds, or the creditor's bank did not answer (rules.md D1c). */
  readonly attempts: number;
  readonly creditorNumber: string;
  /** Why the control plane rejects it (rules.md P14b); else null. */
  readonly rejection: string | null;
  /** Why the creditor account takes nothing (rules.md P5c), and `creditor` is the clearing account; else null. */
  readonly creditorRefusal: string | null;
  /** Minor units of the debtor account's currency. */
  readonly amount: bigint;
  /** What the debtor account has reserved, minor units, zero or positive (rules.md S8b). */
  readonly reserved: bigint;
  readonly debtor: AccountFunds & { readonly creditLine: bigint };
  readonly creditor: AccountFunds;
  /** Null for a domestic transfer. */
  readonly foreign: ForeignParts | null;
}

/** What a foreign payment moves besides its amount (rules.md P11). */
export interface ForeignParts {
  /** Minor units of the debtor account's currency. */
  readonly fee: bigint;
  /** Null means the execution date (rules.md T4d). */
  readonly valueDate: LocalDate | null;
  /** The clearing account of the debtor account's currency. */
  readonly clearing: AccountFunds;
  /** The creditor's amount and its clearing account, when the creditor account has another currency; else null. */
  readonly exchange: { readonly clearing: AccountFunds; readonly amount: bigint } | null;
}

export interface AccountFunds {
  readonly id: number;
  /** A clearing account has a higher balance limit than a customer's account (rules.md P4). */
  readonly kind: 'customer' | 'clearing';
  /** Sum of all posted entries, in minor units. */
  readonly balance: bigint;
}

/** What a run decides for one execution. */
export interface SettlementDecision {
  readonly execution: DueExecution;
  readonly outcome: AttemptOutcome;
  /** 1..5 */
  readonly attempt: number;
  /**
   * Posted entries and credit line of the debtor account at that moment, less what is reserved, minor units (rules.md
   * S4, S8b).
   */
  readonly available: bigint;
  /** The amount plus the fee of a foreign payment, minor units. */
  readonly needed: bigint;
  /** Why it does not settle whatever the funds (rules.md P5c, P14b, D1c). Otherwise funds and balance limits decide. */
  readonly reason: string | null;
  /** Empty unless it settles. */
  readonly movements: readonly Movement[];
}

interface Decisions {
  readonly decisions: readonly SettlementDecision[];
  /** New balances of the accounts that this batch moved, in minor units by account. */
  readonly balances: ReadonlyMap<number, bigint>;
}

/** Options of {@link decideAttempts}. */
interface SettlementTerms {
  /** Balances that earlier batches of the run changed; they replace those in `due`. */
  readonly moved?: ReadonlyMap<number, bigint>;
  /** The first attempt is the last: the payment waits for no run (rules.md P10). */
  readonly isAtOnce?: boolean;
  /** The first attempt of each execution lacks funds: a trial of the gauntlet (control-plane.md GA2). */
  readonly isShortAtFirst?: boolean;
}

/**
 * Decides a batch of due executions one after the other, in the order given (rules.md T9). A credit counts for those
 * after it, and an execution without funds does not hold up the next. The fifth attempt without funds is rejected (S4),
 * an instant payment's first (P10), and so is a movement that would take a balance beyond its limit (P4), what the
 * control plane has rejected (P14b), what goes to an account that takes nothing (P5c), and what the bank of the
 * creditor refuses (D1c). If that bank does not answer, the attempt counts, and the next run tries again.
 */
export function decideAttempts(
  due: readonly DueExecution[],
  { moved = new Map(), isAtOnce = false, isShortAtFirst = false }: SettlementTerms = {},
): Decisions {
  const balances = new RunningBalances(moved);
  const decisions = due.map((execution): SettlementDecision => {
    const { debtor, amount, foreign, reserved } = execution;
    const attempt = execution.attempts + 1;
    const isShort = isShortAtFirst && attempt === 1;
    const available = isShort ? 0n : balances.of(debtor) + debtor.creditLine - reserved;
    const needed = foreign === null ? amount : amount + foreign.fee;
    const refusal = refusalOf(execution, attempt, isAtOnce);
    const facts = { execution, attempt, available, needed, reason: refusal?.reason ?? null };
    if (refusal !== null) return { ...facts, outcome: refusal.isAskedAgain ? 'retry' : 'reject', movements: [] };
    if (available < needed) {
      return { ...facts, outcome: isAtOnce || attempt >= lastAttempt ? 'reject' : 'retry', movements: [] };
    }
    const movements = movementsOf(execution);
    return balances.move(movements)
      ? { ...facts, outcome: 'settle', movements }
      : { ...facts, outcome: 'reject', movements: [] };
  });
  return { decisions, balances: balances.changed };
}

/** What refuses an execution whatever the funds are. */
export type Refusable = Pick<DueExecution, 'attempts' | 'rejection' | 'creditorRefusal' | 'creditorNumber'> & {
  readonly creditor: Pick<AccountFunds, 'kind'>;
};

/**
 * Why an attempt fails whatever the funds are: the control plane has it rejected (rules.md P14b), the creditor account
 * takes nothing (P5c), or its bank refuses or does not answer (D1c). Returns null if the funds decide.
 */
export function refusalOf(
  { rejection, creditorRefusal: refused, creditorNumber: number, creditor }: Refusable,
  attempt: number,
  isAtOnce = false,
): RefusedAttempt | null {
  const own = rejection ?? refused;
  if (own !== null) return { reason: own, isAskedAgain: false };
  return creditor.kind === 'clearing' ? refusalAt(number, attempt, isAtOnce) : null;
}

/**
 * The attempt of the runs that will reject an execution, whatever the funds are, and why (rules.md S11): the first one
 * that {@link refusalOf} refuses for good. Returns null if the funds decide.
 */
export function rejectionToCome(execution: Refusable): { readonly attempt: number; readonly reason: string } | null {
  for (let attempt = execution.attempts + 1; ; attempt += 1) {
    const refusal = refusalOf(execution, attempt);
    if (refusal?.isAskedAgain !== true) return refusal && { attempt, reason: refusal.reason };
  }
}

/** Why an attempt did not settle, in a few words. */
export function failureOf({ available, needed, reason }: Pick<SettlementDecision, 'available' | 'needed' | 'reason'>) {
  return reason ?? (available < needed ? 'funds lacking' : 'the creditor account holds no more');
}

/** The account that has a creditor's number, and what the payment would credit it with. */
interface NumberedCreditor {
  /** The currency of the open account with this number; null without such an account. */
  readonly currency: Currency | null;
  /** Whether this bank closed an account with this number. */
  readonly wasClosed: boolean;
  readonly credited: Currency;
}

/** Why a creditor account takes nothing (rules.md P5c); null if it takes the money, or another bank has it. */
export function creditorRefusal({ currency, wasClosed, credited }: NumberedCreditor): string | null {
  if (currency === null) return wasClosed ? 'the creditor account is closed' : null;
  return currency === credited ? null : `the creditor account is kept in ${currency}, not in ${credited}`;
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

  /** Makes all movements, or none when a balance would pass its limit. Returns whether they were made. */
  move(movements: readonly Movement[]): boolean {
    for (const movement of movements) this.#shift(movement, movement.amount);
    if (movements.every(({ debtor, creditor }) => this.#isWithinLimit(debtor) && this.#isWithinLimit(creditor)))
      return true;
    for (const movement of movements) this.#shift(movement, -movement.amount);
    return false;
  }

  #shift({ debtor, creditor }: Movement, amount: bigint): void {
    if (debtor.id === creditor.id) return;
    this.changed.set(debtor.id, this.of(debtor) - amount);
    this.changed.set(creditor.id, this.of(creditor) + amount);
  }

  #isWithinLimit(account: AccountFunds): boolean {
    return isWithinBalanceLimit(this.of(account), account.kind);
  }
}

/**
 * Whether no run has tried it. After its first attempt a standing order's next occurrences are scheduled (rules.md R9).
 */
export function isFirstAttempt({ attempts }: DueExecution): boolean {
  return attempts === 0;
}

/** The status of an execution after an attempt. */
export const statusAfter: Record<AttemptOutcome, ExecutionStatus> = { settle: 'ACSC', retry: 'ACCP', reject: 'RJCT' };

/** An execution after an attempt: only attempts that did not settle count (rules.md S4). */
export function afterAttempt({ outcome, attempt }: Pick<SettlementDecision, 'outcome' | 'attempt'>) {
  return { status: statusAfter[outcome], attempts: outcome === 'settle' ? attempt - 1 : attempt };
}

/** Money moved between two accounts of one currency: a posting without dates (rules.md S5). */
interface Movement {
  readonly debtor: AccountFunds;
  readonly creditor: AccountFunds;
  /** Minor units, greater than zero. */
  readonly amount: bigint;
  readonly isFee: boolean;
}

/** The movements that settle an execution; a foreign payment's fee and exchange are movements of their own (P11). */
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

/**
 * The postings of a decision, one for each movement, with their dates (rules.md S6). `asked`: see {@link Undated};
 * `batchId`: that of its bulk payment.
 */
export function postingsOf(
  { execution, movements }: SettlementDecision,
  dating: DatingTerms,
  { asked = null, batchId = null }: { readonly asked?: AskedDays | null; readonly batchId?: number | null } = {},
): Posting[] {
  const { id: executionId, executionDate, foreign } = execution;
  return movements.map(({ debtor, creditor, amount, isFee }) => ({
    cause: { executionId },
    debtorAccountId: debtor.id,
    creditorAccountId: creditor.id,
    amount,
    isFee,
    batchId,
    ...datesOf(
      { isFee, isInside: creditor.kind === 'customer', executionDate, valueDate: foreign?.valueDate ?? null, asked },
      dating,
    ),
  }));
}
