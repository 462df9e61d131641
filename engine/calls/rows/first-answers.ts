import type { ScaOutcome } from '../../sca/rules/sca.ts';
import { keysTable, type Reader, type Writer } from '../../ledger/database.ts';
import type { Instant } from '../../values/instant.ts';
import { type Given, insertRow, prepared } from '../../ledger/prepared.ts';
import type { FirstAnswerRow } from './tables.ts';

/** What identifies a call (rules.md P9). */
export type CallKey = Pick<FirstAnswerRow, 'tpp_id' | 'method' | 'path' | 'request_id'>;

/** A kept answer, and what decides whether the SCA or the basket that it is about still lives. */
export type KeptAnswer = FirstAnswerRow & {
  readonly sca_outcome: ScaOutcome | null;
  readonly sca_created_at_wall: Instant | null;
  /** When the PSU for whom the SCA was opened was deleted. */
  readonly sca_psu_deleted_at: Instant | null;
  readonly basket_expires_at: Instant | null;
};

const byKey = prepared((db: Reader, key: Given<CallKey>) =>
  db
    .selectFrom('first_answer')
    .leftJoin('sca', 'sca.resource_id', 'first_answer.sca_resource_id')
    .leftJoin('customer', 'customer.id', 'sca.customer_id')
    .leftJoin('signing_basket', 'signing_basket.id', 'first_answer.basket_id')
    .selectAll('first_answer')
    .select([
      'sca.outcome as sca_outcome',
      'sca.created_at_wall as sca_created_at_wall',
      'customer.deleted_at as sca_psu_deleted_at',
      'signing_basket.expires_at as basket_expires_at',
    ])
    .where('first_answer.tpp_id', '=', key.tpp_id)
    .where('first_answer.method', '=', key.method)
    .where('first_answer.path', '=', key.path)
    .where('first_answer.request_id', '=', key.request_id),
);

export async function findFirstAnswer(reader: Reader, key: CallKey): Promise<KeptAnswer | undefined> {
  const [kept] = await byKey(reader, key);
  return kept;
}

/** Keeps an answer. Replaces one about something that is gone. */
export async function saveFirstAnswer(tx: Writer, answer: FirstAnswerRow): Promise<void> {
  await insertRow(tx, 'first_answer', answer, 'replace');
}

/** Deletes the answers about deleted payments, so that a repeated call creates a payment again (rules.md D2). */
export async function forgetAnswersAbout(tx: Writer, payments: readonly { readonly id: number }[]): Promise<void> {
  const ids = keysTable(payments.map(({ id }) => id));
  await tx.deleteFrom('first_answer').where('payment_id', 'in', ids).execute();
}

/** Deletes the answers about all payments from a deleted account (rules.md D2). */
export async function forgetAnswersFrom(tx: Writer, accountId: number): Promise<void> {
  await tx
    .deleteFrom('first_answer')
    .where('payment_id', 'in', (eb) => eb.selectFrom('payment').select('id').where('debtor_account_id', '=', accountId))
    .execute();
}
