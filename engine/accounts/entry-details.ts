import { formattedAmount } from './rules/currency-exchange.ts';
import type { BulkPaymentItem } from '../values/credit-transfer.ts';
import { entryDetailsOf } from './rules/transaction-details.ts';
import { transfersOfBatch } from './rows/batches.ts';
import type { Reader } from '../ledger/database.ts';
import type { SandboxTransactionRow } from './rows/transactions.ts';
import { mockDetails, type Transaction } from './transaction.ts';

/** The transaction with the transfers of its batch, if it is one (interface: Account transaction, entryDetails). */
export async function withEntryDetails(
  reader: Reader,
  transaction: Transaction,
  row: Pick<SandboxTransactionRow, 'batch_id' | 'details'>,
): Promise<Transaction> {
  const { batch_id: batchId } = row;
  if (batchId === null) {
    const { entryDetails: told } = mockDetails(row);
    return told === undefined
      ? transaction
      : { ...transaction, details: { ...transaction.details, entryDetails: told } };
  }
  const { currency } = transaction.amount;
  const entryDetails = (await transfersOfBatch(reader, batchId)).map(({ amount_minor: minor, initiation }) =>
    entryDetailsOf(JSON.parse(initiation ?? '{}') as BulkPaymentItem, formattedAmount({ minor, currency })),
  );
  return { ...transaction, details: { ...transaction.details, entryDetails } };
}
