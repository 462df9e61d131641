import { Router, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../engine/bank.ts';
import type { BankingCalendar } from '../engine/core/banking-calendar.ts';
import type { Instant } from '../engine/core/instant.ts';
import { Refusal } from '../engine/core/fault.ts';
import type { Quirks } from '../engine/core/quirk.ts';
import type { WallClock } from '../engine/clock.ts';
import { readClock, type ClockReading } from '../engine/operations/read-clock.ts';
import { NotAllowed } from '../engine/operations/shared/not-allowed.ts';
import type { KnownState } from '../engine/operations/shared/known-state.ts';
import type { Config } from './config.ts';
import { problemHandler } from './control/problem-handler.ts';
import { errorHandler } from './error-handler.ts';
import { HostedBank } from './hosted-bank.ts';
import { openConfiguredBank } from './open-configured-bank.ts';

/** What a new bank has of its own; the rest is as the server's settings say. */
export interface NewBank {
  readonly name: string;
  /** The name of a set in the fixtures folder, and what it holds. */
  readonly fixtures?: string;
  readonly knownState?: KnownState;
  readonly now?: Instant;
  readonly mode?: Config['clockMode'];
  readonly quirks?: Quirks;
}

/** A bank that was just made. */
export interface MadeBank {
  readonly config: Config;
  readonly clock: ClockReading;
}

export interface BanksOptions {
  /** The bank at the root: the others share what they do not change, its known state and its prices. */
  readonly root: Bank;
  /** Of the server. */
  readonly config: Config;
  readonly wall: WallClock;
  readonly calendar: BankingCalendar;
  readonly address: string;
  readonly trustedCas: readonly string[];
  readonly stopping: AbortSignal;
  readonly log: Logger;
}

/** The bank at the root, which nobody makes or removes. */
export const defaultName = 'default';

const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** How many banks are kept open at most: the least recently used ones rest. */
const mostAwake = 32;
/** How long an unused bank stays open, in ms. */
const patience = 60_000;

/** The banks beside `default`: in memory, each with its own ledger, clock, quirks and fixtures, at `/banks/{name}`. */
export class HostedBanks {
  readonly #options: BanksOptions;
  readonly #banks = new Map<string, HostedBank>();
  /** Since when each open bank has not been used; the least recently used first. */
  readonly #awake = new Map<HostedBank, Instant>();
  /** Names that are taken by a bank that is not open yet. */
  readonly #making = new Set<string>();

  constructor(options: BanksOptions) {
    this.#options = options;
  }

  /**
   * Makes a bank. BAD_REQUEST for a name that cannot be, CONFLICT for one that is there; what openConfiguredBank throws
   * for fixtures that cannot be laid.
   */
  async create({ name, fixtures, knownState, now, mode, quirks }: NewBank): Promise<MadeBank> {
    requireName(name);
    if (name === defaultName || this.#banks.has(name) || this.#making.has(name)) throw taken(name);
    this.#making.add(name);
    try {
      const server = this.#options.config;
      const config: Config = {
        ...server,
        ledger: ':memory:',
        fixtures: fixtures ?? server.fixtures,
        clockNow: now ?? server.clockNow,
        clockMode: mode ?? server.clockMode,
        quirks: quirks ?? server.quirks,
      };
      const hosted = await this.#open(name, config, knownState ?? this.#options.root.knownState);
      const clock = await readClock(hosted.bank);
      // Until it is asked for the first time: a thousand that nobody asks leave no holes in memory either.
      await hosted.rest();
      this.#banks.set(name, hosted);
      return { config, clock };
    } finally {
      this.#making.delete(name);
    }
  }

  /** NOT_FOUND with the names that there are. */
  get(name: string): HostedBank {
    const found = this.#banks.get(name);
    if (found !== undefined) return found;
    const text = `There is no bank ${JSON.stringify(name.slice(0, 80))}. POST /sandbox/banks makes one.`;
    throw new NotAllowed({ code: 'NOT_FOUND', text }, [defaultName, ...this.#banks.keys()].slice(0, 100));
  }

  list(): readonly (readonly [name: string, bank: HostedBank])[] {
    return [...this.#banks];
  }

  /** Takes a bank away, its snapshots too. CONFLICT for the one at the root. */
  async remove(name: string): Promise<void> {
    if (name === defaultName) {
      const text =
        'The bank at the root stays as long as the server runs. POST /sandbox/reset takes it back to the start.';
      throw new Refusal({ code: 'CONFLICT', text });
    }
    const hosted = this.get(name);
    this.#banks.delete(name);
    this.#awake.delete(hosted);
    await hosted.bank.close();
  }

  /** Catches the open banks up with their clocks, and lets those rest that nobody used for a while. */
  async tick(): Promise<void> {
    const now = this.#options.wall.now();
    for (const [hosted, usedAt] of this.#awake) {
      try {
        if (now - usedAt < patience) await hosted.tick();
        else await this.#rest(hosted);
      } catch (error) {
        if (this.#awake.has(hosted)) this.#options.log.error({ err: error }, 'a settlement run of a named bank failed');
      }
    }
  }

  async close(): Promise<void> {
    for (const hosted of this.#banks.values()) await hosted.bank.close();
    this.#banks.clear();
    this.#awake.clear();
  }

  /** What is mounted at `/banks`. */
  router(): Router {
    const { log } = this.#options;
    const router = Router({ caseSensitive: true });
    router.use('/:name', this.#handle);
    // Only an unknown name comes this far: it is answered in the form of the path that was asked.
    router.use(['/:name/v1', '/:name/api-sandbox/v1'], errorHandler({ log, signature401: false, scaAddress: noSca }));
    router.use(problemHandler(log));
    return router;
  }

  readonly #handle: RequestHandler = async (request, response, next) => {
    const hosted = this.get(String(request.params['name']));
    await this.#use(hosted);
    await hosted.handle(request, response, next);
  };

  async #use(hosted: HostedBank): Promise<void> {
    this.#awake.delete(hosted);
    this.#awake.set(hosted, this.#options.wall.now());
    const [oldest] = this.#awake.keys();
    if (this.#awake.size > mostAwake && oldest !== undefined) await this.#rest(oldest);
  }

  async #rest(hosted: HostedBank): Promise<void> {
    this.#awake.delete(hosted);
    await hosted.rest();
  }

  async #open(name: string, config: Config, knownState: KnownState): Promise<HostedBank> {
    const { root, wall, calendar, address, trustedCas, stopping, log } = this.#options;
    const { prices } = root;
    const { bank } = await openConfiguredBank(config, { wall, calendar, address, stopping, knownState, prices });
    const broke = (reason: string): void => log.error({ bank: name }, reason);
    return new HostedBank({ bank, config, base: `/banks/${name}`, address, trustedCas, banks: null, log, broke });
  }
}

function requireName(name: string): void {
  if (namePattern.test(name)) return;
  const text = `${JSON.stringify(name.slice(0, 80))} is no name for a bank: up to 63 small letters, digits and hyphens.`;
  throw new NotAllowed({ code: 'BAD_REQUEST', path: 'name', text }, { name: namePattern.source });
}

function taken(name: string): Refusal {
  return new Refusal({
    code: 'CONFLICT',
    path: 'name',
    text: `There is a bank ${name} already. DELETE takes it away.`,
  });
}

/** An unknown bank offers no SCA. */
function noSca(_request: Request, scaId: string): string {
  return scaId;
}
