import { setImmediate } from 'node:timers/promises';
import { Router, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { quote } from '../../engine/values/text.ts';
import type { Bank } from '../../engine/bank.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import { NotAllowed } from '../../engine/bank/not-allowed.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import type { Config } from '../start/config.ts';
import { Problem } from '../pipeline/problem.ts';
import { HostedBank } from './hosted-bank.ts';
import { NamedBank } from './named-bank.ts';
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

/** How many there are at most, `default` not counted. */
const mostBanks = 1_000;
/** How many banks are kept open at most: the least recently used ones rest. */
const mostOpen = 32;
/** How long an unused bank stays open, in ms. */
const patience = 60_000;

/** The banks beside `default`: in memory, each with its own ledger, clock, quirks and fixtures, at `/banks/{name}`. */
export class HostedBanks {
  readonly #options: BanksOptions;
  readonly #banks = new Map<string, NamedBank>();
  /** Since when each open bank has not been used, by the monotonic clock; the least recently used first. */
  readonly #awake = new Map<NamedBank, number>();
  /** Names that are taken by a bank that is not open yet. */
  readonly #making = new Set<string>();
  /** The turn of the last bank that waits to be woken. */
  #waking: Promise<void> = Promise.resolve();

  constructor(options: BanksOptions) {
    this.#options = options;
  }

  /**
   * Makes a bank. BAD_REQUEST for a name that cannot be, CONFLICT for one that is there, a Problem (429) for one too many; what openConfiguredBank throws
   * for fixtures that cannot be laid.
   */
  async create({
    name,
    fixtures,
    knownState,
    now,
    mode,
    quirks,
  }: NewBank): Promise<Config & { readonly clockNow: Instant }> {
    requireName(name);
    if (name === defaultName || this.#banks.has(name) || this.#making.has(name)) throw taken(name);
    if (this.#banks.size + this.#making.size >= mostBanks) throw tooMany();
    this.#making.add(name);
    try {
      const { config: server, root, wall } = this.#options;
      const since = wall.now();
      const config = {
        ...server,
        ledger: ':memory:',
        fixtures: fixtures ?? server.fixtures,
        clockNow: now ?? server.clockNow ?? since,
        clockMode: mode ?? server.clockMode,
        quirks: quirks ?? server.quirks,
      };
      const state = knownState ?? root.knownState;
      const named = new NamedBank(config, () => this.#host(name, config, state, since));
      // Whoever brings a known state hears at once that it cannot be laid; the root's has been laid.
      if (knownState !== undefined) {
        await named.open();
        await this.#use(named);
      }
      this.#banks.set(name, named);
      return config;
    } finally {
      this.#making.delete(name);
    }
  }

  /** NOT_FOUND with the names that there are. */
  get(name: string): NamedBank {
    const found = this.#banks.get(name);
    if (found !== undefined) return found;
    const text =
      name === defaultName
        ? `The bank ${defaultName} is at the root: /v1 and /sandbox, without /banks/${defaultName}.`
        : `There is no bank ${quote(name)}. POST /sandbox/banks makes one.`;
    throw new NotAllowed({ code: 'NOT_FOUND', text }, [...this.#banks.keys()].slice(0, 100));
  }

  list(): readonly (readonly [name: string, bank: NamedBank])[] {
    return [...this.#banks];
  }

  /** Takes a bank away, its snapshots too. CONFLICT for the one at the root. */
  async remove(name: string): Promise<void> {
    if (name === defaultName) {
      const text =
        'The bank at the root stays as long as the server runs. POST /sandbox/reset takes it back to the start.';
      throw new NotAllowed({ code: 'CONFLICT', text }, [...this.#banks.keys()].slice(0, 100));
    }
    const named = this.get(name);
    await named.close();
    this.#banks.delete(name);
    this.#awake.delete(named);
  }

  /** Catches the open banks up with their clocks, and lets those rest that nobody used for a while. */
  async tick(): Promise<void> {
    // None waits for the runs of another.
    await Promise.all([...this.#awake].map(([named, usedAt]) => this.#tickOne(named, usedAt)));
  }

  async #tickOne(named: NamedBank, usedAt: number): Promise<void> {
    const unused = this.#options.wall.monotonic() - usedAt;
    try {
      if (unused < patience || (await named.isInUse())) await (await named.open()).tickForAWhile();
      else await this.#rest(named);
    } catch (error) {
      this.#options.log.error({ err: error }, 'a settlement run of a named bank failed');
      // Told once: the next request tries again.
      await this.#rest(named);
    }
  }

  async close(): Promise<void> {
    for (const named of this.#banks.values()) await named.stop();
    this.#banks.clear();
    this.#awake.clear();
  }

  /** What is mounted at `/banks`. An unknown name is thrown on. */
  router(): Router {
    const router = Router({ caseSensitive: true });
    router.use('/:name', this.#handle);
    return router;
  }

  readonly #handle: RequestHandler = async (request, response, next) => {
    const name = String(request.params['name']);
    const named = this.get(name);
    if (!this.#awake.has(named)) await this.#turnToWake();
    const hosted = await named.open();
    // It may have been taken away while it was opened, and another made.
    if (this.get(name) !== named) throw replaced(name);
    await this.#use(named);
    await hosted.handle(request, response, next);
  };

  /** One bank for each turn of the event loop: a thousand that are asked at once hold nobody else up. */
  #turnToWake(): Promise<void> {
    this.#waking = this.#waking.then(() => setImmediate());
    return this.#waking;
  }

  /** Counts as used now; the least recently used of too many rests, unless somebody waits for it. */
  async #use(named: NamedBank): Promise<void> {
    this.#awake.delete(named);
    this.#awake.set(named, this.#options.wall.monotonic());
    for (const other of [...this.#awake.keys()].slice(0, -1)) {
      if (this.#awake.size <= mostOpen) break;
      if (!(await other.isInUse())) await this.#rest(other);
    }
  }

  async #rest(named: NamedBank): Promise<void> {
    this.#awake.delete(named);
    await named.rest();
  }

  async #host(name: string, config: Config, knownState: KnownState, since: Instant): Promise<HostedBank> {
    const { root, wall, calendar, address, trustedCas, stopping, log } = this.#options;
    const shared = { wall, calendar, address, stopping, prices: root.prices };
    const { bank } = await openConfiguredBank(config, { ...shared, knownState, since });
    return new HostedBank({ bank, config, base: `/banks/${name}`, address, trustedCas, banks: null, log });
  }
}

function requireName(name: string): void {
  if (namePattern.test(name)) return;
  const text = `${quote(name)} is no name for a bank: up to 63 small letters, digits and hyphens.`;
  throw new NotAllowed({ code: 'BAD_REQUEST', path: 'name', text }, { name: namePattern.source });
}

function taken(name: string): Refusal {
  const text =
    name === defaultName
      ? 'The bank default is the one at the root.'
      : `There is a bank ${name} already. DELETE takes it away.`;
  return new Refusal({ code: 'CONFLICT', path: 'name', text });
}

function tooMany(): Problem {
  const detail = `There are ${mostBanks} banks beside ${defaultName}, which is the most. DELETE /sandbox/banks/{name} takes one away.`;
  return new Problem({ status: 429, detail, allowed: { banks: String(mostBanks) } });
}

function replaced(name: string): Refusal {
  const text = `The bank ${name} was taken away and made anew while this request waited for it. Send it again.`;
  return new Refusal({ code: 'CONFLICT', text });
}
