import type BetterSqlite3 from 'better-sqlite3';
import { patched, withoutTriggers } from '../../lab/patched-ledger.ts';
import type { Seeded } from '../../lab/seeded.ts';
import { oddNumbers, oddTexts, withOddJson } from '../odd-values.ts';
import type { Move } from './file-moves.ts';

/** Changes a ledger, and says how. May throw for what SQLite itself refuses to write: nothing is changed then. */
export type Change = (random: Seeded, sqlite: BetterSqlite3.Database) => string;

function move(name: string, weight: number, ...changes: readonly Change[]): Move {
  return [
    name,
    weight,
    (random, bank) => {
      const told: string[] = [];
      const work = (sqlite: BetterSqlite3.Database): void => {
        for (const change of changes) {
          sqlite.exec('savepoint one');
          try {
            told.push(change(random, sqlite));
          } catch {
            sqlite.exec('rollback to one');
            told.push('nothing');
          }
          sqlite.exec('release one');
        }
      };
      const ledger = patched(bank.ledger, withoutTriggers(work));
      return { what: told.join('; '), ledger };
    },
  ];
}

/** The first column of what a query returns. */
export function valuesOf<Value = string>(sqlite: BetterSqlite3.Database, query: string): readonly Value[] {
  return sqlite.prepare<[], Value>(query).pluck().all();
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** A column that is wanted, of a table that has rows. Throws if there is none. */
function columnIn(
  random: Seeded,
  sqlite: BetterSqlite3.Database,
  isWanted: (column: Column) => boolean = () => true,
): Column {
  const tables = valuesOf(
    sqlite,
    `select name from sqlite_schema where type = 'table' and name not like 'kysely%' order by name`,
  );
  const full = tables.filter((table) => valuesOf(sqlite, `select 1 from ${table} limit 1`).length > 0);
  return random.pick(full.flatMap((table) => columnsOf(sqlite, table)).filter(isWanted));
}

function columnsOf(sqlite: BetterSqlite3.Database, table: string): readonly Column[] {
  const query = `select '${table}' as "table", name as "column", type from pragma_table_info('${table}') order by cid`;
  return sqlite.prepare<[], Column>(query).all();
}

function keysOf(sqlite: BetterSqlite3.Database, table: string): readonly string[] {
  return valuesOf(sqlite, `select name from pragma_table_info('${table}') where pk > 0 order by pk`);
}

/** Updates one row, or all of them now and then. */
function update(
  random: Seeded,
  sqlite: BetterSqlite3.Database,
  { table, column }: Column,
  value: unknown,
  isAll = random.below(8) === 0,
): string {
  const keys = keysOf(sqlite, table);
  const rows = sqlite
    .prepare<[], readonly unknown[]>(`select ${keys.join(', ')} from ${table}`)
    .raw()
    .all();
  const row = random.pick(rows);
  const where = isAll ? '' : ` where ${keys.map((key) => `${key} is ?`).join(' and ')}`;
  sqlite.prepare(`update ${table} set ${column} = ?${where}`).run(value, ...(isAll ? [] : row));
  const told = typeof value === 'bigint' ? String(value) : JSON.stringify(value)?.slice(0, 60);
  return `${isAll ? 'every' : 'one'} ${table}.${column} is ${told}`;
}

const anyValue: Change = (random, sqlite) => {
  const column = columnIn(random, sqlite);
  const odd = column.type === 'INTEGER' ? random.pick(oddNumbers) : random.pick(oddTexts);
  return update(random, sqlite, column, random.below(10) === 0 ? null : odd);
};

/** A value of another row or another table's column of this type: right by itself, wrong in its place. */
const borrowed: Change = (random, sqlite) => {
  const column = columnIn(random, sqlite);
  const other = columnIn(random, sqlite, ({ type }) => type === column.type);
  const values = sqlite.prepare(`select ${other.column} from ${other.table}`).safeIntegers().pluck().all();
  return update(random, sqlite, column, random.pick(values));
};

/** JSON in a column, with one place changed. */
const jsonColumn: Change = (random, sqlite) => {
  const isJson = ({ column }: Column): boolean => ['body', 'details', 'initiation', 'answer'].includes(column);
  const at = columnIn(random, sqlite, isJson);
  const texts = valuesOf(sqlite, `select ${at.column} from ${at.table} where ${at.column} is not null`);
  const { what, value } = withOddJson(random, JSON.parse(random.pick(texts)));
  return `${update(random, sqlite, at, JSON.stringify(value))} (${what})`;
};

const mb = 1024 * 1024;

/** A cell that is far larger than any that a bank writes, or that has far more values. */
const hugeCell: Change = (random, sqlite) => {
  const cells = [
    () => 'x'.repeat(random.pick([1, 9, 60]) * mb),
    () => `[${'0,'.repeat(random.pick([200_000, 2_000_000]))}0]`,
    () => `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    () => `{${'"a":"b",'.repeat(1_000_000)}"c":1}`,
  ];
  return update(
    random,
    sqlite,
    columnIn(random, sqlite, ({ type }) => type === 'TEXT'),
    random.pick(cells)(),
  );
};

const fewerRows: Change = (random, sqlite) => {
  const { table } = columnIn(random, sqlite);
  const keys = keysOf(sqlite, table).join(', ');
  const [rows = 0] = valuesOf<number>(sqlite, `select count(*) from ${table}`);
  const one = ` where (${keys}) in (select ${keys} from ${table} limit 1 offset ${random.below(rows)})`;
  const isAll = random.below(4) === 0;
  sqlite.exec(`delete from ${table}${isAll ? '' : one}`);
  return `${isAll ? 'no' : 'one less'} ${table}`;
};

/** A row once more, under another key. */
const moreRows: Change = (random, sqlite) => {
  const { table } = columnIn(random, sqlite, ({ column }) => column === 'id');
  const columns = columnsOf(sqlite, table).filter(({ column }) => column !== 'id');
  const odd = random.pick(columns);
  const names = columns.map(({ column }) => column);
  const values = names.map((name) => (name === odd.column && odd.type === 'TEXT' ? `${name} || 'x'` : name));
  sqlite.exec(`insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} limit 1`);
  return `one more ${table}`;
};

/** A value of a type that a strict table never has: the schema does not call the table strict while the value is written. */
const otherType: Change = (random, sqlite) => {
  const column = columnIn(random, sqlite);
  const [text = ''] = valuesOf(sqlite, `select sql from sqlite_schema where name = '${column.table}'`);
  const declare = (sql: string): void => {
    sqlite.prepare('update sqlite_schema set sql = ? where name = ?').run(sql, column.table);
    sqlite.pragma(`schema_version = ${Number(sqlite.pragma('schema_version', { simple: true })) + 1}`);
  };
  declare(text.replace(/\)\s*strict(, without rowid)?$/i, ')$1').replace(/\), without/, ') without'));
  const values: readonly unknown[] = [1.5, Buffer.from('00ff', 'hex'), 'x', 7n, Buffer.alloc(0)];
  const told = update(random, sqlite, column, random.pick(values));
  declare(text);
  return `${told}, of another type`;
};

/** Rows that somebody has changed, taken away or added. */
export const ledgerMoves: readonly Move[] = [
  move('a value', 3, anyValue),
  move('a borrowed value', 2, borrowed),
  move('JSON in a row', 2, jsonColumn),
  move('a huge cell', 1, hugeCell),
  move('two changes', 1, anyValue, borrowed),
  move('a row less', 1, fewerRows),
  move('a row more', 1, moreRows),
  move('a row less and one more', 1, fewerRows, moreRows),
  move('another type', 1, otherType),
];
