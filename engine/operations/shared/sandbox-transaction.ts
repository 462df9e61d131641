import { assert } from '../../core/assert.ts';
import { isCurrency } from '../../core/currency.ts';
import type { Instant } from '../../core/instant.ts';
import type { LocalDate } from '../../core/local-date.ts';
import type { Amount } from '../../core/money.ts';
import type { CreditTransferInitiation } from '../../core/payment-initiation.ts';
import { detailsOfPayment, type TransactionDetails } from '../../core/transaction-details.ts';
import type { SandboxTransactionRow } from '../../ledger/sandbox-transactions.ts';

/** A transaction as those see it who manage the sandbox's data. */
export interface SandboxTransaction {
  readonly entryId: number;
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
  /** Whether a run has booked it (rules.md S6). */
  readonly isBooked: boolean;
  readonly details: TransactionDetails;
}

/** A line of the ledger, in the account's currency, as a transaction; `lastRunAt` is the last scheduled run passed. */
export function sandboxTransactionOf(
  row: SandboxTransactionRow,
  currency: string,
  lastRunAt: Instant,
): SandboxTransaction {
  assert(isCurrency(currency), `${currency} is a currency of the interface`);
  return {
    entryId: row.id,
    amount: { minor: row.amount_minor, currency },
    bookingDate: row.booking_date,
    valueDate: row.value_date,
    isBooked: row.awaits_booking_since === null || row.awaits_booking_since < lastRunAt,
    details: detailsOf(row),
  };
}

function detailsOf(row: SandboxTransactionRow): TransactionDetails {
  if (row.initiation === null) return JSON.parse(row.details ?? '{}') as TransactionDetails;
  const debtor = { name: row.debtor_name ?? '', bban: row.debtor_bban, iban: row.debtor_iban };
  return detailsOfPayment(JSON.parse(row.initiation) as CreditTransferInitiation, debtor);
}
