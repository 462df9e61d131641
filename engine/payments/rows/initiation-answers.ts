import { keysTable, type Reader, type Writer } from '../../ledger/database.ts';
import type { InitiationAnswerRow } from './tables.ts';

/** The first answer that a TPP got under an X-Request-ID, if there was one (rules.md P9). */
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

/** Forgets the answers about these payments, which are no more, so that the calls work anew (rules.md D2). */
export async function forgetAnswersAbout(tx: Writer, payments: readonly { readonly id: number }[]): Promise<void> {
  const ids = keysTable(payments.map(({ id }) => id));
  await tx.deleteFrom('initiation_answer').where('payment_id', 'in', ids).execute();
}

/** Forgets the answers about all payments from an account that is no more. */
export async function forgetAnswersFrom(tx: Writer, accountId: number): Promise<void> {
  await tx
    .deleteFrom('initiation_answer')
    .where('payment_id', 'in', (eb) => eb.selectFrom('payment').select('id').where('debtor_account_id', '=', accountId))
    .execute();
}
