import type BetterSqlite3 from 'better-sqlite3';
import { patched, schemaRow, withoutTriggers } from '../../lab/patched-ledger.ts';
import type { Seeded } from '../../lab/seeded.ts';
import { oddNumbers, oddTexts } from '../odd-values.ts';
import type { Move } from './file-moves.ts';

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isKey: 0 | 1;
}

/** A ledger that is changed, as the seed says. */
class ChangedLedger {
  readonly random: Seeded;
  readonly sqlite: BetterSqlite3.Database;

  constructor(random: Seeded, sqlite: BetterSqlite3.Database) {
    this.random = random;
    this.sqlite = sqlite;
  }

  /** The first column of what a query returns. */
  values<Value = string>(query: string): readonly Value[] {
    return this.sqlite.prepare<[], Value>(query).pluck().all();
  }

  /** A column that is wanted, of a table that has rows. Throws if there is none. */
  anyColumn(isWanted: (column: Column) => boolean = () => true): Column {
    const tables = this.values(
      `select name from sqlite_schema where type = 'table' and name not like 'kysely%' order by name`,
    );
    const full = tables.filter((table) => this.values(`select 1 from ${table} limit 1`).length > 0);
    return this.random.pick(full.flatMap((table) => this.columnsOf(table)).filter(isWanted));
  }

  columnsOf(table: string): readonly Column[] {
    const query = `select '${table}' as "table", name as "column", type, pk > 0 as isKey from pragma_table_info('${table}')`;
    return this.sqlite.prepare<[], Column>(`${query} order by cid`).all();
  }

  /** The condition that only one row of a table meets. */
  oneRowOf(table: string): string {
    const keys = this.columnsOf(table).flatMap(({ column, isKey }) => (isKey === 1 ? [column] : []));
    const [rows = 0] = this.values<number>(`select count(*) from ${table}`);
    return ` where (${keys.join()}) in (select ${keys.join()} from ${table} limit 1 offset ${this.random.below(rows)})`;
  }

  /** Updates one row, or all of them now and then. */
  update({ table, column }: Column, value: unknown): string {
    const isAll = this.random.below(8) === 0;
    this.sqlite.prepare(`update ${table} set ${column} = ?${isAll ? '' : this.oneRowOf(table)}`).run(value);
    const told = typeof value === 'bigint' ? String(value) : JSON.stringify(value)?.slice(0, 60);
    return `${isAll ? 'every' : 'one'} ${table}.${column} is ${told}`;
  }
}

/** Changes a ledger, and says how. */
type Change = (ledger: ChangedLedger) => string;

/** Changes of rows. Where SQLite itself refuses to write one, nothing is changed. */
function rows(name: string, weight: number, ...changes: readonly Change[]): Move {
  return [
    name,
    weight,
    (random, bank) => {
      const told: string[] = [];
      const work = (sqlite: BetterSqlite3.Database): void => {
        for (const change of changes) {
          sqlite.exec('savepoint one');
          try {
            told.push(change(new ChangedLedger(random, sqlite)));
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

/** A change of the schema. `isForeign`: what it makes is in no ledger. */
function schema(name: string, weight: number, change: Change, isForeign = true): Move {
  return [
    name,
    weight,
    (random, bank) => {
      let what = '';
      const ledger = patched(bank.ledger, (sqlite) => void (what = change(new ChangedLedger(random, sqlite))));
      return { what, ledger, ...(isForeign && { isForeign }) };
    },
  ];
}

const anyValue: Change = (ledger) => {
  const { random } = ledger;
  const column = ledger.anyColumn();
  const odd = column.type === 'INTEGER' ? random.pick(oddNumbers) : random.pick(oddTexts);
  return ledger.update(column, random.below(10) === 0 ? null : odd);
};

/** Rows that somebody has changed. */
export const ledgerMoves: readonly Move[] = [rows('a value', 3, anyValue), rows('two values', 1, anyValue, anyValue)];

const endless = 'with recursive c (x) as (select 1 union all select x from c) select max(x) from c';

/** Statements of a trigger. */
const actions = [
  `select (${endless})`,
  'update account set balance_minor = balance_minor + 1',
  `delete from payment`,
  `select raise(abort, 'no')`,
] as const;

/** Parts of a name. */
const beginnings = [
  ...(['sqlite', 'sqlite_', 'SQLITE_', 'sqlite_autoindex_', 'sqlite_stat', 'kysely', 'kysely_migration'] as const),
  ...['entry', '', 'x y', 'x\ny'],
];
const endings = ['evil', '1', '_1', '', '_', '"', "'", '\u202e', '%'];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The text of an object of each kind: its name, and a table that it is on, quoted. */
const objects = {
  trigger: (random: Seeded, name: string, on: string) => {
    const when = `${random.pick(['before', 'after'])} ${random.pick(['insert', 'update', 'delete'])}`;
    return `CREATE TRIGGER ${name} ${when} on ${on} begin ${random.pick(actions)}; end`;
  },
  view: (random: Seeded, name: string, on: string) =>
    `CREATE VIEW ${name} as ${random.pick([endless, 'select 1 as x', `select * from ${on}`])}`,
  table: (random: Seeded, name: string) => {
    const value = random.pick(['1', 'randomblob(9)', "'a'"]);
    return `CREATE TABLE ${name} (id integer primary key, x text default (${value}))`;
  },
  'virtual table': (random: Seeded, name: string) => {
    const using = random.pick(['fts5(x)', 'fts4(x)', 'rtree(id, a, b)', 'dbstat', 'nothing', 'geopoly(a)']);
    return `CREATE VIRTUAL TABLE ${name} using ${using}`;
  },
  index: (random: Seeded, name: string, on: string) => {
    const columns = random.pick(['rowid', '1', 'id', 'name', "abs('x')"]);
    return `CREATE ${random.pick(['', 'UNIQUE '])}INDEX ${name} on ${on} (${columns})`;
  },
} as const;

/** An object as SQL makes it; where SQLite refuses its name or its text, written into the schema table. */
function object(kind: keyof typeof objects): Change {
  return (ledger) => {
    const { random, sqlite } = ledger;
    const name = random.pick(beginnings) + random.pick(endings);
    const table = random.pick(ledger.values(`select name from sqlite_schema where type = 'table' order by name`));
    const text = objects[kind](random, quoted(name), quoted(table));
    try {
      sqlite.exec(text);
    } catch {
      const type = kind === 'virtual table' ? 'table' : kind;
      schemaRow(type, name, type === 'trigger' || type === 'index' ? table : name, text, random.below(4))(sqlite);
    }
    return text;
  };
}

const oddCells: readonly unknown[] = [
  ...[null, 0, -1, 2, 3, 1_000_000],
  ...['', 'view', 'trigger', 'table', 'sqlite_evil', endless],
];

/** A row of the schema table with one of its values changed, taken away, or there twice. */
const changedRow: Change = (ledger) => {
  const { random } = ledger;
  const id = random.pick(ledger.values<number>('select rowid from sqlite_schema'));
  const [sql = ''] = ledger.values(`select coalesce(sql, '') from sqlite_schema where rowid = ${id}`);
  const at = random.below(sql.length);
  const edited = sql.slice(0, at) + random.pick([' ', 'x', ',', '(', 'not null', '/**/', '']) + sql.slice(at);
  const column = random.pick(['type', 'name', 'tbl_name', 'rootpage', 'sql']);
  const [what, statement, ...values] = random.pick([
    ['deleted', 'delete from sqlite_schema where rowid = ?'],
    ['doubled', 'insert into sqlite_schema select * from sqlite_schema where rowid = ?'],
    ['edited', 'update sqlite_schema set sql = ? where rowid = ?', edited],
    [`changed in ${column}`, `update sqlite_schema set ${column} = ? where rowid = ?`, random.pick(oddCells)],
  ] as const);
  ledger.sqlite.prepare(statement).run(...values, id);
  return `row ${id} ${what}`;
};

const migrations = [
  `drop table kysely_migration; create view kysely_migration as ${endless}`,
  'drop table kysely_migration',
  'drop table kysely_migration_lock',
  'delete from kysely_migration',
  `insert into kysely_migration values ('099-later', '2030')`,
  `insert into kysely_migration values ('${'x'.repeat(100_000)}\n\u202e', '2030')`,
  `update kysely_migration set name = name || char(10)`,
  `insert into kysely_migration with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000) select 'n' || i, '' from n`,
] as const;

/** Another object in the place of the table that says which migrations have run. */
const otherMigrations: Change = ({ random, sqlite }) => {
  const statement = random.pick(migrations);
  sqlite.exec(statement);
  return statement.slice(0, 80);
};

/** Many objects: each is read before it is refused. */
const manyObjects: Change = ({ random, sqlite }) => {
  const count = random.pick([10, 1_000, 5_000]);
  for (let left = count; left > 0; left -= 1)
    schemaRow('view', `sqlitev${left}`, `sqlitev${left}`, `CREATE VIEW sqlitev${left} as select 1`)(sqlite);
  return String(count);
};

/** Objects of all kinds and names in the ledger of a bundle. */
export const schemaMoves: readonly Move[] = [
  schema('a trigger', 3, object('trigger')),
  schema('a view', 1, object('view')),
  schema('a table', 1, object('table')),
  schema('a virtual table', 1, object('virtual table')),
  schema('an index', 1, object('index')),
  schema('a changed row of the schema', 2, changedRow, false),
  schema('the migrations', 1, otherMigrations, false),
  schema('many objects', 1, manyObjects),
];
