import type { Posting } from '../../accounts/rules/entry.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import type { SettlementDecision } from './settlement.ts';

const noBatches: ReadonlyMap<number, number> = new Map();

/**
 * The postings of a decision, one for each movement. `next`, the first run after it, books them: its date is the booking
 * date; the value date is the execution date (rules.md S6). `batches` maps the keys of bulk payments to those of their
 * batches.
 */
export function postingsOf(
  { execution, movements }: SettlementDecision,
  next: SettlementRun,
  batches: ReadonlyMap<number, number> = noBatches,
): Posting[] {
  return movements.map(({ debtor, creditor, amount, isFee }) => ({
    cause: { executionId: execution.id },
    debtorAccountId: debtor.id,
    creditorAccountId: creditor.id,
    amount,
    bookingDate: next.date,
    valueDate: execution.executionDate,
    bookedAt: next.at,
    isFee,
    batchId: batches.get(execution.paymentId) ?? null,
  }));
}
