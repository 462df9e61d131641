import { existsSync, lstatSync, readdirSync, openSync, closeSync, readSync, renameSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { isForeign, LedgerHeld, LedgerUnavailable, lockLedgers, syncFolder, writeDurably } from '../../engine/bank.ts';
import { hashOfKnownState, type KnownState } from '../../engine/bank/known-state.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { quote } from '../../engine/values/text.ts';
import { closedToUs, fileMessageOf } from '../start/error-text.ts';
import { type Config, ConfigError, keptSettings, type Profile, readKept } from '../start/config.ts';
import { makeFolder } from '../start/make-folder.ts';
import { type BankRecord, isBankName, type KeptCredentials, taken } from './bank-store.ts';

interface Options {
  /** The folder, as the settings name it. */
  readonly folder: string;
  /** Settings of the server. */
  readonly config: Config;
  /** The known state of the bank at the root: most banks have the same. */
  readonly knownState: KnownState;
  /** Address of the server, in the error that another one gets for the same folder. */
  readonly address: string;
  readonly log: Logger;
}

/** The record of a bank in its file. */
interface Kept extends Omit<BankRecord, 'config'> {
  /** By the names of their variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly profile: Profile | null;
}

/** How an SQLite file begins. */
const magic = Buffer.from('SQLite format 3\0');
/** Where removed banks are for a day. */
const removedFolder = 'removed';
const credentialsEnd = 'credentials.json';
const aDay = 24 * 60 * 60 * 1000;
/** Windows opens a device under these names, whatever their extension; a folder may move there. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Named banks in the files of a folder: `{name}.sqlite`, the ledger, with its snapshots in `{name}.sqlite.snapshots`; `{name}.json`, its
 * record; `{name}.known-state.json`, what it was made with; `{name}.credentials.json`, which its owner alone can read. Everything whose name begins with `{name}.` is of that bank. A bank is there as
 * soon as its ledger is: it is made last and removed first.
 */
export class BankFiles {
  /** Whether the banks outlive the process. */
  readonly isLasting: boolean = true;
  readonly #folder: string;
  readonly #options: Options;
  readonly #lock: { release(): void };
  /** By their JSON: many banks share one. */
  readonly #profiles = new Map<string, Profile>();
  /** Counts the changes of each bank's files. */
  readonly #versions = new Map<string, number>();

  private constructor(folder: string, options: Options, lock: { release(): void }) {
    this.#folder = folder;
    this.#options = options;
    this.#lock = lock;
  }

  /** Locks the folder; makes it if it is not there. Throws a ConfigError if it cannot be used or another server has it. */
  static async open(options: Options): Promise<BankFiles> {
    const { folder: named, config, address } = options;
    try {
      await makeFolder(named);
      const folder = await realpath(named);
      const ofLedger = config.ledger === ':memory:' ? null : dirname(await realpath(config.ledger));
      if (ofLedger === folder)
        throw new ConfigError(`--banks ${named} is the folder of the ledger: give the banks a folder of their own`);
      return new BankFiles(folder, options, lockLedgers(folder, { address, pid: process.pid }));
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      if (error instanceof LedgerHeld)
        throw new ConfigError(
          `the banks in ${named} are served by ${error.message} already: stop that server, or choose another folder with --banks`,
        );
      throw new ConfigError(
        `the folder ${named} of the banks cannot be used: ${fileMessageOf(error)}${closedToUs(named)}`,
      );
    }
  }

  /** The ledger of a bank: a path, or `:memory:`. */
  ledgerOf(name: string): string {
    return this.#in(`${name}.sqlite`);
  }

  /** The names of the stored banks, in alphabetical order. Logs each file that it ignores. */
  async names(): Promise<readonly string[]> {
    const entries = (await this.#entries()).filter((entry) => !entry.startsWith('.') && entry !== removedFolder);
    const names = new Set<string>();
    const isOfBank = (entry: string): boolean => names.has(entry.slice(0, entry.indexOf('.')));
    for (const entry of entries.filter((each) => each.endsWith('.sqlite'))) {
      const name = entry.slice(0, -'.sqlite'.length);
      const problem = isFileName(name) ? await this.#problemOf(name) : 'no bank can have this name';
      if (problem === null) names.add(name);
      else this.#ignore(entry, problem);
    }
    for (const entry of entries)
      if (!entry.endsWith('.sqlite') && !isOfBank(entry)) this.#ignore(entry, 'there is no ledger of a bank beside it');
    return [...names].toSorted();
  }

  /** The record of a stored bank; null: no bank of this name is stored. Throws LedgerUnavailable if the record cannot be read. */
  async find(name: string): Promise<BankRecord | null> {
    if (!isFileName(name) || (await this.#problemOf(name)) !== null) return null;
    // Where large and small letters are the same, the file may have another name.
    if (!(await this.#entries()).includes(`${name}.sqlite`)) return null;
    const text = await this.#read(name, 'json');
    const { config } = this.#options;
    const ledger = this.ledgerOf(name);
    if (text === null) {
      const { birthtimeMs } = statSync(ledger);
      const since = Math.floor(birthtimeMs) as Instant;
      const used = Math.floor(Math.max(birthtimeMs, statSync(ledger).mtimeMs)) as Instant;
      const record = { asked: null, knownState: '', since, used, warned: null, clock: null, faults: [] };
      return { ...record, config: { ...config, ledger, clockNow: null } };
    }
    try {
      const { settings, profile, ...record } = JSON.parse(text) as Kept;
      const own = { ...readKept(settings), ledger };
      return { ...record, config: { ...config, ...own, profile: profile === null ? null : this.#shared(profile) } };
    } catch (error) {
      throw unreadable(name, `${name}.json`, error);
    }
  }

  /** Whether a bank has files, but no ledger. */
  async hasLost(name: string): Promise<boolean> {
    return isFileName(name) && !existsSync(this.ledgerOf(name)) && existsSync(this.#in(`${name}.json`));
  }

  /** The known state that a bank was made with, whose hash its record has; null: it came without. Throws LedgerUnavailable if it cannot be read. */
  async knownState(name: string, { knownState: hash }: Pick<BankRecord, 'knownState'>): Promise<KnownState | null> {
    const { knownState: ofRoot } = this.#options;
    if (hash === '') return null;
    if (hash === hashOfKnownState(ofRoot)) return ofRoot;
    const file = `${name}.known-state.json`;
    const found = JSON.parse((await this.#read(name, 'known-state.json')) ?? 'null') as KnownState | null;
    if (found === null || hashOfKnownState(found) !== hash) throw unreadable(name, file, new Error('it was changed'));
    return found;
  }

  /** Begins a bank; the caller then makes its ledger. Throws CONFLICT if something else has its place. */
  async make(name: string, record: BankRecord, knownState: KnownState): Promise<void> {
    if (!isFileName(name)) throw taken(`${quote(name)} is the name of a device on some systems. Choose another name.`);
    const found = lstatSync(this.ledgerOf(name), { throwIfNoEntry: false });
    if (found !== undefined && (found.size > 0 || !found.isFile()))
      throw taken(
        `The folder of the banks has a ${name}.sqlite that is no bank. Take it away, or choose another name.`,
      );
    // An earlier bank of this name may have left files: it was never finished, or its ledger was removed.
    await this.remove(name, record.since);
    this.#write(name, 'known-state.json', JSON.stringify(knownState));
    this.keep(name, record);
  }

  /** Replaces the record of a bank. Throws LedgerUnavailable. */
  keep(name: string, record: BankRecord): void {
    this.#write(name, 'json', keptText(record));
  }

  /** The same beside the event loop, for what no answer depends on; false: it was replaced meanwhile, and is not kept. Rejects with LedgerUnavailable. */
  async keepLater(name: string, record: BankRecord): Promise<boolean> {
    const version = this.#changed(name);
    const path = this.#in(`${name}.json`);
    // Two may be written at once.
    const partial = `${path}.${version}.partial`;
    try {
      await writeFile(partial, keptText(record), { mode: 0o600, flush: true });
      const isNewest = this.#versions.get(name) === version;
      if (isNewest) renameSync(partial, path);
      else await rm(partial, { force: true });
      return isNewest;
    } catch (error) {
      await rm(partial, { force: true }).catch(() => undefined);
      throw unwritable(`${name}.json cannot be written`, error);
    }
  }

  /** Counts a change of a bank's files. */
  #changed(name: string): number {
    const version = (this.#versions.get(name) ?? 0) + 1;
    this.#versions.set(name, version);
    return version;
  }

  /** The credentials of a bank; null: it has none of its own. Throws LedgerUnavailable if they cannot be read. */
  async credentials(name: string): Promise<KeptCredentials | null> {
    const text = await this.#read(name, credentialsEnd);
    if (text === null) return null;
    try {
      const { tokenKey, ca } = JSON.parse(text) as KeptCredentials;
      const isKey = tokenKey === null || /^[0-9a-f]{64}$/.test(tokenKey);
      const isCa = ca === null || [ca.certificatePem, ca.keyPem].every((each) => typeof each === 'string');
      if (!isKey || !isCa) throw new Error('it has no credentials');
      return { tokenKey, ca };
    } catch (error) {
      throw unreadable(name, `${name}.${credentialsEnd}`, error);
    }
  }

  /** Replaces the credentials of a bank. Throws LedgerUnavailable. */
  keepCredentials(name: string, kept: KeptCredentials): void {
    this.#write(name, credentialsEnd, JSON.stringify(kept));
  }

  /** Size of the ledger of a bank in bytes; null: it has none. */
  bytes(name: string): number | null {
    return statSync(this.ledgerOf(name), { throwIfNoEntry: false })?.size ?? null;
  }

  /** Size of the files of a bank in bytes: its ledger, log and snapshots, and the copy of each snapshot. */
  size(name: string): number {
    return bytesBeside(this.ledgerOf(name));
  }

  /** Differs as soon as another program has changed or replaced the file of a closed bank; null: it is gone. */
  stamp(name: string): string | null {
    const found = lstatSync(this.ledgerOf(name), { throwIfNoEntry: false, bigint: true });
    if (found === undefined) return null;
    const { dev, ino, mtimeNs, size } = found;
    return [dev, ino, mtimeNs, size].join('-');
  }

  /** Moves every file of a closed bank aside, its ledger first: without it there is no bank. */
  async remove(name: string, now: Instant): Promise<void> {
    this.#changed(name);
    const files = (await this.#entries()).filter((entry) => entry.startsWith(`${name}.`));
    if (files.length === 0) return;
    const ledger = `${name}.sqlite`;
    try {
      const aside = await this.#newFolder(name, now);
      for (const file of files.toSorted((one, other) => Number(other === ledger) - Number(one === ledger)))
        await rename(this.#in(file), join(aside, file));
      syncFolder(aside);
      syncFolder(this.#folder);
    } catch (error) {
      throw unwritable(`${ledger} cannot be moved aside`, error);
    }
  }

  /** Destroys what was removed a day before `now`. */
  async sweep(now: Instant): Promise<void> {
    const folder = this.#in(removedFolder);
    for (const each of await readdir(folder).catch(() => [])) {
      const [, at] = /^[a-z0-9-]+@(\d{1,16})$/.exec(each) ?? [];
      if (at !== undefined && Number(at) + aDay <= now) await rm(join(folder, each), { recursive: true, force: true });
    }
  }

  close(): void {
    this.#lock.release();
  }

  async #entries(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      throw unwritable('the folder of the banks cannot be read', error);
    }
  }

  async #newFolder(name: string, now: number): Promise<string> {
    const folder = this.#in(join(removedFolder, `${name}@${now}`));
    await makeFolder(this.#in(removedFolder));
    try {
      await mkdir(folder, { mode: 0o700 });
      syncFolder(this.#in(removedFolder));
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return this.#newFolder(name, now + 1);
    }
  }

  /** Why the ledger of a name is not served; null: it is. */
  async #problemOf(name: string): Promise<string | null> {
    const path = this.ledgerOf(name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'it is not there';
    if (!found.isFile()) return found.isSymbolicLink() ? 'it is a link' : 'it is no file';
    if (found.nlink > 1) return 'it has a second name, a hard link';
    if (!isSqlite(path)) return 'it is no ledger';
    // A bank that this server has made has a record.
    const isKnown = existsSync(this.#in(`${name}.json`));
    return !isKnown && (await isForeign(path)) ? 'it is a database of another program' : null;
  }

  #ignore(entry: string, problem: string): void {
    this.#options.log.warn({ file: this.#in(entry) }, `a file in the folder of the banks is ignored: ${problem}`);
  }

  #shared(profile: Profile): Profile {
    const text = JSON.stringify(profile);
    const known = this.#profiles.get(text) ?? profile;
    this.#profiles.set(text, known);
    return known;
  }

  /** A file of a bank as text; null: it is not there. */
  async #read(name: string, end: string): Promise<string | null> {
    try {
      return await readFile(this.#in(`${name}.${end}`), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw unreadable(name, `${name}.${end}`, error);
    }
  }

  /** Writes a file of a bank. Throws LedgerUnavailable. */
  #write(name: string, end: string, text: string): void {
    const path = this.#in(`${name}.${end}`);
    this.#changed(name);
    try {
      writeDurably(path, text);
    } catch (error) {
      throw unwritable(`${name}.${end} cannot be written`, error);
    }
  }

  #in(entry: string): string {
    return join(this.#folder, entry);
  }
}

/** Where the named banks of a server are: in files that outlive the process, or in memory. */
export type BankStore = { readonly [Member in keyof BankFiles]: BankFiles[Member] };

/** The store of banks in memory: they are all in the objects of this process, and it keeps nothing. */
export const inMemory: BankStore = {
  isLasting: false,
  ledgerOf: () => ':memory:',
  names: () => Promise.resolve([]),
  find: () => Promise.resolve(null),
  hasLost: () => Promise.resolve(false),
  knownState: () => Promise.resolve(null),
  make: () => Promise.resolve(),
  keep: () => undefined,
  keepLater: () => Promise.resolve(true),
  credentials: () => Promise.resolve(null),
  keepCredentials: () => undefined,
  bytes: () => null,
  size: () => 0,
  stamp: () => '',
  remove: () => Promise.resolve(),
  sweep: () => Promise.resolve(),
  close: () => undefined,
};

/** Size of a ledger in bytes, with its log, its snapshots and the copy of each snapshot. */
export function bytesBeside(ledger: string): number {
  const folder = `${ledger}.snapshots`;
  const kept = (existsSync(folder) ? readdirSync(folder) : []).filter((each) => each.endsWith('.sqlite'));
  // A file may go meanwhile.
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const ofSnapshots = kept.reduce((sum, each) => sum + sizeOf(join(folder, each)), 0);
  // Each has a copy for the next restore, or gets it soon.
  return sizeOf(ledger) + sizeOf(`${ledger}-wal`) + 2 * ofSnapshots;
}

function isFileName(name: string): boolean {
  return isBankName(name) && !devices.test(name);
}

function isSqlite(path: string): boolean {
  const start = Buffer.alloc(magic.length);
  try {
    const file = openSync(path, 'r');
    try {
      return readSync(file, start, 0, start.length, 0) === start.length && start.equals(magic);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** A record as its file has it: a bank keeps its settings, even if a later start of the server has others. */
function keptText({ config, ...record }: BankRecord): string {
  const settings = keptSettings(config, 'clockNow', 'clockMode');
  return JSON.stringify({ ...record, settings, profile: config.profile } satisfies Kept);
}

function unwritable(reason: string, cause: unknown): LedgerUnavailable {
  return new LedgerUnavailable({ kind: 'unwritable', reason, cause });
}

/** A bank whose files cannot be used is refused; the others go on. */
function unreadable(name: string, file: string, cause: unknown): LedgerUnavailable {
  const reason = `${file} cannot be read`;
  return new LedgerUnavailable({ kind: 'broken', reason, cause }, unopenedText(name));
}

/** The text of its line in the log, which has the reason beside it. */
export const unopened = (name: string): string => `the bank ${name} cannot be opened`;

/** The answer of a bank that cannot be opened: only the log has paths. */
export function unopenedText(name: string): string {
  return `The bank ${name} cannot be opened. The log of the server says why; the other banks go on.`;
}
