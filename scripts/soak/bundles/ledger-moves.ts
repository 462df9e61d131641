import type BetterSqlite3 from 'better-sqlite3';
import { contentOf, forged } from '../../../lab/forged-bundle.ts';
import { patched, withoutTriggers } from '../../../lab/patched-ledger.ts';
import type { Seeded } from '../../../lab/seeded.ts';
import type { Move } from './move.ts';
import { oddNumbers, oddTexts, withOddJson } from './odd-values.ts';

/** Changes a ledger, and says how. May throw for what SQLite itself refuses to write: nothing is changed then. */
type Change = (random: Seeded, sqlite: BetterSqlite3.Database) => string;

function move(name: string, ...changes: readonly Change[]): Move {
  return {
    name,
    make: (random, bank) => {
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
      return { what: told.join('; '), file: forged(contentOf(bank.json, ledger), bank) };
    },
  };
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** Columns of tables that have rows. */
function columnsOf(sqlite: BetterSqlite3.Database): readonly Column[] {
  const all = sqlite
    .prepare<[], Column>(
      `select m.name as "table", c.name as "column", c.type as type from sqlite_schema m join pragma_table_info(m.name) c
        where m.type = 'table' and m.name not like 'kysely%' order by m.name, c.cid`,
    )
    .all();
  const full = new Map<string, boolean>();
  return all.filter(({ table }) => {
    const known = full.get(table) ?? sqlite.prepare(`select 1 from ${table} limit 1`).get() !== undefined;
    full.set(table, known);
    return known;
  });
}

function columnIn(random: Seeded, sqlite: BetterSqlite3.Database, isWanted: (column: Column) => boolean): Column {
  const columns = columnsOf(sqlite).filter(isWanted);
  const found = columns[random.below(columns.length)];
  if (found === undefined) throw new Error('there is no such column');
  return found;
}

/** Updates one row, or all of them. */
function update(random: Seeded, sqlite: BetterSqlite3.Database, { table, column }: Column, value: unknown): string {
  const keys = sqlite
    .prepare<[], string>(`select name from pragma_table_info('${table}') where pk > 0 order by pk`)
    .pluck()
    .all();
  const rows = sqlite
    .prepare<[], readonly unknown[]>(`select ${keys.join(', ')} from ${table}`)
    .raw()
    .all();
  const row = rows[random.below(rows.length)] ?? [];
  const isAll = random.below(8) === 0;
  const where = isAll ? '' : ` where ${keys.map((key) => `${key} is ?`).join(' and ')}`;
  sqlite.prepare(`update ${table} set ${column} = ?${where}`).run(value, ...(isAll ? [] : row));
  const told = typeof value === 'bigint' ? String(value) : JSON.stringify(value)?.slice(0, 60);
  return `${isAll ? 'every' : 'one'} ${table}.${column} is ${told}`;
}

const anyValue: Change = (random, sqlite) => {
  const column = columnIn(random, sqlite, () => true);
  const odd = column.type === 'INTEGER' ? random.pick(oddNumbers) : random.pick(oddTexts);
  return update(random, sqlite, column, random.below(10) === 0 ? null : odd);
};

/** A value of another row or another table's column of this type: right by itself, wrong in its place. */
const borrowed: Change = (random, sqlite) => {
  const column = columnIn(random, sqlite, () => true);
  const other = columnIn(random, sqlite, ({ type }) => type === column.type);
  const values = sqlite.prepare(`select ${other.column} from ${other.table}`).safeIntegers().pluck().all();
  return update(random, sqlite, column, values[random.below(values.length)]);
};

/** JSON in a column, with one place changed. */
const jsonColumn: Change = (random, sqlite) => {
  const column = columnIn(random, sqlite, ({ column: name }) =>
    ['body', 'details', 'initiation', 'answer'].includes(name),
  );
  const texts = sqlite
    .prepare<[], string>(`select ${column.column} from ${column.table} where ${column.column} is not null`)
    .pluck()
    .all();
  const { what, value } = withOddJson(random, JSON.parse(texts[random.below(texts.length)] ?? '{}'));
  return `${update(random, sqlite, column, JSON.stringify(value))} (${what})`;
};

const fewerRows: Change = (random, sqlite) => {
  const { table } = columnIn(random, sqlite, () => true);
  if (random.below(4) === 0) {
    sqlite.exec(`delete from ${table}`);
    return `no ${table}`;
  }
  const rows = sqlite.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0;
  const keys = sqlite.prepare<[], string>(`select name from pragma_table_info('${table}') where pk > 0`).pluck().all();
  const list = keys.join(', ');
  sqlite.exec(
    `delete from ${table} where (${list}) in (select ${list} from ${table} limit 1 offset ${random.below(rows)})`,
  );
  return `a ${table} less`;
};

/** A row once more, under another key. */
const moreRows: Change = (random, sqlite) => {
  const { table } = columnIn(random, sqlite, ({ column }) => column === 'id');
  const columns = columnsOf(sqlite).filter((each) => each.table === table && each.column !== 'id');
  const odd = columns[random.below(columns.length)];
  const names = columns.map(({ column }) => column);
  const values = names.map((name) => (name === odd?.column && odd.type === 'TEXT' ? `${name} || 'x'` : name));
  sqlite.exec(`insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} limit 1`);
  return `a ${table} more`;
};

/** A value of a type that a strict table never has: its text says no longer that it is strict while the value is written. */
const otherType: Change = (random, sqlite) => {
  const column = columnIn(random, sqlite, () => true);
  const text = sqlite
    .prepare<[string], string>('select sql from sqlite_schema where name = ?')
    .pluck()
    .get(column.table);
  const write = sqlite.prepare('update sqlite_schema set sql = ? where name = ?');
  const reread = (): void => {
    const version = Number(sqlite.pragma('schema_version', { simple: true }));
    sqlite.pragma(`schema_version = ${version + 1}`);
  };
  write.run(text?.replace(/\)\s*strict(, without rowid)?$/i, ')$1').replace(/\), without/, ') without'), column.table);
  reread();
  const told = update(
    random,
    sqlite,
    column,
    random.pick<unknown>([1.5, Buffer.from('00ff', 'hex'), 'x', 7n, Buffer.alloc(0)]),
  );
  write.run(text, column.table);
  reread();
  return `${told}, of another type`;
};

/** Rows that somebody has changed, taken away or added. */
export const ledgerMoves: readonly [Move, ...Move[]] = [
  move('a value', anyValue),
  move('a value', anyValue),
  move('a value', anyValue),
  move('a borrowed value', borrowed),
  move('a borrowed value', borrowed),
  move('JSON in a row', jsonColumn),
  move('JSON in a row', jsonColumn),
  move('two changes', anyValue, borrowed),
  move('a row less', fewerRows),
  move('a row more', moreRows),
  move('a row less and one more', fewerRows, moreRows),
  move('another type', otherType),
];
