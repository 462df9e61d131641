import type { Posting } from '../../accounts/rules/entry.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { SettlementDecision } from './settlement.ts';

/** When executions settle: `date` is the booking date; a run after `at` books the entries (rules.md S6). */
export interface SettlementMoment {
  readonly date: LocalDate;
  readonly at: Instant;
}

const noBatches: ReadonlyMap<number, number> = new Map();

/**
 * The postings of a decision, one for each movement. The value date is the execution date (rules.md S6). `batches` maps
 * the keys of bulk payments to those of their batches.
 */
export function postingsOf(
  { execution, movements }: SettlementDecision,
  when: SettlementMoment,
  batches: ReadonlyMap<number, number> = noBatches,
): Posting[] {
  return movements.map(({ debtor, creditor, amount, isFee }) => ({
    cause: { executionId: execution.id },
    debtorAccountId: debtor.id,
    creditorAccountId: creditor.id,
    amount,
    bookingDate: when.date,
    valueDate: execution.executionDate,
    awaitsBookingSince: when.at,
    isFee,
    batchId: batches.get(execution.paymentId) ?? null,
  }));
}
