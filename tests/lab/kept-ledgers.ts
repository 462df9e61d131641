import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Kysely, type LogEvent } from 'kysely';
import { openSqlite } from '../../engine/ledger/open-sqlite.ts';
import { type Migrations, migrations } from '../../engine/ledger/schema.ts';
import { LedgerDialect, Transactions } from '../../engine/ledger/transactions.ts';
import { type Shown, tellYesterday, yesterdaysFlags } from './yesterday.ts';

/* The ledgers of the versions, in tests/data/ledgers: a folder for each version, with its ledger, its snapshots and its saved bank. */

const all = new URL('../data/ledgers/', import.meta.url).pathname;

/** What is kept beside the files of a version, as `kept.json`. */
export interface KeptLedger {
  /** Of the server that made them. */
  readonly flags: readonly string[];
  /** The hash of each migration of the version, see {@link hashesOf}. */
  readonly migrations: Readonly<Record<string, string>>;
  /** What the bank shows, by its snapshots; it was left as the last of them. */
  readonly shown: { readonly paid: Shown; readonly 'left-open': Shown };
}

/** The versions whose files are kept, the oldest first. */
export function keptVersions(): readonly string[] {
  return readdirSync(all).toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

export function keptOf(version: string): KeptLedger {
  return JSON.parse(readFileSync(join(all, version, 'kept.json'), 'utf8')) as KeptLedger;
}

/** The path of a version's saved bank. */
export function savedOf(version: string): string {
  return join(all, version, 'saved.sandbank');
}

/** The paths of all files of a version. */
export function filesOf(version: string): readonly string[] {
  const from = join(all, version);
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(from, name)).filter((path) => statSync(path).isFile());
}

const packed = '.zst';

/** Writes a copy of a version's ledger and its snapshots into a folder. Returns the path of the ledger. */
export function unpackInto(folder: string, version: string): string {
  const from = join(all, version);
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith(packed))) {
    const to = join(folder, name.slice(0, -packed.length));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, zstdDecompressSync(readFileSync(join(from, name))));
  }
  return join(folder, 'ledger.sqlite');
}

/** Makes the files of a version anew, by way of a ledger in an empty folder. */
export async function keepLedger(version: string, folder: string): Promise<void> {
  const { saved, shown } = await tellYesterday(folder);
  const to = join(all, version);
  rmSync(to, { recursive: true, force: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.sqlite'),
  )) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name + packed), zstdCompressSync(readFileSync(join(folder, name))));
  }
  writeFileSync(savedOf(version), saved);
  const kept: KeptLedger = { flags: yesterdaysFlags, migrations: await hashesOf(migrations), shown };
  writeFileSync(join(to, 'kept.json'), `${JSON.stringify(kept, null, 1)}\n`);
}

/** Of each migration the hash of the statements that it makes in an empty ledger. */
export async function hashesOf(wanted: Migrations): Promise<Record<string, string>> {
  const statements: string[] = [];
  const sqlite = openSqlite(':memory:');
  const log = ({ query }: LogEvent): void => void statements.push(query.sql);
  const db = new Kysely({ dialect: new LedgerDialect(new Transactions(sqlite, null)), log });
  const hashes: Record<string, string> = {};
  for (const [name, { up }] of Object.entries(wanted)) {
    await up(db);
    hashes[name] = createHash('sha256').update(statements.splice(0).join(';')).digest('hex');
  }
  sqlite.close();
  return hashes;
}
