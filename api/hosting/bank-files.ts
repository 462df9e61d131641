import { lstatSync, type Stats, statSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { isRefused, LedgerUnavailable, lockLedgers, syncFolder, writeDurably } from '../../engine/open-bank.ts';
import { hashOfKnownState, type KnownState } from '../../engine/bank/known-state.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { PriceList } from '../../engine/values/price-list.ts';
import { quote } from '../../engine/values/text.ts';
import type { ArmedFault } from '../pipeline/armed-faults.ts';
import { type Config, keptSettings, type Profile, readKept } from '../start/config.ts';
import { memberOf } from '../bodies/rule.ts';
import { closedToUs, fileReason } from '../start/error-text.ts';
import { priceFilesOf, priceListOf } from '../start/fixtures.ts';
import { makeFolder } from '../start/make-folder.ts';
import { isBankName } from './bank-name.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** What a server keeps of a named bank beside its ledger. */
export interface BankRecord {
  /** The settings that it was made with. `clockNow` is null if the file of the bank came without them. */
  readonly config: Config;
  /** Hash of the call that made it, if one did. */
  readonly asked: string | null;
  /** `hashOfKnownState` of what it was made with, or empty if the file of the bank came without. */
  readonly knownState: string;
  /** When its clock started, by the wall clock. */
  readonly since: Instant;
  readonly faults: readonly ArmedFault[];
  /** Those of the saved bank that it is a copy of. Null: those of the server. */
  readonly prices: PriceList | null;
}

/** The record of a bank in its file. */
interface Kept extends Omit<BankRecord, 'config' | 'prices'> {
  readonly prices?: Parameters<typeof priceListOf>[0];
  /** By the names of their variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly profile: Profile | null;
}

interface Options {
  /** The folder, as the settings name it. */
  readonly folder: string;
  /** Settings of the server. */
  readonly config: Config;
  /** Address of the server, in the error that another one gets for the same folder. */
  readonly address: string;
  readonly log: Logger;
}

/** Windows opens a device under these names, whatever their extension; a folder may move there. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
/** Where the files of removed banks are. */
const removedFolder = 'removed';
const ledgerEnd = '.sqlite';

/** The name is in use, or reserved. */
export function taken(text: string): Refusal {
  return new Refusal({ code: 'CONFLICT', path: 'name', text });
}

/**
 * Named banks in the files of a folder (docs/spec/control-plane.md K18): `{name}.sqlite`, the ledger, with its
 * snapshots in `{name}.sqlite.snapshots`; `{name}.json`, its record; `{name}.known-state.json`, what it was made with.
 * Everything whose name begins with `{name}.` is of that bank. A bank is there as soon as its ledger is: it is made
 * last and removed first.
 */
export class BankFiles {
  readonly #folder: string;
  readonly #options: Options;
  readonly #lock: { release(): void };

  private constructor(folder: string, options: Options, lock: { release(): void }) {
    this.#folder = folder;
    this.#options = options;
    this.#lock = lock;
  }

  /** Locks the folder; makes it if it is not there. Throws a Mistake if it cannot be used or another server has it. */
  static async open(options: Options): Promise<BankFiles> {
    const { folder: named, config, address } = options;
    try {
      await makeFolder(named);
      const folder = await realpath(named);
      const ofLedger = config.ledger === ':memory:' ? null : dirname(await realpath(config.ledger));
      if (ofLedger === folder)
        throw new Mistake(`--banks ${named} is the folder of the ledger: give the banks a folder of their own`);
      return new BankFiles(folder, options, lockLedgers(folder, { address, pid: process.pid }));
    } catch (error) {
      if (isRefused(error, 'held'))
        throw new Mistake(
          `the banks in ${named} are served by ${error.message} already: stop that server, or choose another folder with --banks`,
        );
      if (error instanceof Mistake) throw error;
      const owner = memberOf(error, 'code') === 'EEXIST' ? '' : closedToUs(named);
      throw new Mistake(`the folder ${named} of the banks cannot be used: ${fileReason(error)}${owner}`);
    }
  }

  /** Path of the ledger of a bank. */
  ledgerOf(name: string): string {
    return this.#in(name + ledgerEnd);
  }

  /** The names of the stored banks, in alphabetical order. Logs each file that it ignores. */
  async names(): Promise<readonly string[]> {
    const entries = (await this.#entries()).filter((entry) => !entry.startsWith('.') && entry !== removedFolder);
    const names = new Set<string>();
    for (const entry of entries.filter((each) => each.endsWith(ledgerEnd))) {
      const name = entry.slice(0, -ledgerEnd.length);
      const problem = isFileName(name) ? problemOf(lstatSync(this.#in(entry))) : 'no bank can have this name';
      if (problem === null) names.add(name);
      else this.#ignore(entry, problem);
    }
    for (const entry of entries)
      if (!entry.endsWith(ledgerEnd) && !names.has(entry.slice(0, entry.indexOf('.'))))
        this.#ignore(entry, 'there is no ledger of a bank beside it');
    return [...names].toSorted();
  }

  /** The record of a stored bank. Throws LedgerUnavailable if it cannot be read, and if the ledger is empty. */
  async record(name: string): Promise<BankRecord> {
    const { birthtimeMs, size } = statSync(this.ledgerOf(name));
    // SQLite would take it for a new ledger.
    if (size === 0) throw new LedgerUnavailable({ kind: 'broken', reason: `${name}${ledgerEnd} is empty` });
    const text = await this.#read(name, 'json');
    if (text === null) return { ...this.withoutRecord(name), since: Math.floor(birthtimeMs) as Instant };
    try {
      const { settings, profile, prices, ...record } = JSON.parse(text) as Kept;
      const own = { ...readKept(settings), ledger: this.ledgerOf(name), profile };
      const ofCopy = prices === undefined ? null : priceListOf(prices);
      return { ...record, config: { ...this.#options.config, ...own }, prices: ofCopy };
    } catch (error) {
      throw unreadable(`${name}.json`, error);
    }
  }

  /** The record of a bank that has none, or none that can be read: it has the settings of the server. */
  withoutRecord(name: string): BankRecord {
    const config = { ...this.#options.config, ledger: this.ledgerOf(name), clockNow: null };
    return { config, asked: null, knownState: '', since: 0 as Instant, faults: [], prices: null };
  }

  /**
   * The known state that a bank was made with, whose hash its record has. Null is that of the root. Throws
   * LedgerUnavailable if it cannot be read.
   */
  async knownState(
    name: string,
    { knownState: hash }: Pick<BankRecord, 'knownState'>,
    ofRoot: KnownState,
  ): Promise<KnownState> {
    if (hash === '' || hash === (await hashOfKnownState(ofRoot))) return ofRoot;
    const end = 'known-state.json';
    const found = JSON.parse((await this.#read(name, end)) ?? 'null') as KnownState | null;
    if (found === null || (await hashOfKnownState(found)) !== hash)
      throw unreadable(`${name}.${end}`, new Error('it was changed'));
    return found;
  }

  /** Begins a bank; the caller then makes its ledger. Throws CONFLICT if something else has its place. */
  async make(name: string, record: BankRecord, knownState: KnownState): Promise<void> {
    if (!isFileName(name)) throw taken(`${quote(name)} is the name of a device on some systems. Choose another name.`);
    if (lstatSync(this.ledgerOf(name), { throwIfNoEntry: false }) !== undefined)
      throw taken(
        `The folder of the banks has a ${name}${ledgerEnd} that is no bank of this server. Take it away, or choose another name.`,
      );
    // An earlier bank of this name may have left files: it was never finished, or its ledger was removed.
    await this.remove(name, record.since);
    this.#write(name, 'known-state.json', JSON.stringify(knownState));
    this.keep(name, record);
  }

  /**
   * Replaces the record of a bank: it keeps its settings, even if a later start of the server has others. Throws
   * LedgerUnavailable.
   */
  keep(name: string, { config, prices, ...record }: BankRecord): void {
    const settings = keptSettings(config, 'clockNow', 'clockMode', 'basketLifetime', 'idSeed');
    const ofCopy = prices !== null && { prices: priceFilesOf(prices) };
    this.#write(
      name,
      'json',
      JSON.stringify({ ...record, settings, profile: config.profile, ...ofCopy } satisfies Kept),
    );
  }

  /** Moves every file of a closed bank to `removed/`, its ledger first: without it there is no bank. */
  async remove(name: string, now: Instant): Promise<void> {
    const files = (await this.#entries()).filter((entry) => entry.startsWith(`${name}.`));
    if (files.length === 0) return;
    const ledger = name + ledgerEnd;
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

  #ignore(entry: string, problem: string): void {
    this.#options.log.warn({ file: this.#in(entry) }, `a file in the folder of the banks is ignored: ${problem}`);
  }

  /** A file of a bank as text, or null if it is missing. */
  async #read(name: string, end: string): Promise<string | null> {
    try {
      return await readFile(this.#in(`${name}.${end}`), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw unreadable(`${name}.${end}`, error);
    }
  }

  #write(name: string, end: string, text: string): void {
    try {
      writeDurably(this.#in(`${name}.${end}`), text);
    } catch (error) {
      throw unwritable(`${name}.${end} cannot be written`, error);
    }
  }

  #in(entry: string): string {
    return join(this.#folder, entry);
  }
}

function isFileName(name: string): boolean {
  return isBankName(name) && !devices.test(name);
}

/** Why the bank ignores a file, or null for a bank's ledger. One file is one bank, so a link is ignored. */
function problemOf(found: Stats): string | null {
  if (!found.isFile()) return found.isSymbolicLink() ? 'it is a link' : 'it is no file';
  return found.nlink > 1 ? 'it has a second name, a hard link' : null;
}

function unwritable(reason: string, cause: unknown): LedgerUnavailable {
  return new LedgerUnavailable({ kind: 'unwritable', reason, cause });
}

function unreadable(file: string, cause: unknown): LedgerUnavailable {
  return new LedgerUnavailable({ kind: 'broken', reason: `${file} cannot be read`, cause });
}
