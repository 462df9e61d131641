import { assert } from '../../core/assert.ts';
import { mostFaults } from '../../core/bounded-faults.ts';
import type { Fault } from '../../core/fault.ts';
import { transfersOf, type Initiation } from '../../core/initiation.ts';
import type { LocalDate } from '../../core/local-date.ts';
import { duplicatesWithin, logicalDuplicate } from '../../core/logical-duplicate.ts';
import { parseInstructedAmount } from '../../core/parse-amount.ts';
import { creditorNumber } from '../../core/payment-initiation.ts';
import { insertBulkPayment } from '../../ledger/bulk-payments.ts';
import {
  alikeTransfers,
  insertCreditTransfers,
  type AlikeTransfer,
  type DatedTransfers,
} from '../../ledger/credit-transfers.ts';
import type { Reader, Transaction } from '../../ledger/database.ts';
import type { Payment } from '../../ledger/payments.ts';

/** 13 digits before the point, in øre. */
const largestSum = 10n ** 15n;

/** The transfers of a payment with one execution date; null for a periodic payment, which is no logical duplicate (rules.md P7). */
export function datedTransfers(
  initiation: Initiation,
  debtorAccountId: number,
  executionDate: LocalDate | null,
): DatedTransfers | null {
  if (executionDate === null) return null;
  const transfers = transfersOf(initiation).map(({ body }, index) => {
    const { amount, currency } = body.instructedAmount;
    const parsed = parseInstructedAmount(amount, currency);
    assert(typeof parsed !== 'string', `${amount} was checked with the body`);
    const item = initiation.service === 'bulk-payments' ? initiation.body.payments[index] : undefined;
    return {
      creditorNumber: creditorNumber(body),
      currency,
      amount: parsed.minor,
      initiation: item === undefined ? null : JSON.stringify(item),
    };
  });
  return { debtorAccountId, executionDate, transfers };
}

/** The sum of a bulk payment has as many digits as an amount may have, so that it can be told (rules.md P4). */
export function judgeSum({ transfers }: DatedTransfers): Fault[] {
  const sum = transfers.reduce((total, { amount }) => total + amount, 0n);
  if (transfers.length === 1 || sum < largestSum) return [];
  const text = `The amounts sum to ${sum / 100n} NOK; at most 13 digits before the point fit. Send several bulk payments.`;
  return [{ code: 'PAYMENT_FAILED', path: 'payments', text }];
}

/**
 * The logical duplicates among the transfers of one payment, and those of payments on the ledger (rules.md P7). The other
 * payment is named to its own TPP only.
 */
export async function judgeLogicalDuplicates(reader: Reader, tppId: string, dated: DatedTransfers): Promise<Fault[]> {
  const { transfers } = dated;
  const pathOf = (index: number): string => (transfers[index]?.initiation === null ? '' : `payments[${index}]`);
  const within = duplicatesWithin(transfers).map(({ index, first }) =>
    logicalDuplicate(pathOf(index), `${pathOf(first)} in the same body`),
  );
  // One more than is told shows that there are more.
  const alike = await alikeTransfers(reader, dated, mostFaults + 1);
  return [...within, ...alike.map((other) => logicalDuplicate(pathOf(other.index), named(other, tppId)))];
}

function named({ resource_id: id, tpp_id: owner, status }: AlikeTransfer, tppId: string): string {
  return owner === tppId ? `payment ${id} (${status})` : 'a payment of another TPP';
}

/** Keeps the transfers beside their payment. */
export async function recordTransfers(tx: Transaction, payment: Payment, dated: DatedTransfers): Promise<void> {
  await insertCreditTransfers(tx, payment.id, dated);
  if (payment.service === 'bulk-payments') await insertBulkPayment(tx, payment.id, dated.transfers.length);
}
