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

/** Keeps status changes, at most one of each payment (rules.md S10): bank time, wall time, cause. */
export async function insertStatusChanges(
  tx: Writer,
  changes: readonly NewStatusChange[],
  at: Instant,
  wall: Instant,
): Promise<void> {
  for (const alike of Map.groupBy(changes, ({ status, cause }) => `${status} ${cause}`).values()) {
    const [first] = alike;
    if (first === undefined) continue;
    for (const some of inParts(alike)) {
      const ids = keysTable(some.map(({ paymentId }) => paymentId));
      await sql`insert into status_change (payment_id, status, at, wall, cause)
        select value, ${first.status}, ${at}, ${wall}, ${first.cause} from ${ids} order by value`.execute(tx);
    }
  }
}

export function statusChangesOf(reader: Reader, paymentId: number): Promise<Selectable<StatusChangeRow>[]> {
  return reader.selectFrom('status_change').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute();
}
