import { sql, type Selectable } from 'kysely';
import type { Instant } from '../core/instant.ts';
import type { TransactionStatus } from '../core/transaction-status.ts';
import { rowsTable, type Reader, type Transaction } from './database.ts';
import type { StatusChangeRow } from './tables.ts';

export interface NewStatusChange {
  readonly paymentId: number;
  readonly status: TransactionStatus;
  readonly cause: string;
}

/** Keeps status changes, in order (rules.md S10): bank time, wall time, cause. */
export async function insertStatusChanges(
  tx: Transaction,
  changes: readonly NewStatusChange[],
  at: Instant,
  wall: Instant,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ paymentId, status, cause }) => [paymentId, status, cause]);
  await sql`insert into status_change (payment_id, status, at, wall, cause)
    select c0, c1, ${at}, ${wall}, c2 from ${rowsTable(rows)}`.execute(tx);
}

export function statusChangesOf(reader: Reader, paymentId: number): Promise<Selectable<StatusChangeRow>[]> {
  return reader.selectFrom('status_change').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute();
}
