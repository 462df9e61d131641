import { type Amount, type Currency, formattedAmount } from '../values/money.ts';
import {
  formatExchange,
  detailsOfBatch,
  detailsOfFee,
  detailsOfPayment,
  textOfBatch,
  entryDetailsOf,
  type TransactionDetails,
} from './rules/transaction-details.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { BulkPaymentItem, CreditTransferInitiation } from '../values/credit-transfer.ts';
import type { TransactionRow } from './rows/transactions.ts';
import { transfersOfBatch } from './rows/entries.ts';
import type { Reader } from '../ledger/database.ts';

/** A transaction of an account, as read from the ledger. */
export interface Transaction {
  /** What its transactionId is made of. */
  readonly transactionNumber: number;
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  /** The bank date of the run that booked it. Null while pending (rules.md S6, S8b). */
  readonly bookingDate: LocalDate | null;
  readonly valueDate: LocalDate;
  /**
   * Set while it is reserved or announced, and not posted (rules.md S8b): its id under `/v1/sandbox`, and when it is to
   * be booked.
   */
  readonly reservation?: { readonly id: string; readonly bookingDate: LocalDate | null };
  /** True for the fee of a payment (rules.md P11), which no answer says. */
  readonly isFee: boolean;
  /** True for money that came back (rules.md S12); left out of any other. */
  readonly isReturn?: true;
  readonly details: TransactionDetails;
}

/** Makes a transaction from a row. `currency` is the account's. */
export function transactionOf(row: TransactionRow, currency: Currency): Transaction {
  const amount = { minor: row.amount_minor, currency };
  const { reservation } = row;
  return {
    ...(reservation !== undefined && {
      reservation: { id: reservation.resource_id, bookingDate: reservation.booking_date },
    }),
    transactionNumber: row.transaction_number,
    amount,
    bookingDate: row.is_booked === 1 ? row.booking_date : null,
    valueDate: row.value_date,
    isFee: row.is_fee === 1,
    ...(row.is_return === 1 && { isReturn: true }),
    details: { ...detailsOf(row, amount), ...exchangeOf(row, amount) },
  };
}

/** The stored details of a mock transaction. `entryDetails` are shown only when one transaction is read. */
function mockDetails({ details }: Pick<TransactionRow, 'details'>) {
  const { entryDetails, ...listed } = JSON.parse(details ?? '{}') as TransactionDetails;
  return { listed, entryDetails };
}

function detailsOf(row: TransactionRow, amount: Amount): TransactionDetails {
  if (row.initiation === null) return mockDetails(row).listed;
  const debtor = { name: row.debtor_name ?? '', bban: row.debtor_bban, iban: row.debtor_iban };
  if (row.batch_transactions !== null) return detailsOfBatch(debtor, row.batch_transactions, amount);
  const initiation = JSON.parse(row.initiation) as CreditTransferInitiation;
  return row.is_fee === 1 ? detailsOfFee(initiation, debtor) : detailsOfPayment(initiation, debtor);
}

/** The exchange of a converted entry; nothing for a fee or an unconverted one (rules.md P11). */
function exchangeOf(row: TransactionRow, amount: Amount): Partial<TransactionDetails> {
  const { instructed_minor: minor, instructed_currency: instructedCurrency, quotation_date: quotationDate } = row;
  const rate = row.amount_minor < 0n ? row.debit_rate : row.credit_rate;
  if (row.is_fee === 1 || minor === null || instructedCurrency === null) return {};
  if (rate === null || quotationDate === null) return {};
  return formatExchange({ amount, instructed: { minor, currency: instructedCurrency }, rate, quotationDate });
}

/**
 * The other side of a transaction, or what it is about, in one line: `Lønn`. Of a return, that it is one. It is empty
 * if it tells nothing.
 */
export function headlineOf({
  details,
  amount,
  isReturn,
}: Pick<Transaction, 'details' | 'amount' | 'isReturn'>): string {
  const { batchNumberOfTransactions: batched } = details;
  const ofBatch = batched === undefined ? undefined : textOfBatch(batched, amount);
  const text = details.remittanceInformationUnstructured ?? ofBatch;
  const other = amount.minor < 0n ? details.creditorName : details.debtorName;
  if (isReturn === true && text !== undefined) return text;
  return other ?? text ?? details.additionalInformation ?? '';
}

/** Adds the transfers of a batch to its transaction (interface: Account transaction, entryDetails). */
export async function withEntryDetails(
  reader: Reader,
  transaction: Transaction,
  row: Pick<TransactionRow, 'batch_id' | 'details'>,
): Promise<Transaction> {
  const { batch_id: batchId } = row;
  if (batchId === null) {
    const { entryDetails: stored } = mockDetails(row);
    return stored === undefined
      ? transaction
      : { ...transaction, details: { ...transaction.details, entryDetails: stored } };
  }
  const { currency } = transaction.amount;
  const entryDetails = (await transfersOfBatch(reader, batchId)).map(({ amount_minor: minor, initiation }) =>
    entryDetailsOf(JSON.parse(initiation ?? '{}') as BulkPaymentItem, formattedAmount({ minor, currency })),
  );
  return { ...transaction, details: { ...transaction.details, entryDetails } };
}
