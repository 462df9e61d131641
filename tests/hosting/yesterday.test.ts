import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import { statementsOf } from '../../engine/ledger/columns.ts';
import { openConnection } from '../../engine/ledger/connection.ts';
import { openSqlite } from '../../engine/ledger/open-sqlite.ts';
import { migrations } from '../../engine/ledger/schema.ts';
import { tables } from '../../engine/ledger/tables.ts';
import { hashOf } from '../lab/copies.ts';
import { firstDifference, lookThenGo } from '../lab/forecast-and-fact.ts';
import { filesOf, hashesOf, type KeptLedger, keptOf, keptVersions, savedOf, unpackInto } from '../lab/kept-ledgers.ts';
import { brokenProofs } from '../lab/proof.ts';
import { openSaved } from '../lab/saved-bank.ts';
import { startTestBank, TestBank } from '../lab/server.ts';
import { shownBy, startYesterday } from '../lab/yesterday.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* B7: what a released version has written is read by every later one of its major version, and of the next. */

const folder = tempFolder();
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const isReleased = (version: string): boolean => new RegExp(`^## ${version} \\(\\d{4}-`, 'm').test(changelog);
const made = await hashesOf(migrations);

/** What is wrong with the migrations of today, a line each, beside those of the last version whose files are kept. */
function wrongIn(
  hashes: Readonly<Record<string, string>>,
  last: string,
  kept: KeptLedger,
  released: boolean,
): string[] {
  const changed = Object.entries(kept.migrations).filter(([name, hash]) => hashes[name] !== hash);
  const isSame = changed.length === 0 && Object.keys(hashes).length === Object.keys(kept.migrations).length;
  if (!released)
    return isSame
      ? []
      : [`The tables are not those of the files of ${last}. Make the files anew: npm run release:ledgers`];
  return changed.map(
    ([name]) => `${last} is released with another migration ${name}. Take the change back, and add a migration.`,
  );
}

const versions = keptVersions();
const last = versions.at(-1) ?? '';
const wrong = wrongIn(made, last, keptOf(last), isReleased(last));

test('the migrations of released versions stay as they were', () => {
  expect(wrong).toEqual([]);
});

test('a changed migration asks for new files before the release, and is refused after it', () => {
  const kept = keptOf(last);
  const changed = { ...made, '001-tables': 'another' };
  const more = { ...made, '002-more': 'a new one' };
  const anew = [`The tables are not those of the files of ${last}. Make the files anew: npm run release:ledgers`];
  expect([changed, more, made].map((hashes) => wrongIn(hashes, last, { ...kept, migrations: made }, false))).toEqual([
    anew,
    anew,
    [],
  ]);
  const refused = [`${last} is released with another migration 001-tables. Take the change back, and add a migration.`];
  expect([changed, more, made].map((hashes) => wrongIn(hashes, last, { ...kept, migrations: made }, true))).toEqual([
    refused,
    [],
    [],
  ]);
});

test('the migrations together make the tables that the program reads', async () => {
  const { sqlite } = await openConnection(':memory:');
  const wanted = openSqlite(':memory:');
  for (const [name, table] of Object.entries(tables)) for (const text of statementsOf(name, table)) wanted.exec(text);
  const columns = (of: typeof wanted, table: string) =>
    of
      .prepare<[string], object>(`select name, type, "notnull", dflt_value from pragma_table_info(?) order by name`)
      .all(table);
  for (const name of Object.keys(tables))
    expect({ name, columns: columns(sqlite, name) }).toEqual({ name, columns: columns(wanted, name) });
  sqlite.exec('alter table tpp_contact add column phone text');
  expect(columns(sqlite, 'tpp_contact')).not.toEqual(columns(wanted, 'tpp_contact'));
  for (const each of [sqlite, wanted]) each.close();
});

describe.each(versions)('files of %s', (version) => {
  // With other tables each of them is refused: the first test says so in one line.
  if (wrong.length > 0) return void test.skip(wrong.join(), () => undefined);
  const { flags, shown } = keptOf(version);
  const started = () => startYesterday(unpackInto(mkdtempSync(join(folder, 'ledger-')), version), flags);
  const soundIn = async (bank: TestBank): Promise<void> => {
    expect(await brokenProofs(bank.bank)).toEqual({});
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  };
  /** A month of days, as it was forecast. */
  const goesOn = async (bank: TestBank): Promise<void> => {
    const { foreseen, made: happened } = await lookThenGo(bank.bank, 30 * 24 * 60, 24 * 60);
    expect(foreseen.attempts.length).toBeGreaterThan(3);
    expect(firstDifference(foreseen, happened)).toBeNull();
    await soundIn(bank);
  };

  test('each has 200 KB at most', () => {
    const files = filesOf(version);
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((file) => statSync(file).size > 200_000)).toEqual([]);
  });

  test('the ledger opens, shows what it showed, goes on for a month, and is reset', async () => {
    await using bank = await started();
    await soundIn(bank);
    // Only a saved bank has the armed faults.
    expect(await shownBy(bank)).toEqual({ ...shown['left-open'], faults: [] });
    await goesOn(bank);
    await bank.reset();
    await soundIn(bank);
    await using fresh = await startTestBank('2027-02-26T10:00:00+01:00');
    const [began, wanted] = [await shownBy(bank), await shownBy(fresh)];
    expect([began['clock'], began['balances'], began['payments']]).toEqual([wanted['clock'], wanted['balances'], []]);
  });

  test.each(['paid', 'left-open'] as const)('so does its snapshot %s', async (name) => {
    await using bank = await started();
    await bank.control('POST', `/sandbox/snapshots/${name}/restore`);
    await soundIn(bank);
    const { faults: _, snapshots, ...kept } = shown[name];
    expect(snapshots).toHaveLength(name === 'paid' ? 2 : 3);
    expect(await shownBy(bank)).toMatchObject(kept);
    await goesOn(bank);
  });

  test('so do the saved bank, and a copy of it', async () => {
    const server = await openSaved(readFileSync(savedOf(version)));
    await using bank = new TestBank(server.address, server.bank, () => server.stop());
    await soundIn(bank);
    const { snapshots: _, ...kept } = shown['left-open'];
    expect(await shownBy(bank)).toMatchObject(kept);
    await using copy = await createBank({ from: savedOf(version) });
    const began = await hashOf(copy);
    expect((await bank.control('GET', '/sandbox/ledger/hash?ids=left-out')).body.hash).toBe(began);
    await goesOn(bank);
    await copy.clock.advance('P30D');
    await copy.reset();
    expect(await hashOf(copy)).toBe(began);
    await bank.reset();
    await soundIn(bank);
    expect((await shownBy(bank))['payments']).toEqual([]);
  });
});
