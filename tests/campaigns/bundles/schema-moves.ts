import { patched, schemaRow } from '../../lab/patched-ledger.ts';
import type { Seeded } from '../../lab/seeded.ts';
import type { Move } from './file-moves.ts';
import { type Change, valuesOf } from './ledger-moves.ts';

const endless = 'with recursive c (x) as (select 1 union all select x from c) select max(x) from c';

/** Statements of a trigger. */
const actions = [
  `select (${endless})`,
  'update account set balance_minor = balance_minor + 1',
  `delete from payment`,
  `select raise(abort, 'no')`,
] as const;

const beginnings = [
  ...(['sqlite', 'sqlite_', 'SQLITE_', 'sqlite_autoindex_', 'sqlite_stat', 'kysely', 'kysely_migration'] as const),
  ...['entry', '', 'x y', 'x\ny'],
];
const endings = ['evil', '1', '_1', '', '_', '"', "'", '\u202e', '%'];

function anyName(random: Seeded): string {
  return random.pick(beginnings) + random.pick(endings);
}

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

/** `isForeign`: what it makes is in no ledger. */
function move(name: string, weight: number, change: Change, isForeign = true): Move {
  return [
    name,
    weight,
    (random, bank) => {
      let what = '';
      const ledger = patched(bank.ledger, (sqlite) => void (what = change(random, sqlite)));
      return { what, ledger, ...(isForeign && { isForeign }) };
    },
  ];
}

/** An object as SQL makes it; where SQLite refuses its name or its text, written into the schema table. */
function object(kind: keyof typeof objects): Change {
  return (random, sqlite) => {
    const name = anyName(random);
    const table = random.pick(valuesOf(sqlite, `select name from sqlite_schema where type = 'table' order by name`));
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
const changedRow: Change = (random, sqlite) => {
  const id = random.pick(valuesOf<number>(sqlite, 'select rowid from sqlite_schema'));
  const [sql = ''] = valuesOf(sqlite, `select coalesce(sql, '') from sqlite_schema where rowid = ${id}`);
  const at = random.below(sql.length);
  const edited = sql.slice(0, at) + random.pick([' ', 'x', ',', '(', 'not null', '/**/', '']) + sql.slice(at);
  const column = random.pick(['type', 'name', 'tbl_name', 'rootpage', 'sql']);
  const [what, statement, ...values] = random.pick([
    ['deleted', 'delete from sqlite_schema where rowid = ?'],
    ['doubled', 'insert into sqlite_schema select * from sqlite_schema where rowid = ?'],
    ['edited', 'update sqlite_schema set sql = ? where rowid = ?', edited],
    [`changed in ${column}`, `update sqlite_schema set ${column} = ? where rowid = ?`, random.pick(oddCells)],
  ] as const);
  sqlite.prepare(statement).run(...values, id);
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
const otherMigrations: Change = (random, sqlite) => {
  const statement = random.pick(migrations);
  sqlite.exec(statement);
  return statement.slice(0, 80);
};

/** Many objects: each is read before it is refused. */
const manyObjects: Change = (random, sqlite) => {
  const count = random.pick([10, 1_000, 5_000]);
  for (let left = count; left > 0; left -= 1)
    schemaRow('view', `sqlitev${left}`, `sqlitev${left}`, `CREATE VIEW sqlitev${left} as select 1`)(sqlite);
  return String(count);
};

/** Objects of all kinds and names in the ledger of a bundle. */
export const schemaMoves: readonly Move[] = [
  move('a trigger', 3, object('trigger')),
  move('a view', 1, object('view')),
  move('a table', 1, object('table')),
  move('a virtual table', 1, object('virtual table')),
  move('an index', 1, object('index')),
  move('a changed row of the schema', 2, changedRow, false),
  move('the migrations', 1, otherMigrations, false),
  move('many objects', 1, manyObjects),
];
