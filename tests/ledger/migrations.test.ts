import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { closeConnection, openConnection } from '../../engine/ledger/connection.ts';
import { migrations, type Migrations } from '../../engine/ledger/schema.ts';

let folder: string;
let ledger: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-migrations-'));
  ledger = join(folder, 'ledger.sqlite');
  await schemaAfter(migrations);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Opens the ledger with these migrations, and tells its columns of `tpp_contact` and its migrations. */
async function schemaAfter(wanted: Migrations): Promise<{ columns: unknown[]; applied: unknown[] }> {
  const connection = await openConnection(ledger, { wanted });
  const list = (text: string): unknown[] => connection.sqlite.prepare(text).pluck().all();
  const found = {
    columns: list("select name from pragma_table_info('tpp_contact')"),
    applied: list('select name from kysely_migration order by name'),
  };
  await closeConnection(connection);
  return found;
}

const phone = 'alter table tpp_contact add column phone text';
const withPhone: Migrations = {
  ...migrations,
  '002-phone': { up: async (db) => void (await sql.raw(phone).execute(db)) },
};

test('M: a ledger gets the migrations that it lacks, once', async () => {
  const columns = ['tpp_id', 'email', 'phone'];
  const applied = ['001-tables', '002-phone'];
  expect(await schemaAfter(withPhone)).toEqual({ columns, applied });
  expect(await schemaAfter(withPhone)).toEqual({ columns, applied });
});

test('M: a migration that fails is taken back whole, and the ledger still opens as it was', async () => {
  const failing: Migrations = {
    ...withPhone,
    '003-fails': {
      up: async (db) => {
        await sql`create table half (id integer)`.execute(db);
        await sql`create table half (id integer)`.execute(db);
      },
    },
  };
  await expect(schemaAfter(failing)).rejects.toMatchObject({ why: 'outdated' });
  expect(await schemaAfter(migrations)).toEqual({ columns: ['tpp_id', 'email'], applied: ['001-tables'] });
});

test('M: a ledger of a newer version is refused, and says so', async () => {
  await schemaAfter(withPhone);
  await expect(schemaAfter(migrations)).rejects.toThrow(/^a newer version of Sandbank made it, with 002-phone$/);
});

test('M: a ledger from before 0.1.0 is refused, and says so', async () => {
  rmSync(ledger);
  await schemaAfter({
    '001-ledger': { up: async (db) => void (await sql`create table account (id integer)`.execute(db)) },
  });
  await expect(schemaAfter(migrations)).rejects.toThrow(
    /^a version before 0\.1\.0 made it, whose ledgers this version does not read$/,
  );
});

test('M: a ledger with an older migration that nobody knows is not called newer', async () => {
  rmSync(ledger);
  await schemaAfter({
    '000-other': { up: async (db) => void (await sql`create table other (id integer)`.execute(db)) },
  });
  await expect(schemaAfter(migrations)).rejects.toThrow(/^another version or program made it, with 000-other$/);
});

/** A second migration: a column more, and a table that is rebuilt with what it holds. `each` is called after each of its 30 statements. */
function secondMigration(each: () => void = () => undefined): Migrations {
  const notes = Array.from(
    { length: 24 },
    (_, index) => `insert into note (id, text) values (${index}, 'note ${index}')`,
  );
  const statements = [
    'alter table customer add column nickname text',
    'create table note (id integer primary key, text text not null) strict',
    ...notes,
    'create table next (tpp_id text primary key, phone text, email text) strict',
    'insert into next (tpp_id, email) select tpp_id, email from tpp_contact',
    'drop table tpp_contact',
    'alter table next rename to tpp_contact',
  ];
  return {
    ...migrations,
    '002-rebuilt': {
      up: async (db) => {
        for (const statement of statements) {
          await sql.raw(statement).execute(db);
          each();
        }
      },
    },
  };
}

/** Adds a contact to the ledger of the first version. */
async function addContact(): Promise<void> {
  const { sqlite } = await openConnection(ledger);
  sqlite.exec("insert into tpp_contact (tpp_id, email) values ('PSDNO-FSA-1', 'a@example.com')");
  sqlite.close();
}

async function contacts(path: string, wanted: Migrations): Promise<unknown[]> {
  const connection = await openConnection(path, { wanted });
  const rows = connection.sqlite.prepare('select tpp_id, email from tpp_contact').all();
  await closeConnection(connection);
  return rows;
}

const contact = { tpp_id: 'PSDNO-FSA-1', email: 'a@example.com' };

test('M: a second migration adds a column and rebuilds a table with its rows; a third version is refused, its file unchanged', async () => {
  await addContact();
  const second = secondMigration();
  expect(await schemaAfter(second)).toEqual({
    columns: ['tpp_id', 'phone', 'email'],
    applied: ['001-tables', '002-rebuilt'],
  });
  expect(await contacts(ledger, second)).toEqual([contact]);
  await schemaAfter({
    ...second,
    '003-more': { up: async (db) => void (await sql`create table more (x)`.execute(db)) },
  });
  const before = readFileSync(ledger);
  await expect(schemaAfter(second)).rejects.toThrow(/^a newer version of Sandbank made it, with 003-more$/);
  expect(readFileSync(ledger).equals(before)).toBe(true);
});

test('M: a process that is killed after any statement of a migration leaves the first version whole', async () => {
  await addContact();
  // What a killed process leaves: the files as they are at that moment.
  let kills = 0;
  await schemaAfter(
    secondMigration(() => {
      const left = join(folder, String((kills += 1)));
      mkdirSync(left);
      for (const end of ['', '-wal', '-journal'])
        if (existsSync(ledger + end)) copyFileSync(ledger + end, join(left, `ledger.sqlite${end}`));
    }),
  );
  expect(kills).toBe(30);
  for (let kill = 1; kill <= kills; kill += 1) {
    const left = join(folder, String(kill), 'ledger.sqlite');
    expect(await contacts(left, migrations)).toEqual([contact]);
    expect(await contacts(left, secondMigration())).toEqual([contact]);
  }
});
