import { CompiledQuery } from 'kysely';
import type { Bank } from '../../engine/open-bank.ts';
import type { Reader } from '../../engine/ledger/database.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Rows of a statement written by hand, with a value for each `?`: for what no repository asks, or should never ask. */
export async function rowsOf<Shape = Row>(reader: Reader, statement: string, values: unknown[] = []): Promise<Shape[]> {
  return (await reader.getExecutor().executeQuery<Shape>(CompiledQuery.raw(statement, values))).rows;
}

/** Rows of a bank by a statement written by hand, with a value for each `?`. */
export function rowsIn<Shape = Row>(
  { ledger }: Pick<Bank, 'ledger'>,
  statement: string,
  values?: unknown[],
): Promise<Shape[]> {
  return ledger.read((reader) => rowsOf<Shape>(reader, statement, values));
}

/** Changes rows by a statement written by hand. */
export async function changeRows(
  { ledger }: Pick<Bank, 'ledger'>,
  statement: string,
  values?: unknown[],
): Promise<void> {
  await ledger.write((tx) => rowsOf(tx, statement, values));
}

/** What changes the rows of a bank behind its back. */
export function harm(statement: string): (bank: Pick<Bank, 'ledger'>) => Promise<void> {
  return (bank) => changeRows(bank, statement);
}

/** Every row of every table, in the order of its key, without the columns named. Keys that each ledger draws are null. */
export function dump(bank: Bank, without: readonly string[] = []): Promise<Record<string, Row[]>> {
  const own = ['list_key', 'access_key', 'wire_key'];
  return bank.ledger.read(async (reader) => {
    const tables = await rowsOf(
      reader,
      `select name from sqlite_master where type = 'table' and name not like 'kysely%'`,
    );
    const contents: Record<string, Row[]> = {};
    for (const { name } of tables) {
      const rows = await rowsOf(reader, `select * from ${String(name)}`);
      contents[String(name)] = rows.map((row) => {
        const kept = Object.entries(row).filter(([column]) => !without.includes(column));
        return Object.fromEntries(kept.map(([column, value]) => [column, own.includes(column) ? null : value]));
      });
    }
    return contents;
  });
}

/** The statuses in the rows of payments or executions, in the order in which they came: by the count in their keys (engine/ledger/queries.ts). */
export function statusesIn(rows: readonly Row[] = []): unknown[] {
  const countOf = ({ id }: Row): number => Number(id) % 2 ** 30;
  return rows.toSorted((one, other) => countOf(one) - countOf(other)).map(({ status }) => status);
}
