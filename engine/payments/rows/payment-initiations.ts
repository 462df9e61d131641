import { sql } from 'kysely';
import type { LocalDate } from '../../values/local-date.ts';
import { bulkItemsOf } from './credit-transfers.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { type Given, prepared } from '../../ledger/prepared.ts';
import type { Payment } from './payments.ts';

const insertBody = prepared((tx: Writer, { paymentId, body }: Given<{ paymentId: number; body: string }>) =>
  tx.insertInto('payment_initiation').values({ payment_id: paymentId, body }),
);

/** Stores the request body as JSON, a bulk payment's without its items: those are stored with their transfers. */
export async function insertInitiation(tx: Writer, paymentId: number, body: string): Promise<void> {
  await insertBody(tx, { paymentId, body });
}

/** The stored body of a payment as JSON, a bulk payment's without its items. */
export async function initiationOf(reader: Reader, paymentId: number): Promise<string> {
  const { body } = await reader
    .selectFrom('payment_initiation')
    .select('body')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  return body;
}

const requestedDate = prepared(
  (_db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
    sql<{ requested: LocalDate | null }>`select body ->> '$.requestedExecutionDate' as requested
      from payment_initiation where payment_id = ${paymentId}`,
);

/** The date that the body of a single or bulk payment asks for; null: none. */
export async function requestedDateOf(reader: Reader, paymentId: number): Promise<LocalDate | null> {
  const [row] = await requestedDate(reader, { paymentId });
  return row?.requested ?? null;
}

/** The body of a payment as the TPP sent it, as JSON, with the items of a bulk payment. */
export async function wholeInitiationOf(reader: Reader, { id, service }: Payment): Promise<string> {
  const body = await initiationOf(reader, id);
  if (service !== 'bulk-payments') return body;
  const items = await bulkItemsOf(reader, id);
  // Joined as text: parsing and serialising ten thousand items would change nothing.
  return `${body.slice(0, -1)},"payments":[${items.join(',')}]}`;
}

export async function changeInitiation(tx: Writer, paymentId: number, body: string): Promise<void> {
  await tx.updateTable('payment_initiation').set({ body }).where('payment_id', '=', paymentId).execute();
}
