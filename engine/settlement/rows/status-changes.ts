import { sql, type Selectable } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { TransactionStatus } from '../rules/transaction-status.ts';
import { inParts } from '../../values/in-parts.ts';
import { keysTable, type Reader, type Writer } from '../../ledger/database.ts';
import type { StatusChangeRow } from './tables.ts';

export interface NewStatusChange {
  readonly paymentId: number;
  readonly status: TransactionStatus;
  readonly cause: string;
}

/** Stores status changes, at most one for each payment, with bank time and wall time (rules.md S10). */
export async function insertStatusChanges(
  tx: Writer,
  changes: readonly NewStatusChange[],
  at: Instant,
  wall: Instant,
): Promise<void> {
  for (const group of Map.groupBy(changes, ({ status, cause }) => `${status} ${cause}`).values()) {
    const [first] = group;
    if (first === undefined) continue;
    for (const some of inParts(group)) {
      const ids = keysTable(some.map(({ paymentId }) => paymentId));
      await sql`insert into status_change (payment_id, status, at, wall, cause)
        select value, ${first.status}, ${at}, ${wall}, ${first.cause} from ${ids} order by value`.execute(tx);
    }
  }
}

/** A payment's status changes, the oldest first. */
export function statusChangesOf(reader: Reader, paymentId: number): Promise<Selectable<StatusChangeRow>[]> {
  return reader.selectFrom('status_change').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute();
}
