import { assert } from '../values/assert.ts';

/**
 * Converts bigints to numbers, in place. The ledger reads every integer as a bigint, because SQLite's integers are wider
 * than a JavaScript number. Columns of money are named `*_minor` and stay bigint; every other integer (ids, instants,
 * counts, flags) becomes a number. Throws beyond 2^53.
 */
export function decodeRows(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  const first = rows[0];
  if (first === undefined) return rows;
  const plain = Object.keys(first).filter((column) => !column.endsWith('_minor'));
  for (const row of rows) {
    for (const column of plain) {
      const value = row[column];
      if (typeof value === 'bigint') row[column] = exactNumber(value, column);
    }
  }
  return rows;
}

function exactNumber(value: bigint, column: string): number {
  const number = Number(value);
  // The text is built only on failure: a large run decodes a million integers.
  if (!Number.isSafeInteger(number)) assert(false, `${column} holds ${value}, beyond 2^53`);
  return number;
}

/** A value of a bulk write. */
export type Cell = string | number | bigint | null;

/**
 * Rows as one JSON text, for `json_each`. Bigints are written as plain numbers, which JSON.stringify cannot do; SQLite reads them as
 * 64-bit integers. For rows without bigints JSON.stringify is faster.
 */
export function rowsAsJson(rows: readonly (readonly Cell[])[]): string {
  const cellAsJson = (cell: Cell): string => (typeof cell === 'string' ? JSON.stringify(cell) : String(cell));
  return `[${rows.map((row) => `[${row.map(cellAsJson).join(',')}]`).join(',')}]`;
}

/** A boolean in SQLite. */
export type Flag = 0 | 1;
export const flag = (value: boolean): Flag => (value ? 1 : 0);
