import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/temp-folder.ts';
import BetterSqlite3 from 'better-sqlite3';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { packBundle, unpackBundle } from '../../api/hosting/bundle/bundle-file.ts';
import { takeLedgerImage, saveSnapshot } from '../../engine/bank/snapshots.ts';
import { type Bank, checkLedger } from '../../engine/open-bank.ts';
import { closeConnection, openConnection } from '../../engine/ledger/connection.ts';
import { migrate, migrationTable, migrations, type Migrations } from '../../engine/ledger/schema.ts';
import { openSqlite } from '../../engine/ledger/open-sqlite.ts';
import { restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { patched, schemaRow } from '../lab/patched-ledger.ts';
import { program } from '../support/program.ts';
import { oneOf } from '../support/sample.ts';
import { startTestBank } from '../lab/server.ts';

const now = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();
let sound: Buffer;
beforeAll(async () => {
  await using bank = await memoryBank(now);
  sound = (await takeLedgerImage(bank)).bytes;
});

const endless = 'with recursive c (x) as (select 1 union all select x from c) select max(x) from c';
const sql = (text: string) => (sqlite: BetterSqlite3.Database) => void sqlite.exec(text);
const took = (name: string, text: string) => (sqlite: BetterSqlite3.Database) =>
  void sqlite.prepare('update sqlite_schema set sql = ? where name = ?').run(text, name);

type Change = (sqlite: BetterSqlite3.Database) => void;

const foreign: readonly (readonly [what: string, change: Change, said: RegExp])[] = [
  ...['evil', 'sqliteevil', 'sqlite3', 'kyselyevil', 'Sqliteevil', 'KYSELY_x'].flatMap((name) =>
    [
      [`create trigger ${name} after update on account begin update account set balance_minor = 0; end`, 'trigger'],
      [`create trigger ${name} after update on bank_state begin select (${endless}); end`, 'trigger'],
      [`create trigger ${name} after insert on kysely_migration begin select 1; end`, 'trigger'],
      [`create trigger ${name} after update on kysely_migration_lock begin select 1; end`, 'trigger'],
      [`create view ${name} as ${endless}`, 'view'],
      [`create table ${name} (id integer primary key)`, 'table'],
      [`create virtual table ${name} using fts5(text)`, 'table'],
      [`create virtual table ${name} using dbstat`, 'table'],
      [`create index ${name} on account (name)`, 'index'],
      [`create unique index ${name} on kysely_migration (timestamp)`, 'index'],
    ].map(
      ([text = '', type = '']) =>
        [text.slice(0, 70), sql(text), new RegExp(`the ${type} ${name}\\w* is not the ledger's`)] as const,
    ),
  ),
  // SQLite itself makes none of these names.
  [
    'a trigger sqlite_evil',
    schemaRow(
      'trigger',
      'sqlite_evil',
      'account',
      'create trigger sqlite_evil after update on account begin select 1; end',
    ),
    /sqlite_evil/,
  ],
  ['a view sqlite_evil', schemaRow('view', 'sqlite_evil', 'sqlite_evil', `create view sqlite_evil as ${endless}`), /./],
  ['an index of a constraint that there is not', schemaRow('index', 'sqlite_autoindex_psu_9', 'psu', null, 3), /./],
  ['statistics', sql('analyze'), /the table sqlite_stat1 is not the ledger's/],
  ['a sequence', sql('create table x (i integer primary key autoincrement)'), /the table \w+ is not the ledger's/],
  [
    'a table whose text differs',
    took('tpp_contact', 'CREATE TABLE tpp_contact (tpp_id text primary key, email text) strict, without rowid'),
    /the table tpp_contact is not the ledger's/,
  ],
  [
    'a table whose text differs by a blank',
    (sqlite) => void sqlite.exec(`update sqlite_schema set sql = sql || ' ' where name = 'batch'`),
    /the table batch is not the ledger's/,
  ],
  [
    'a table with another check',
    (sqlite) =>
      void sqlite.exec(
        `update sqlite_schema set sql = replace(sql, 'check (amount_minor <> 0)', 'check (1)') where name = 'entry'`,
      ),
    /the table entry is not the ledger's/,
  ],
  [
    'a trigger that does something else',
    took('entry_is_never_changed', 'CREATE TRIGGER entry_is_never_changed before update on entry begin select 1; end'),
    /the trigger entry_is_never_changed is not the ledger's/,
  ],
  [
    'a table that is called a view',
    (sqlite) => void sqlite.exec(`update sqlite_schema set type = 'view' where name = 'batch'`),
    /./,
  ],
  [
    'an object twice',
    (sqlite) => void sqlite.exec(`insert into sqlite_schema select * from sqlite_schema where name = 'batch'`),
    /./,
  ],
  [
    'a view in place of the table of migrations',
    sql(
      `create table kept as select * from kysely_migration; drop table kysely_migration; create view kysely_migration as ${endless}`,
    ),
    /the table kysely_migration is not the ledger's/,
  ],
  [
    'the table of migrations with other columns',
    took('kysely_migration', migrationTable.replace('varchar(255) not null)', `varchar(255) default (1))`)),
    /the table kysely_migration is not the ledger's/,
  ],
  ['a name of two lines', sql('create table "two\nlines\u202e" (x)'), /the table two\\u\{a\}lines/],
  ['texts in UTF-16', (sqlite) => void sqlite, /./],
];

async function imageProblem(bytes: Buffer, instant = now): Promise<unknown> {
  return memoryBank(now, { copied: { bytes, now: at(instant), mode: 'frozen' } }).then(
    async (bank: Bank) => {
      await bank.close();
      return 'it is opened';
    },
    (error: unknown) => error,
  );
}

function inUtf16(): Buffer {
  const sqlite = new BetterSqlite3(':memory:');
  sqlite.pragma('encoding = "UTF-16le"');
  sqlite.exec(migrationTable);
  const bytes = sqlite.serialize();
  sqlite.close();
  return bytes;
}

describe('B1: what is not one of the ledger by its text is refused, whatever its name begins with', () => {
  test.each(foreign)('%s', async (what, change, said) => {
    const bytes = what === 'texts in UTF-16' ? inUtf16() : patched(sound, change);
    const problem = await imageProblem(bytes);
    expect(problem).toMatchObject({ why: 'damaged' });
    expect((problem as Error).message).toMatch(said);
    expect((problem as Error).message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const file = join(folder, 'l.sqlite');
    writeFileSync(file, bytes);
    await expect(checkLedger(file, 'here')).rejects.toMatchObject({ why: 'damaged' });
  });

  test('the sound one is opened', async () => {
    expect(await imageProblem(sound)).toBe('it is opened');
    const file = join(folder, 'l.sqlite');
    writeFileSync(file, sound);
    expect(await checkLedger(file, 'here')).toBe(true);
  });

  test.each([
    ['trigger', `create trigger sqlitelate after update on card_transaction begin select (${endless}); end`],
    ['trigger', `create trigger kyselylate after insert on kysely_migration begin select (${endless}); end`],
    ['view', `create view sqlitelate as ${endless}`],
    ['table', 'create table kyselylate (x)'],
    ['index', 'create index sqlitelate on kysely_migration (timestamp)'],
  ])('before the migrations of an older one run: a %s', async (type, text) => {
    const ran: string[] = [];
    const later: Migrations = { ...migrations, '002-later': { up: async () => void ran.push('later') } };
    await closeConnection(await openConnection(sound, { author: 'anybody', wanted: later }));
    expect(ran).toEqual(['later']);
    const problem = openConnection(patched(sound, sql(text)), { author: 'anybody', wanted: later });
    await expect(problem).rejects.toMatchObject({ why: 'damaged' });
    await expect(problem).rejects.toThrow(new RegExp(`the ${type} \\w+ is not the ledger's`));
    const file = join(folder, 'o.sqlite');
    writeFileSync(file, patched(sound, sql(text)));
    await expect(openConnection(file, { wanted: later })).rejects.toMatchObject({ why: 'damaged' });
    expect(ran).toEqual(['later']);
  });

  test('a database of another program is not called damaged', async () => {
    const other = patched(Buffer.alloc(0), sql('create table account (id)'));
    const problem = await imageProblem(other);
    expect(problem).toMatchObject({ why: 'outdated', message: 'it is no ledger, and has the table account' });
  });

  test('a snapshot with a trigger is not restored, and the ledger stays', async () => {
    const ledger = join(folder, 's.sqlite');
    const bank = await memoryBank(now, { ledger });
    await saveSnapshot(bank, 'before');
    // Then the copy for the next restore is made.
    await bank.close();
    const file = join(`${ledger}.snapshots`, `before@${at(now)}.sqlite`);
    const changed = patched(
      readFileSync(file),
      sql(`create trigger sqlitex after update on bank_state begin select (${endless}); end`),
    );
    writeFileSync(file, changed);
    rmSync(`${file}.copy`, { force: true });
    const again = await memoryBank(now, { ledger });
    await expect(restoreSnapshot(again, 'before')).rejects.toThrow(/the trigger sqlitex is not the ledger's/);
    await again.close();
    expect(await checkLedger(ledger, 'here')).toBe(true);
  });
});

test("the text of Kysely's table is the one that Kysely makes", async () => {
  const sqlite = openSqlite(':memory:');
  await migrate(sqlite);
  const made = sqlite.prepare(`select sql from sqlite_schema where name = 'kysely_migration'`).pluck().get();
  expect(made).toBe(migrationTable);
  sqlite.close();
});

test('B1: a database is opened with an untrusted schema, in defensive mode', () => {
  const sqlite = openSqlite(sound);
  expect(sqlite.pragma('trusted_schema', { simple: true })).toBe(0n);
  sqlite.pragma('writable_schema = on');
  expect(() => sqlite.exec(`update sqlite_schema set sql = '' where name = 'batch'`)).toThrow(/may not be modified/);
  sqlite.close();
});

test('B1: a bundle with a trigger that never ends is refused in one line, 2, and it never runs', async () => {
  const server = await startTestBank(now);
  const good = Buffer.from(await (await fetch(`${server.address}/sandbox/bundle`)).arrayBuffer());
  await server.stop();
  mkdirSync(folder, { recursive: true });
  const { json, ledger } = await unpackBundle(good);
  const tables = ['bank_state', 'kysely_migration', 'account', 'entry'];
  const triggers = tables.flatMap((table) => ['insert', 'update'].map((when) => ({ table, when })));
  for (const { table, when } of oneOf('endless triggers', triggers)) {
    const text = `create trigger sqlite${table} after ${when} on ${table} begin select (${endless}); end`;
    const file = join(folder, 'endless.sandbank');
    writeFileSync(file, await packBundle({ json, ledger: patched(ledger, sql(text)) }));
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'open', file], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    const said = [status, stdout, stderr.trimEnd().split('\n')];
    expect(said).toEqual([2, '', [expect.stringContaining(`the trigger sqlite${table} is not the ledger's`)]]);
  }
}, 60_000);
