import { sql, type Selectable } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import { groupAlike, inParts } from '../../values/lists.ts';
import { keysIn, type Reader, type Writer } from '../../ledger/database.ts';
import { insertRow, type Given, prepared } from '../../ledger/prepared.ts';
import type { StatusChangeRow } from './tables.ts';

export interface NewStatusChange {
  readonly paymentId: number;
  readonly status: TransactionStatus;
  readonly cause: string;
}

type Change = Pick<StatusChangeRow, 'status' | 'at' | 'wall' | 'cause'>;

const insertAlike = prepared(
  (_tx: Writer, { status, at, wall, cause, ids }: Given<Change & { ids: string }>) =>
    sql`insert into status_change (payment_id, status, at, wall, cause)
      select value, ${status}, ${at}, ${wall}, ${cause} from ${keysIn(ids)} order by value`,
);

/** Stores status changes, at most one for each payment, with bank time and wall time (rules.md S10). */
export async function insertStatusChanges(
  tx: Writer,
  changes: readonly NewStatusChange[],
  at: Instant,
  wall: Instant,
): Promise<void> {
  const keyOf = ({ status, cause }: NewStatusChange): string => `${status} ${cause}`;
  const isAlike = (one: NewStatusChange, other: NewStatusChange): boolean =>
    one.status === other.status && one.cause === other.cause;
  for (const group of groupAlike(changes, keyOf, isAlike)) {
    const [first] = group;
    if (first === undefined) continue;
    const { status, cause } = first;
    if (group.length === 1) {
      await insertRow(tx, 'status_change', { payment_id: first.paymentId, status, at, wall, cause });
      continue;
    }
    for (const some of inParts(group)) {
      const ids = JSON.stringify(some.map(({ paymentId }) => paymentId));
      await insertAlike(tx, { status, at, wall, cause, ids });
    }
  }
}

/** A payment's status changes, the oldest first. */
export function statusChangesOf(reader: Reader, paymentId: number): Promise<Selectable<StatusChangeRow>[]> {
  return reader.selectFrom('status_change').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute();
}
