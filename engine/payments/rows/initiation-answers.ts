import { keysTable, type Reader, type Writer } from '../../ledger/database.ts';
import type { InitiationAnswerRow } from './tables.ts';

/** The stored first answer to an X-Request-ID of a TPP (rules.md P9). */
export function initiationAnswer(
  reader: Reader,
  tppId: string,
  requestId: string,
): Promise<InitiationAnswerRow | undefined> {
  return reader
    .selectFrom('initiation_answer')
    .selectAll()
    .where('tpp_id', '=', tppId)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
}

export async function insertInitiationAnswer(tx: Writer, answer: InitiationAnswerRow): Promise<void> {
  await tx.insertInto('initiation_answer').values(answer).execute();
}

/** Deletes the answers about deleted payments, so that a repeated call creates a payment again (rules.md D2). */
export async function forgetAnswersAbout(tx: Writer, payments: readonly { readonly id: number }[]): Promise<void> {
  const ids = keysTable(payments.map(({ id }) => id));
  await tx.deleteFrom('initiation_answer').where('payment_id', 'in', ids).execute();
}

/** Deletes the answers about all payments from a deleted account (rules.md D2). */
export async function forgetAnswersFrom(tx: Writer, accountId: number): Promise<void> {
  await tx
    .deleteFrom('initiation_answer')
    .where('payment_id', 'in', (eb) => eb.selectFrom('payment').select('id').where('debtor_account_id', '=', accountId))
    .execute();
}
