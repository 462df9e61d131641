import type { Reader, Row, Writer } from '../../ledger/database.ts';
import { type Given, insertRow, keysTable, preparedOne } from '../../ledger/queries.ts';

/** What identifies a call (rules.md P9). */
export type CallKey = Pick<Row<'first_answer'>, 'tpp_id' | 'method' | 'path' | 'request_id'>;

/** A kept answer, and what decides whether the SCA or the basket that it is about still lives. */
export type KeptAnswer = NonNullable<Awaited<ReturnType<typeof findFirstAnswer>>>;

export const findFirstAnswer = preparedOne((db: Reader, key: Given<CallKey>) =>
  db
    .selectFrom('first_answer')
    .leftJoin('sca', 'sca.resource_id', 'first_answer.sca_resource_id')
    .leftJoin('customer', 'customer.id', 'sca.customer_id')
    .leftJoin('signing_basket', 'signing_basket.id', 'first_answer.basket_id')
    .selectAll('first_answer')
    .select([
      'sca.outcome as sca_outcome',
      'sca.created_at_wall as sca_created_at_wall',
      // When the PSU for whom the SCA was opened was deleted.
      'customer.deleted_at as sca_psu_deleted_at',
      'signing_basket.expires_at as basket_expires_at',
    ])
    .where('first_answer.tpp_id', '=', key.tpp_id)
    .where('first_answer.method', '=', key.method)
    .where('first_answer.path', '=', key.path)
    .where('first_answer.request_id', '=', key.request_id),
);

/** Keeps an answer. Replaces one about something that is gone. */
export async function saveFirstAnswer(tx: Writer, answer: Row<'first_answer'>): Promise<void> {
  await insertRow(tx, 'first_answer', answer, 'replace');
}

/** The answers about what has an open SCA. */
export function answersWithLinks(db: Reader): Promise<readonly Row<'first_answer'>[]> {
  const open = <Column extends 'payment_id' | 'basket_id' | 'resource_id'>(column: Column) =>
    db.selectFrom('sca').select(column).where('outcome', 'is', null);
  return db
    .selectFrom('first_answer')
    .selectAll()
    .where((is) =>
      is.or([
        is('payment_id', 'in', open('payment_id')),
        is('basket_id', 'in', open('basket_id')),
        is('sca_resource_id', 'in', open('resource_id')),
      ]),
    )
    .execute();
}

/** Payments: these, or all from an account. */
export type PaymentsAsked = { readonly payments: readonly { readonly id: number }[] } | { readonly accountId: number };

/** Deletes the answers about payments. */
export async function deleteAnswers(tx: Writer, about: PaymentsAsked): Promise<void> {
  const ids =
    'accountId' in about
      ? tx.selectFrom('payment').select('id').where('debtor_account_id', '=', about.accountId)
      : keysTable(about.payments.map(({ id }) => id));
  await tx.deleteFrom('first_answer').where('payment_id', 'in', ids).execute();
}
