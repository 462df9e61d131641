import type { ForeignTransfer } from '../rules/foreign-transfer.ts';
import { formatRate } from '../../values/rate.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { ForeignTransferRow } from './tables.ts';

export async function insertForeignTransfer(tx: Writer, paymentId: number, terms: ForeignTransfer): Promise<void> {
  const { instructed, debit, fee, credit, debitRate, creditRate } = terms;
  const row: ForeignTransferRow = {
    payment_id: paymentId,
    debit_minor: debit.minor,
    fee_minor: fee.minor,
    instructed_minor: instructed.minor,
    instructed_currency: instructed.currency,
    credit_minor: credit.minor,
    credit_currency: credit.currency,
    debit_rate: debitRate === null ? null : formatRate(debitRate),
    credit_rate: creditRate === null ? null : formatRate(creditRate),
    quotation_date: terms.quotationDate,
  };
  await tx.insertInto('foreign_transfer').values(row).execute();
}

export function foreignTransferOf(reader: Reader, paymentId: number): Promise<ForeignTransferRow | undefined> {
  return reader.selectFrom('foreign_transfer').selectAll().where('payment_id', '=', paymentId).executeTakeFirst();
}
