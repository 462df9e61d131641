import { CompiledQuery } from 'kysely';
import type { Cell } from './codec.ts';
import type { Writer } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * How many rows a statement takes. Few sizes, as each statement is prepared once and kept; large ones, as SQLite copies
 * each page that a statement of many rows changes once, and entries are spread over many pages.
 */
const sizes = [8_000, 500, 100, 10, 1];

/** SQLite's own limit. */
const parametersAtMost = 32_766;

type Column<Table extends keyof Tables> = keyof Tables[Table] & string;

/**
 * Inserts a row for each item, in their order: `columns` names the cells that `rowOf` makes, `shared` holds what is the
 * same in all. Kysely would take longer to put so many values into a statement than SQLite to insert them.
 */
export async function insertMany<Table extends keyof Tables, Item>(
  tx: Writer,
  table: Table,
  columns: readonly Column<Table>[],
  items: readonly Item[],
  rowOf: (item: Item, index: number) => readonly Cell[],
  shared: { readonly [Name in Column<Table>]?: Cell } = {},
): Promise<void> {
  const sharedCells: readonly unknown[] = Object.values(shared);
  const into = `insert into ${table} (${[...columns, ...Object.keys(shared)].join(', ')})`;
  const selected = [...columns.map((_, index) => `column${index + 1}`), ...sharedCells.map(() => '?')].join(', ');
  const places = columns.map(() => '?').join(', ');
  let start = 0;
  for (const size of sizes) {
    if (start + size > items.length) continue;
    if (sharedCells.length + size * columns.length > parametersAtMost) continue;
    const values = Array.from({ length: size }, (_, index) => `(${places}, ${index})`).join(', ');
    const statement = `${into} select ${selected} from (values ${values}) order by column${columns.length + 1}`;
    for (; start + size <= items.length; start += size) {
      const cells = [...sharedCells];
      for (let index = start; index < start + size; index += 1) cells.push(...rowOf(items[index] as Item, index));
      await tx.executeQuery(CompiledQuery.raw(statement, cells));
    }
  }
}
