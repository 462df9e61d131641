import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import type { Logger } from 'pino';
import { type Bank, LedgerUnavailable } from '../../engine/bank.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import { oneLine } from '../../engine/values/text.ts';
import { ConfigError } from '../start/config.ts';
import type { DayTimes } from '../../engine/time/rules/cut-offs.ts';
import { timesOfAllRuns } from '../../engine/time/rules/settlement-run.ts';
import { nextTurn, type WallClock } from '../../engine/time/clock.ts';
import type { Alarm } from '../../engine/time/scheduler.ts';
import { type BankStore, unopened, unopenedText } from './bank-files.ts';
import { HostedBank, type SharedHosting } from './hosted-bank.ts';
import { openConfiguredBank } from './open-configured-bank.ts';
import type { NamedBank } from './named-bank.ts';

/** How long an unused bank stays open. */
const idleMs = 60_000;

interface Options {
  /** Maximum number of open banks: above it the least recently used ones are suspended. */
  readonly most: number;
  readonly wall: WallClock;
  readonly log: Logger;
}

/** The named banks that are open: it opens a bank for its requests, carries out its runs, and suspends it when nobody uses it. */
export class OpenBanks {
  readonly #options: Options;
  /** Last use of each, by the monotonic clock; the least recently used first. */
  readonly #used = new Map<NamedBank, number>();
  /** Turn of the last bank that waits to be resumed. */
  #resuming: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  get count(): number {
    return this.#used.size;
  }

  /** Opens a bank for a request. Throws LedgerUnavailable. */
  async open(named: NamedBank): Promise<HostedBank> {
    if (!this.#used.has(named)) await this.#turnToResume();
    const hosted = await named.open();
    await this.use(named);
    return hosted;
  }

  /** Resumes one bank in each turn of the event loop, so that a thousand at once do not block other requests. */
  #turnToResume(): Promise<void> {
    this.#resuming = this.#resuming.then(nextTurn);
    return this.#resuming;
  }

  /** Marks an open bank as used now. Above the limit, suspends the least recently used banks that are not in use. */
  async use(named: NamedBank): Promise<void> {
    this.#used.delete(named);
    // It may have been removed while it opened.
    if (named.isRemoved) return;
    this.#used.set(named, this.#options.wall.monotonic());
    if (this.#used.size <= this.#options.most) return;
    for (const other of [...this.#used.keys()].slice(0, -1)) {
      if (this.#used.size <= this.#options.most) break;
      if (!(await other.isInUse())) await this.#suspend(other);
    }
  }

  /** Never rejects: what is wrong with this bank is no reason to refuse another one. */
  async #suspend(named: NamedBank): Promise<void> {
    this.#used.delete(named);
    await named.suspend().catch((error: unknown) => {
      this.#options.log.error({ bank: named.name, err: error }, 'suspending a named bank failed');
    });
  }

  /** Forgets a bank that was removed. */
  forget(named: NamedBank): void {
    this.#used.delete(named);
  }

  /** Carries out the due runs of the open banks, and suspends those that are unused for a minute. */
  async tick(alarm: Alarm): Promise<void> {
    // In parallel: no bank waits for the runs of another.
    await Promise.all([...this.#used].map(([named, usedAt]) => this.#tickOne(named, usedAt, alarm)));
  }

  async #tickOne(named: NamedBank, usedAt: number, alarm: Alarm): Promise<void> {
    const unused = this.#options.wall.monotonic() - usedAt;
    try {
      if (unused < idleMs || (await named.isInUse())) {
        const hosted = await named.open();
        await hosted.checkLedger();
        await hosted.tickForAWhile(alarm);
        await named.keepState();
      } else await this.#suspend(named);
    } catch (error) {
      if (named.isRemoved) return;
      this.#options.log.error({ bank: named.name, err: error }, 'a settlement run of a named bank failed');
      // Logged once; the next request tries again.
      await this.#suspend(named);
    }
  }
}
/** The parts of a server that its named banks are opened with. */
export interface ServerParts {
  /** The bank at the root, whose known state and prices the others share. */
  readonly root: Bank;
  readonly wall: WallClock;
  readonly calendar: BankingCalendar;
  readonly shared: SharedHosting;
  readonly store: BankStore;
  /** Cron calls the banks at these times too (rules.md T5b). */
  readonly callAt: (times: DayTimes) => void;
}

/** Opens the ledger of a bank. Throws LedgerUnavailable if the file of one from before cannot be used. */
export async function hostNamed(named: NamedBank, server: ServerParts): Promise<HostedBank> {
  const { root, wall, calendar, shared, store } = server;
  const { address, stopping } = shared;
  const { name, config, record, tenant } = named;
  const base = `/banks/${name}`;
  const fileBytes = store.isLasting ? () => store.size(name) : null;
  const isFromBefore = store.isLasting && named.knownState === null;
  try {
    const opening = {
      wall,
      calendar,
      address,
      stopping,
      prices: root.prices,
      knownState: await knownStateOf(named, server),
      since: record.since,
      isLocked: true,
      keepsTimes: isFromBefore,
    };
    if (isFromBefore && (await store.find(name)) === null)
      throw new LedgerUnavailable({ kind: 'missing', reason: 'the file of its ledger was taken away' });
    const { bank } = await openConfiguredBank(config, opening);
    server.callAt(timesOfAllRuns(bank.runs));
    // The scenarios of a console play in banks that the server makes with its own token.
    const own = tenant === null ? {} : { token: tenant.token, sessions: tenant.sessions, plays: null };
    return new HostedBank(
      { ...shared, ...own, bank, config, base, ownEndpoints: null, tenant, fileBytes, visits: named.visits },
      { faults: record.faults, keep: (faults) => named.keepFaults(faults) },
    );
  } catch (error) {
    const refused =
      error instanceof ConfigError && store.isLasting
        ? new LedgerUnavailable({ kind: 'broken', reason: error.message, cause: error.cause }, unopenedText(name))
        : error;
    if (refused instanceof LedgerUnavailable && refused.isLogged)
      shared.log.error({ bank: name, reason: oneLine(refused.message, 500) }, unopened(name));
    throw refused;
  }
}

/** The known state that a bank was made with; that of the root bank if its file came without one. Throws LedgerUnavailable. */
export async function knownStateOf(
  { name, knownState, record }: NamedBank,
  { store, root }: ServerParts,
): Promise<KnownState> {
  return knownState ?? (await store.knownState(name, record)) ?? root.firstOrigin.knownState;
}

const megabyte = 1024 * 1024;

/** Maximum memory of an open bank that is used, in bytes, without its payments: router, statements and pages. */
const ofBank = 4 * megabyte;

/** Memory of the rest of the process, in bytes. */
const ofProcess = 256 * megabyte;

/** The part of the memory beside the process that open banks may take. */
const share = 1 / 2;

/** Minimum number of open banks, on any machine. */
const minOpen = 16;

/** Number of named banks that may stay open by the memory of this process and, if they are in files, by the files that it may open. */
export function openLimit(areInFiles: boolean): number {
  const byMemory = openBanksIn(memoryOfProcess());
  return areInFiles ? Math.min(byMemory, openFilesIn(filesOfProcess())) : byMemory;
}

/** Number of named banks that may stay open with this much memory, in bytes. */
export function openBanksIn(memory: number): number {
  return Math.max(minOpen, Math.floor(((memory - ofProcess) * share) / ofBank));
}

/** The memory that this process may take, in bytes: the limit of its container, else the memory of the machine. */
export function memoryOfProcess(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Files that an open bank has at most: its ledger with log and index, twice while it is replaced. */
const filesOfBank = 6;

/** Number of named banks in files that may stay open when a process may open this many files. */
function openFilesIn(files: number): number {
  return Math.max(minOpen, Math.floor((files * share) / filesOfBank));
}

/** The number of files that this process may open: Node has raised it to what the system allows. */
function filesOfProcess(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? usualFiles);
  } catch {
    return usualFiles;
  }
}

/** Where the system does not tell. */
const usualFiles = 1_024;
