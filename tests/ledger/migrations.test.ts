import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
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

test('M: the first migration makes the tables that ledgers have', async () => {
  const { sqlite } = await openConnection(ledger);
  const texts = sqlite
    .prepare<[], string>('select sql from sqlite_schema where sql is not null order by name')
    .pluck()
    .all();
  sqlite.close();
  expect(createHash('sha256').update(texts.join(';')).digest('hex')).toBe(
    '1aa5b59c30605baf58bfedb9b33a55ff1b8bdc773818e27eebbc1ee0903868f4',
  );
});

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
