import { constrainedMemory } from 'node:process';
import { totalmem } from 'node:os';
import { Router, type RequestHandler } from 'express';
import { nextTurn, type WallClock } from '../../engine/time/clock.ts';
import { assert } from '../../engine/values/assert.ts';
import { once } from '../../engine/values/once.ts';
import { quote } from '../../engine/values/text.ts';
import type { Bank } from '../../engine/bank.ts';
import { readBankClock, setBankClock } from '../../engine/time/rules/bank-clock.ts';
import type { Glance } from '../../engine/bank/glance.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { NotAllowed } from '../../engine/bank/not-allowed.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { type Config, ConfigError, type Profile } from '../start/config.ts';
import { requireLaterWindow } from '../control/quirks.ts';
import { listedProfile, quirksOf, receivingOf, timesOf } from '../start/profile.ts';
import type { ControlToken } from '../pipeline/control-token.ts';
import { ConsoleSessions } from '../console/sessions.ts';
import { Problem } from '../pipeline/problem.ts';
import type { Journal } from '../journal/journal.ts';
import { BankCredentials } from './bank-credentials.ts';
import { HostedBank, type SharedHosting, type Tenant } from './hosted-bank.ts';
import { NamedBank } from './named-bank.ts';
import { openConfiguredBank } from './open-configured-bank.ts';

/** Settings of a new bank; the server's settings are the defaults. */
interface NewBank {
  readonly name: string;
  /** The reported name of its known state; `knownState` is the content. */
  readonly fixtures?: string;
  readonly knownState?: KnownState;
  readonly now?: Instant;
  readonly mode?: Config['clockMode'];
  readonly quirks?: Quirks;
  /** Its settings hold where the others are left out. */
  readonly profile?: Profile;
}

interface BanksOptions {
  /** The bank at the root, whose known state and prices the others share. */
  readonly root: Bank;
  /** Settings of the server. */
  readonly config: Config;
  readonly wall: WallClock;
  readonly calendar: BankingCalendar;
  readonly shared: SharedHosting;
  /** The control token of the server; null: none is set, and the banks have no tokens. */
  readonly token: ControlToken | null;
  /** The CAs of SANDBANK_TPP_CAS, PEM, for banks with a CA of their own. */
  readonly givenCas: readonly string[];
  /** The ids of the listed profiles that are banks beside it; null: the platform is not served. */
  readonly platform: readonly string[] | null;
}

/** The settings of a bank that was made, where its clock starts, and its token; null: it has none. */
export type MadeBank = Config & { readonly clockNow: Instant; readonly token: string | null };

/** Name of the bank at the root, which cannot be created or removed. */
export const defaultName = 'default';

const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Maximum number of banks beside `default`. */
const maxBanks = 1_000;
/** How long an unused bank stays open. */
const idleMs = 60_000;

/** Banks beside `default`, at `/banks/{name}`: in memory, each with its own ledger, clock, quirks and fixtures. */
export class HostedBanks {
  readonly #options: BanksOptions;
  /** Maximum number of open banks: above it the least recently used ones are suspended. */
  readonly #maxOpen: number;
  readonly #banks = new Map<string, NamedBank>();
  /** Last use of each open bank, by the monotonic clock; the least recently used first. */
  readonly #open = new Map<NamedBank, number>();
  /** Names of banks that are being created. */
  readonly #making = new Set<string>();
  /** Ids of the banks of the platform, each made when it is first asked (rules.md Q12); null: the platform is not served. */
  readonly platform: readonly string[] | null;
  /** Those that are being made. */
  readonly #asked = new Map<string, Promise<unknown>>();
  /** When the server started: the clocks of the banks of the platform start then. */
  readonly #start: Instant;
  /** What opens a bank that is not there: the control token, as a bank whose token nobody has. */
  readonly #absent: Tenant | null;
  /** Turn of the last bank that waits to be resumed. */
  #resuming: Promise<void> = Promise.resolve();

  constructor(options: BanksOptions) {
    this.#options = options;
    this.platform = options.platform;
    this.#start = options.wall.now();
    this.#absent = this.#tenantOf('', null);
    this.#maxOpen = options.config.openBanks ?? openBanksIn(memoryOfProcess());
  }

  /**
   * Creates a bank. Throws BAD_REQUEST for a malformed name, CONFLICT for a name in use, a Problem (429) when the limit is
   * reached or (400) the window of maintenance has passed, and the errors of openConfiguredBank for fixtures that cannot be seeded.
   */
  async create(wanted: NewBank): Promise<MadeBank> {
    const { name } = wanted;
    requireName(name);
    if (this.platform?.includes(name) === true)
      throw taken(`The bank ${name} is one of the platform. Choose another name.`);
    if (name === defaultName) throw taken('The bank default is the one at the root.');
    if (this.#banks.has(name) || this.#making.has(name))
      throw taken(`There is a bank ${name} already. DELETE takes it away.`);
    if (this.#banks.size + this.#making.size >= maxBanks) throw tooMany();
    return this.#create(wanted, this.#options.wall.now(), true);
  }

  /** `since`: the instant of the wall clock at which its clock starts. `hasToken`: with a token of its own, where the server has one. */
  async #create(
    { name, fixtures, knownState, now, mode, quirks, profile }: NewBank,
    since: Instant,
    hasToken: boolean,
  ): Promise<MadeBank> {
    this.#making.add(name);
    try {
      const { config: server, root, wall } = this.#options;
      const config = {
        ...server,
        ledger: ':memory:',
        fixtures: fixtures ?? server.fixtures,
        clockNow: now ?? server.clockNow ?? since,
        clockMode: mode ?? server.clockMode,
        quirks: quirks ?? (profile === undefined ? server.quirks : quirksOf(profile)),
        profile: profile ?? (quirks === undefined ? server.profile : null),
        ...(profile !== undefined && {
          settlementTimes: timesOf(profile, server),
          receiving: receivingOf(profile, server),
        }),
      };
      requireLaterWindow(config.quirks, config.clockNow, 'quirks');
      const state = knownState ?? root.firstOrigin.knownState;
      const pace = { mode: config.clockMode, rate: 1 };
      const clock = setBankClock(pace, config.clockNow, since);
      const unused = (): Glance => ({ now: readBankClock(clock, wall.now()), mode: pace.mode, bytes: null });
      const credentials = await BankCredentials.open(name, () => wall.now());
      const tenant = this.#tenantOf(name, credentials);
      const named: NamedBank = new NamedBank(
        { config, knownState: state, tenant },
        () => this.#host(name, named, since),
        unused,
      );
      const token = hasToken && tenant !== null ? await credentials.issueToken() : null;
      // A given known state is seeded now, so that the answer has its faults. That of the root bank has none.
      if (knownState !== undefined) {
        await named.open();
        await this.#use(named);
      }
      this.#banks.set(name, named);
      return { ...config, token };
    } finally {
      this.#making.delete(name);
    }
  }

  /** The bank of a name; a bank of the platform is made now if nobody has asked it yet. Throws as {@link get} does. */
  async find(name: string): Promise<NamedBank> {
    if (!this.#banks.has(name) && this.platform?.includes(name) === true) {
      const making = this.#asked.get(name) ?? this.#makeOfPlatform(name).finally(() => this.#asked.delete(name));
      this.#asked.set(name, making);
      await making;
    }
    return this.get(name);
  }

  /** Throws NOT_FOUND for a profile that cannot be used: a start does not check them. */
  async #makeOfPlatform(name: string): Promise<void> {
    const profile = await listedProfile(name).catch((error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      throw new Refusal({ code: 'NOT_FOUND', text: `There is no bank ${name}: ${error.message}.` });
    });
    await this.#create({ name, profile }, this.#start, false);
  }

  /** Throws NOT_FOUND for an unknown name; without a control token it has the known ones. */
  get(name: string): NamedBank {
    const found = this.#banks.get(name);
    if (found !== undefined) return found;
    const text =
      name === defaultName
        ? `The bank ${defaultName} is at the root: /v1 and /sandbox, without /banks/${defaultName}.`
        : `There is no bank ${quote(name)}. POST /sandbox/banks makes one.`;
    if (this.#absent !== null) throw new Refusal({ code: 'NOT_FOUND', text });
    throw new NotAllowed({ code: 'NOT_FOUND', text }, [...this.#banks.keys()].slice(0, 100));
  }

  /** Whether the banks have tokens: where the server has a control token. */
  get haveTokens(): boolean {
    return this.#absent !== null;
  }

  /** Issues a token of a bank in place of the one before. Throws as {@link find} does. */
  async issueToken(name: string): Promise<string> {
    const named = await this.find(name);
    const credentials = named.tenant?.credentials ?? null;
    assert(credentials !== null, 'banks have tokens where the server has one');
    const token = await credentials.issueToken();
    await named.renew();
    return token;
  }

  /** Makes the token of a bank invalid. Throws as {@link find} does. */
  async revokeToken(name: string): Promise<void> {
    const named = await this.find(name);
    await named.tenant?.credentials?.revokeToken();
    await named.renew();
  }

  /** Null for the credentials: nobody has them. */
  #tenantOf(name: string, credentials: BankCredentials | null): Tenant | null {
    const { token: server, shared, givenCas } = this.#options;
    if (server === null) return null;
    const token = server.ofBank(() => credentials?.tokenKey ?? null);
    const sessions = new ConsoleSessions(token, { server: shared.sessions, base: `/banks/${name}` });
    return { credentials, token, sessions, givenCas };
  }

  /** The journal of a bank, which it opens; null for an unknown name. */
  async journalOf(name: string): Promise<Journal | null> {
    const named = this.#banks.get(name);
    if (named === undefined) return null;
    if (!this.#open.has(named)) await this.#turnToResume();
    const { journal } = await named.open();
    await this.#use(named);
    return journal;
  }

  list(): readonly (readonly [name: string, bank: NamedBank])[] {
    return [...this.#banks];
  }

  /** The known states of the banks, by the names that their `/sandbox/info` reports. */
  knownStates(): ReadonlyMap<string, KnownState> {
    const { config, root } = this.#options;
    const named = [...this.#banks.values()].map((bank) => [bank.config.fixtures, bank.knownState] as const);
    return new Map([...named, [config.fixtures, root.firstOrigin.knownState]]);
  }

  /** Removes a bank and its snapshots. CONFLICT for the bank at the root. */
  async remove(name: string): Promise<void> {
    if (name === defaultName) {
      const text =
        'The bank at the root stays as long as the server runs. POST /sandbox/reset takes it back to the start.';
      throw new NotAllowed({ code: 'CONFLICT', text }, [...this.#banks.keys()].slice(0, 100));
    }
    const named = await this.find(name);
    await named.close();
    this.#banks.delete(name);
    this.#open.delete(named);
  }

  /** Carries out due runs of the open banks, and suspends banks that are unused for a minute. */
  async tick(): Promise<void> {
    // In parallel: no bank waits for the runs of another.
    await Promise.all([...this.#open].map(([named, usedAt]) => this.#tickOne(named, usedAt)));
  }

  async #tickOne(named: NamedBank, usedAt: number): Promise<void> {
    const unused = this.#options.wall.monotonic() - usedAt;
    try {
      if (unused < idleMs || (await named.isInUse())) await (await named.open()).tickForAWhile();
      else await this.#suspend(named);
    } catch (error) {
      this.#options.shared.log.error({ err: error }, 'a settlement run of a named bank failed');
      // Logged once; the next request tries again.
      await this.#suspend(named);
    }
  }

  async close(): Promise<void> {
    for (const named of this.#banks.values()) await named.stop();
    this.#banks.clear();
    this.#open.clear();
  }

  /** Router for `/banks`. Throws NOT_FOUND for an unknown name. */
  router(): Router {
    const router = Router({ caseSensitive: true });
    const absent = this.#absent;
    if (absent !== null) router.use('/:name', this.#front(absent));
    router.use('/:name', this.#handle);
    return router;
  }

  /** What asks for the token of a bank that may not be there. Its pages are loaded for its first request. */
  #front(absent: Tenant): RequestHandler {
    const { config, shared } = this.#options;
    const front = once(async () => {
      const { bankFront } = await import('./bank-front.ts');
      return bankFront({ config, log: shared.log, tenantAt: (name) => this.#banks.get(name)?.tenant ?? absent });
    });
    return async (request, response, next) => {
      (await front())(request, response, next);
    };
  }

  readonly #handle: RequestHandler = async (request, response, next) => {
    const name = String(request.params['name']);
    const named = await this.find(name);
    if (!this.#open.has(named)) await this.#turnToResume();
    const hosted = await named.open();
    // Meanwhile the bank may have been removed and another created.
    if (this.get(name) !== named) throw replaced(name);
    await this.#use(named);
    await hosted.handle(request, response, next);
  };

  /** Resumes one bank in each turn of the event loop, so that a thousand at once do not block other requests. */
  #turnToResume(): Promise<void> {
    this.#resuming = this.#resuming.then(nextTurn);
    return this.#resuming;
  }

  /** Marks a bank as used now. Above the limit, suspends the least recently used banks that are not in use. */
  async #use(named: NamedBank): Promise<void> {
    this.#open.delete(named);
    this.#open.set(named, this.#options.wall.monotonic());
    if (this.#open.size <= this.#maxOpen) return;
    for (const other of [...this.#open.keys()].slice(0, -1)) {
      if (this.#open.size <= this.#maxOpen) break;
      if (!(await other.isInUse())) await this.#suspend(other);
    }
  }

  async #suspend(named: NamedBank): Promise<void> {
    this.#open.delete(named);
    await named.suspend();
  }

  async #host(name: string, { config, knownState, tenant }: NamedBank, since: Instant): Promise<HostedBank> {
    const { root, wall, calendar, shared } = this.#options;
    const { address, stopping } = shared;
    const opening = { wall, calendar, address, stopping, prices: root.prices, knownState, since };
    const { bank } = await openConfiguredBank(config, opening);
    const base = `/banks/${name}`;
    // The scenarios of a console play in banks that the server makes with its own token.
    const own = tenant === null ? {} : { token: tenant.token, sessions: tenant.sessions, plays: null };
    return new HostedBank({ ...shared, ...own, bank, config, base, banks: null, tenant });
  }
}

function requireName(name: string): void {
  if (namePattern.test(name)) return;
  const text = `${quote(name)} is no name for a bank: up to 63 small letters, digits and hyphens.`;
  throw new NotAllowed({ code: 'BAD_REQUEST', path: 'name', text }, { name: namePattern.source });
}

function taken(text: string): Refusal {
  return new Refusal({ code: 'CONFLICT', path: 'name', text });
}

function tooMany(): Problem {
  const detail = `There are ${maxBanks} banks beside ${defaultName}, which is the most. DELETE /sandbox/banks/{name} takes one away.`;
  return new Problem({ status: 429, detail, allowed: { banks: String(maxBanks) } });
}

function replaced(name: string): Refusal {
  const text = `The bank ${name} was taken away and made anew while this request waited for it. Send it again.`;
  return new Refusal({ code: 'CONFLICT', text });
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

/** Number of named banks that may stay open with this much memory, in bytes. */
export function openBanksIn(memory: number): number {
  return Math.max(minOpen, Math.floor(((memory - ofProcess) * share) / ofBank));
}

/** The memory that this process may take, in bytes: the limit of its container, else the memory of the machine. */
export function memoryOfProcess(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
