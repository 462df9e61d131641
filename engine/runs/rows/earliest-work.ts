import { sql } from 'kysely';
import type { Reader } from '../../ledger/database.ts';
import { preparedOne } from '../../ledger/queries.ts';
import { isOpen } from '../../settlement/rows/executions.ts';
import type { LocalDate } from '../../values/local-date.ts';

// One statement, as each step of a move of the clock asks for both.
const earliest = preparedOne((db: Reader) =>
  db.selectNoFrom((from) => [
    from
      .selectFrom('execution')
      .select('execution_date')
      .where(isOpen('execution'))
      .orderBy('execution_date')
      .limit(sql.lit(1))
      .as('due'),
    from
      .selectFrom('payment_return')
      .select('due')
      .where('booked_at', 'is', null)
      .orderBy('due')
      .limit(sql.lit(1))
      .as('returned'),
  ]),
);

/** The first day with an execution to try or a return to book (rules.md S12), or null if there is none. */
export async function earliestWork(reader: Reader): Promise<LocalDate | null> {
  const { due = null, returned = null } = (await earliest(reader, {})) ?? {};
  return due === null || (returned !== null && returned < due) ? returned : due;
}
