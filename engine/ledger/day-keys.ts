import { sql, type RawBuilder } from 'kysely';

/**
 * Keys of payments and executions have the day on which they are due in their high digits, and a count below. So what a run reads and
 * changes lies side by side in every table and index, however long ago and between whatever else it was initiated.
 */
const keysOfDay = 2 ** 30;

/** The key before the first one of a day; of none: 0. */
export function keyBefore(date: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(coalesce(unixepoch(${date}) / 86400, 0) * ${sql.lit(keysOfDay)})`;
}

/** The greatest key of a day in a table, or {@link keyBefore} it. */
export function lastKeyOn(date: RawBuilder<unknown>, table: string): RawBuilder<number> {
  const before = keyBefore(date);
  return sql`coalesce((select max(id) from ${sql.table(table)} where id > ${before} and id < ${before} + ${sql.lit(keysOfDay)}), ${before})`;
}

/** The count in the key of a row of `alias`, written as in the index `payment_in_order`. */
export function countIn(alias: string): RawBuilder<number> {
  return sql`${sql.ref(`${alias}.id`)} % ${sql.lit(keysOfDay)}`;
}
