import { CompiledQuery } from 'kysely';
import type { Cell } from './codec.ts';
import type { Writer } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Numbers of rows per statement. Few sizes, as each statement is prepared once and cached; large ones, as SQLite copies
 * every changed page once per statement, and entries are spread over many pages.
 */
const sizes = [8_000, 500, 100, 10, 1];

/** SQLite's limit of parameters. */
const parametersAtMost = 32_766;

type Column<Table extends keyof Tables> = keyof Tables[Table] & string;

/**
 * Inserts a row per item, in order. `rowOf` returns the values of `columns`; `shared` has the values that are the same in
 * all rows. For many rows Kysely takes longer to build the statement than SQLite to insert them.
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
