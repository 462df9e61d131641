import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Glance } from '../../engine/bank/read-clock.ts';
import type { HostLoad } from '../control/bank-calls.ts';
import type { Config } from '../start/config.ts';
import { defaultName } from './bank-store.ts';
import type { Visits } from './callers.ts';
import type { HostedBank } from './hosted-bank.ts';
import type { HostedBanks } from './hosted-banks.ts';

/** Reads the blocks of the disk that a folder is on, as `statfs` does. */
export type ReadDisk = (
  folder: string,
) => Promise<{ readonly bavail: number; readonly blocks: number; readonly bsize: number }>;

interface Host {
  readonly root: HostedBank;
  /** The requests of the bank at the root. */
  readonly visits: Visits;
  readonly banks: HostedBanks;
  readonly disk: Disk;
}

/** Reads the load of a server. It opens no bank. */
export async function loadOf({ root, visits, banks, disk }: Host): Promise<HostLoad> {
  const named = (await banks.list()).map(async (each) => {
    const { name, record } = each;
    return { name, ...each.visits.counted, ...(await loadOfBank(each, await each.opened())), used: record.used };
  });
  const ofRoot = { name: defaultName, ...visits.counted, ...(await loadOfBank(root, root)), used: null };
  const all = [ofRoot, ...(await Promise.all(named))];
  return {
    disk: await disk.room(),
    banks: all.toSorted((one, other) => other.requests - one.requests),
    damaged: banks.damaged,
  };
}

/** `hosted` null: the bank is not open. */
async function loadOfBank(bank: { glance(): Promise<Glance | null> }, hosted: HostedBank | null) {
  // One bank in trouble does not hide the others.
  const bytes = (await bank.glance().catch(() => null))?.bytes ?? null;
  return { bytes, journal: hosted?.journal.list().length ?? 0 };
}

/** The log warns when less than this share of the disk is left. */
const lowShare = 1 / 20;
/** The share at which the warning ends. It is higher, so that a disk at the edge is logged once. */
const enoughShare = 3 / 50;
/** Time between two looks, in ms. */
const lookMs = 60_000;

/** The disk of the ledgers. If banks and ledger are on two disks, the one with less room. */
export class Disk {
  readonly #folders: readonly string[];
  readonly #read: ReadDisk;
  #lookedAt = -Infinity;
  #isTold = false;

  constructor({ banks, ledger }: Pick<Config, 'banks' | 'ledger'>, read: ReadDisk = statfs) {
    this.#read = read;
    this.#folders = [...(banks === null ? [] : [banks]), ...(ledger === ':memory:' ? [] : [dirname(ledger)])];
  }

  /** Its room in bytes. A server without files reads the disk of its working folder. */
  async room(): Promise<HostLoad['disk']> {
    const folders = this.#folders.length > 0 ? this.#folders : ['.'];
    const all = await Promise.all(folders.map((folder) => this.#read(folder)));
    const { bavail, blocks, bsize } = all.reduce((least, one) =>
      one.bavail * least.blocks < least.bavail * one.blocks ? one : least,
    );
    return { free: bavail * bsize, size: blocks * bsize, isLow: bavail < blocks * lowShare };
  }

  /** Looks once a minute, and logs once that little is left. `monotonic`: the time now, in ms. */
  async watch(monotonic: number, log: Logger): Promise<void> {
    if (this.#folders.length === 0 || monotonic - this.#lookedAt < lookMs) return;
    this.#lookedAt = monotonic;
    const { free, size, isLow } = await this.room();
    const about = { free, size };
    if (isLow && !this.#isTold) {
      log.error(about, 'the disk is almost full: less than 5 % is left. When it is full, no bank takes changes');
      this.#isTold = true;
    } else if (this.#isTold && free >= size * enoughShare) {
      log.warn(about, 'the disk has room again');
      this.#isTold = false;
    }
  }
}
