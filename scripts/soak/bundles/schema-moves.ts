import type BetterSqlite3 from 'better-sqlite3';
import { contentOf, forged } from '../../../lab/forged-bundle.ts';
import { patched, schemaRow } from '../../../lab/patched-ledger.ts';
import type { Seeded } from '../../../lab/seeded.ts';
import type { Move } from './move.ts';

const endless = 'with recursive c (x) as (select 1 union all select x from c) select max(x) from c';
const work = [
  `select (${endless})`,
  'update account set balance_minor = balance_minor + 1',
  `delete from payment`,
  `select raise(abort, 'no')`,
] as const;

function anyName(random: Seeded): string {
  const beginning = random.pick([
    'sqlite',
    'sqlite_',
    'SQLITE_',
    'sqlite_autoindex_',
    'sqlite_stat',
    'kysely',
    'kysely_migration',
    'entry',
    '',
    'x y',
    'x\ny',
  ]);
  return beginning + random.pick(['evil', '1', '_1', '', '_', '"', "'", '\u202e', '%']);
}

function tableIn(random: Seeded, sqlite: BetterSqlite3.Database): string {
  const names = sqlite
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' order by name`)
    .pluck()
    .all();
  return names[random.below(names.length)] ?? 'account';
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

type Kind = 'trigger' | 'view' | 'table' | 'virtual table' | 'index';

function textOf(random: Seeded, kind: Kind, name: string, table: string): string {
  const [called, on] = [quoted(name), quoted(table)];
  switch (kind) {
    case 'trigger': {
      const when = random.pick([
        'before insert',
        'after insert',
        'before update',
        'after update',
        'before delete',
        'after delete',
      ]);
      return `CREATE TRIGGER ${called} ${when} on ${on} begin ${random.pick(work)}; end`;
    }
    case 'view':
      return `CREATE VIEW ${called} as ${random.pick([endless, 'select 1 as x', `select * from ${on}`])}`;
    case 'table':
      return `CREATE TABLE ${called} (id integer primary key, x text default (${random.pick(['1', 'randomblob(9)', "'a'"])}))`;
    case 'virtual table':
      return `CREATE VIRTUAL TABLE ${called} using ${random.pick(['fts5(x)', 'fts4(x)', 'rtree(id, a, b)', 'dbstat', 'nothing', 'geopoly(a)'])}`;
    case 'index':
      return `CREATE ${random.pick(['', 'UNIQUE '])}INDEX ${called} on ${on} (${random.pick(['rowid', '1', 'id', 'name', "abs('x')"])})`;
  }
}

/** An object as SQL makes it; where SQLite refuses its name or its text, written into the schema table. */
function object(kind: Kind): Move {
  return {
    name: `a ${kind}`,
    make: (random, bank) => {
      const name = anyName(random);
      let text = '';
      const change = (sqlite: BetterSqlite3.Database): void => {
        const table = tableIn(random, sqlite);
        text = textOf(random, kind, name, table);
        try {
          sqlite.exec(text);
        } catch {
          const type = kind === 'virtual table' ? 'table' : kind;
          schemaRow(type, name, type === 'trigger' || type === 'index' ? table : name, text, random.below(4))(sqlite);
        }
      };
      return { what: text, file: forged(contentOf(bank.json, patched(bank.ledger, change)), bank) };
    },
  };
}

/** A row of the schema table with one of its values changed, taken away, or there twice. */
const changedRow: Move = {
  name: 'a changed row of the schema',
  make: (random, bank) => {
    let told = '';
    const ledger = patched(bank.ledger, (sqlite) => {
      const rows = sqlite
        .prepare<[], { readonly id: number; readonly sql: string | null }>('select rowid as id, sql from sqlite_schema')
        .all();
      const { id, sql } = rows[random.below(rows.length)] ?? { id: 1, sql: '' };
      const kind = random.below(4);
      const column = random.pick(['type', 'name', 'tbl_name', 'rootpage', 'sql']);
      told = `${kind} ${column} of row ${id}`;
      if (kind === 0) sqlite.prepare('delete from sqlite_schema where rowid = ?').run(id);
      else if (kind === 1)
        sqlite.prepare('insert into sqlite_schema select * from sqlite_schema where rowid = ?').run(id);
      else if (kind === 2) {
        const at = random.below(sql?.length ?? 1);
        const changed = `${sql?.slice(0, at)}${random.pick([' ', 'x', ',', '(', 'not null', '/**/', ''])}${sql?.slice(at)}`;
        sqlite.prepare('update sqlite_schema set sql = ? where rowid = ?').run(changed, id);
      } else {
        const odd = random.pick<unknown>([
          null,
          '',
          'view',
          'trigger',
          'table',
          0,
          -1,
          2,
          3,
          1_000_000,
          anyName(random),
          endless,
        ]);
        sqlite.prepare(`update sqlite_schema set ${column} = ? where rowid = ?`).run(odd, id);
      }
    });
    return { what: told, file: forged(contentOf(bank.json, ledger), bank) };
  },
};

/** Another object in the place of the table that says which migrations have run. */
const migrations: Move = {
  name: 'the migrations',
  make: (random, bank) => {
    const text = random.pick([
      `drop table kysely_migration; create view kysely_migration as ${endless}`,
      'drop table kysely_migration',
      'drop table kysely_migration_lock',
      'delete from kysely_migration',
      `delete from kysely_migration where name > '007'`,
      `delete from kysely_migration where name < '003'`,
      `insert into kysely_migration values ('099-later', '2030')`,
      `insert into kysely_migration values ('${'x'.repeat(100_000)}\n\u202e', '2030')`,
      `update kysely_migration set name = name || char(10)`,
      `insert into kysely_migration with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000) select 'n' || i, '' from n`,
    ]);
    const ledger = patched(bank.ledger, (sqlite) => void sqlite.exec(text));
    return { what: text.slice(0, 80), file: forged(contentOf(bank.json, ledger), bank) };
  },
};

/** Many objects: each is read before it is refused. */
const many: Move = {
  name: 'many objects',
  make: (random, bank) => {
    const count = random.pick([10, 1_000, 5_000]);
    const ledger = patched(bank.ledger, (sqlite) => {
      for (let left = count; left > 0; left -= 1)
        schemaRow('view', `sqlitev${left}`, `sqlitev${left}`, `CREATE VIEW sqlitev${left} as select 1`)(sqlite);
    });
    return { what: String(count), file: forged(contentOf(bank.json, ledger), bank) };
  },
};

/** Objects of all kinds and names. */
export const schemaMoves: readonly [Move, ...Move[]] = [
  object('trigger'),
  object('trigger'),
  object('trigger'),
  object('view'),
  object('table'),
  object('virtual table'),
  object('index'),
  changedRow,
  changedRow,
  migrations,
  many,
];
