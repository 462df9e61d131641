import { oneLine, quote } from '../../engine/values/text.ts';
import { assert } from '../../engine/values/assert.ts';
import { LedgerUnavailable } from '../../engine/bank.ts';
import { setBankClock } from '../../engine/time/rules/bank-clock.ts';
import type { Alarm } from '../../engine/time/scheduler.ts';
import { parseDuration, type Duration } from '../../engine/values/duration.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { once } from '../../engine/values/once.ts';
import { NotAllowed, Refusal } from '../../engine/values/fault.ts';
import { hashOfKnownState, type KnownState } from '../../engine/bank/known-state.ts';
import type { Config } from '../start/config.ts';
import type { ControlToken } from '../pipeline/control-token.ts';
import type { Journal } from '../journal/journal.ts';
import { type BankStore, unopened } from './bank-files.ts';
import {
  type BankRecord,
  defaultName,
  isBankName,
  type KeptCredentials,
  lost,
  replaced,
  requireName,
  taken,
  tooMany,
} from './bank-store.ts';
import { Tenant } from './tenant.ts';
import type { HostedBank } from './hosted-bank.ts';
import { hostNamed, knownStateOf, OpenBanks, openLimit, type ServerParts } from './open-banks.ts';
import { NamedBank } from './named-bank.ts';
import { type Strangers, Visits } from './callers.ts';

export interface NewBank {
  readonly name: string;
  /** Hash of the call that makes it; null: no call does. */
  readonly asked: string | null;
  /** What it has in place of the server's settings. */
  readonly settings: Partial<Config>;
  /** The content of the known state that the settings name; null: that of the bank at the root. */
  readonly knownState: KnownState | null;
}

/** A bank that is there. */
interface EnsuredBank {
  readonly named: NamedBank;
  /** Whether this call has made it. */
  readonly isNew: boolean;
  /** The token of a new bank, which nobody can ask for later; null: it has none, or the bank is not new. */
  readonly token: string | null;
}

interface BanksOptions extends ServerParts {
  /** Settings of the server. */
  readonly config: Config;
  /** The control token of the server; null: none is set, and the banks have no tokens. */
  readonly token: ControlToken | null;
  /** The CAs of SANDBANK_TPP_CAS, PEM, for banks with a CA of their own. */
  readonly givenCas: readonly string[];
  /** Null: no control token is set. */
  readonly strangers: Strangers | null;
}

/** Maximum number of banks beside `default`. */
const maxBanks = 1_000;
/** Time between two looks for banks that expire, in ms. */
const lookMs = 60_000;

/** Banks beside `default`, at `/banks/{name}`, each with its own ledger, clock, quirks and fixtures: in memory, or in files. */
export class HostedBanks {
  readonly #options: BanksOptions;
  readonly #store: BankStore;
  readonly #open: OpenBanks;
  /** How long a bank stays without use; null: for ever. */
  readonly #expiry: Duration | null;
  /** Every bank that this process has made or found. */
  readonly #banks = new Map<string, NamedBank>();
  /** Why stored banks cannot be read, by their names. */
  readonly #unread = new Map<string, string>();
  /** Work on banks that are being created, found or removed, by name. Never rejects. */
  readonly #busy = new Map<string, Promise<unknown>>();
  /** Number of banks that are being created. */
  #makings = 0;
  /** The tenant for the name of no bank; null: no control token is set. */
  readonly #absent: Tenant | null;
  /** When banks that expire were last looked for, by the wall clock. */
  #lookedAt = -Infinity;
  /** Finds the stored banks. */
  readonly #all: () => Promise<void>;

  constructor(options: BanksOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#absent = this.#tenantOf('', null);
    const most = options.config.openBanks ?? openLimit(options.store.isLasting);
    this.#open = new OpenBanks({ most, wall: options.wall, log: options.shared.log });
    this.#expiry = options.config.banksExpire === null ? null : parseDuration(options.config.banksExpire);
    this.#all = once(async () => {
      for (const name of await this.#store.names())
        await this.#found(name).catch((error: unknown) => {
          if (!(error instanceof LedgerUnavailable)) throw error;
        });
    });
  }

  /**
   * Creates a bank. Throws BAD_REQUEST for a malformed name, CONFLICT for a name in use, a Problem (429) when the limit is
   * reached or (400) the window of maintenance has passed, and the errors of openConfiguredBank for fixtures that cannot be seeded.
   */
  async create(wanted: NewBank): Promise<EnsuredBank> {
    const ensured = await this.#ensure(wanted);
    if (!ensured.isNew) throw taken(`There is a bank ${wanted.name} already. DELETE takes it away.`);
    return ensured;
  }

  /** Creates a bank unless it is there. Throws as {@link create} does, and CONFLICT if other settings made the one that is there. */
  async ensure(wanted: NewBank): Promise<EnsuredBank> {
    const ensured = await this.#ensure(wanted);
    const { named, isNew } = ensured;
    const { asked } = named.record;
    if (!isNew && asked !== null && asked !== wanted.asked)
      throw taken(`The bank ${wanted.name} was made with other settings. DELETE takes it away.`);
    named.visits.use();
    return ensured;
  }

  async #ensure(wanted: NewBank): Promise<EnsuredBank> {
    const { name } = wanted;
    requireName(name);
    if (name === defaultName) throw taken('The bank default is the one at the root.');
    await this.#all();
    return this.#alone(name, async () => {
      const found = await this.#lookUp(name);
      if (found !== null) return { named: found, isNew: false, token: null };
      if (this.#banks.size + this.#makings >= maxBanks) throw tooMany(maxBanks);
      this.#makings += 1;
      try {
        return { ...(await this.#make(wanted)), isNew: true };
      } finally {
        this.#makings -= 1;
      }
    });
  }

  async #make({ name, asked, settings, knownState }: NewBank): Promise<Omit<EnsuredBank, 'isNew'>> {
    const { config: server, root, wall } = this.#options;
    const since = wall.now();
    const clockNow = settings.clockNow ?? server.clockNow ?? since;
    const config = { ...server, ...settings, ledger: this.#store.ledgerOf(name), clockNow };
    // Loaded here only: /ready needs no schema.
    const { requireLaterWindow } = await import('../control/quirks.ts');
    requireLaterWindow(config.quirks, clockNow, 'quirks');
    const state = knownState ?? root.firstOrigin.knownState;
    const clock = setBankClock({ mode: config.clockMode, rate: 1 }, clockNow, since);
    const hash = hashOfKnownState(state);
    const record = { config, asked, knownState: hash, since, used: since, warned: null, clock, faults: [] };
    const named = this.#named(name, record, { knownState: state, kept: null });
    const { isLasting } = this.#store;
    await this.#store.make(name, record, state);
    try {
      // Before its ledger, so that no kill leaves a bank without its credentials.
      const token = this.haveTokens ? await named.issueToken() : null;
      // A given known state is seeded now, so that the answer has its faults. That of the root bank has none.
      if (isLasting || knownState !== null) {
        await named.open();
        await this.#open.use(named);
      }
      this.#banks.set(name, named);
      return { named, token };
    } catch (error) {
      await this.#store.remove(name, since);
      throw error;
    }
  }

  /** Does work on a name with no other work on it. */
  async #alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    for (let other = this.#busy.get(name); other !== undefined; other = this.#busy.get(name)) await other;
    const working = work();
    const settled = working.then(
      () => undefined,
      () => undefined,
    );
    this.#busy.set(name, settled);
    try {
      return await working;
    } finally {
      if (this.#busy.get(name) === settled) this.#busy.delete(name);
    }
  }

  /** Finds the bank of this name in this process, then in the store; null: neither has it. Throws LedgerUnavailable. */
  #found(name: string): Promise<NamedBank | null> {
    return this.#alone(name, () => this.#lookUp(name));
  }

  async #lookUp(name: string): Promise<NamedBank | null> {
    const known = this.#banks.get(name);
    if (known !== undefined || !this.#store.isLasting || !isBankName(name)) return known ?? null;
    try {
      const record = await this.#store.find(name);
      const kept = record !== null && this.haveTokens ? await this.#store.credentials(name) : null;
      this.#unread.delete(name);
      if (record === null) return null;
      const named = this.#named(name, record, { knownState: null, kept });
      this.#banks.set(name, named);
      return named;
    } catch (error) {
      if (error instanceof LedgerUnavailable) this.#tellUnread(name, error);
      throw error;
    }
  }

  /** `knownState`: of a bank that is being made; null: the store has the bank. */
  #named(
    name: string,
    record: BankRecord,
    { knownState, kept }: { readonly knownState: KnownState | null; readonly kept: KeptCredentials | null },
  ): NamedBank {
    const tenant = this.#tenantOf(name, kept);
    const make = (named: NamedBank): Promise<HostedBank> => hostNamed(named, this.#options);
    const { strangers, config, store, wall } = this.#options;
    const issued = tenant?.issued ?? (() => null);
    const visits = new Visits({ perSecond: config.bankRate, clock: wall, strangers, issued });
    if (tenant !== null) tenant.visits = visits;
    return new NamedBank(name, record, { tenant, store, wall, knownState, visits, make });
  }

  /** `name` empty: of no bank. Null: no control token is set. */
  #tenantOf(name: string, kept: KeptCredentials | null): Tenant | null {
    const { token } = this.#options;
    return token === null ? null : new Tenant(name, kept, { ...this.#options, token });
  }

  /** Whether the banks have tokens: where the server has a control token. */
  get haveTokens(): boolean {
    return this.#absent !== null;
  }

  /** A bank that this process knows and that no work is under way on. */
  #atHand(name: string): NamedBank | undefined {
    return this.#busy.has(name) ? undefined : this.#banks.get(name);
  }

  /** The bank of a name. Throws NOT_FOUND; without a control token it has the known names. */
  async find(name: string): Promise<NamedBank> {
    const found = this.#atHand(name) ?? (await this.#found(name));
    if (found !== null) return found;
    await this.#all();
    if (await this.#store.hasLost(name)) throw lost(name);
    return this.#known(name);
  }

  #known(name: string): NamedBank {
    const found = this.#banks.get(name);
    if (found !== undefined) return found;
    const text =
      name === defaultName
        ? `The bank ${defaultName} is at the root: /v1 and /sandbox, without /banks/${defaultName}.`
        : `There is no bank ${quote(name)}. POST /sandbox/banks makes one.`;
    if (this.haveTokens) throw new Refusal({ code: 'NOT_FOUND', text });
    throw new NotAllowed({ code: 'NOT_FOUND', text }, [...this.#banks.keys()].slice(0, 100));
  }

  /** The journal of a bank, which it opens; null for an unknown name, and for a bank that cannot be opened. */
  async journalOf(name: string): Promise<Journal | null> {
    try {
      const named = await this.#found(name);
      return named === null ? null : (await this.#open.open(named)).journal;
    } catch (error) {
      if (error instanceof LedgerUnavailable) return null;
      throw error;
    }
  }

  /** Every bank, in the order of their making or finding. */
  async list(): Promise<readonly NamedBank[]> {
    await this.#all();
    return [...this.#banks.values()];
  }

  /** The banks that cannot be opened, and why: their files cannot be read, or their ledgers are damaged. */
  get damaged(): readonly { readonly name: string; readonly reason: string }[] {
    const refused = [...this.#banks.values()].map(({ name, damage }) => [name, damage] as const);
    return [...this.#unread, ...refused].flatMap(([name, reason]) =>
      reason === null ? [] : [{ name, reason: oneLine(reason, 500) }],
    );
  }

  /** Finds a known state by the name that `/sandbox/info` reports of it; undefined: none has this name. */
  async knownStateNamed(fixtures: string): Promise<KnownState | undefined> {
    const { config, root } = this.#options;
    if (fixtures === config.fixtures) return root.firstOrigin.knownState;
    const named = (await this.list()).find((each) => each.config.fixtures === fixtures);
    if (named === undefined) return undefined;
    return knownStateOf(named, this.#options).catch((error: Error) => {
      this.#options.shared.log.error({ bank: named.name, reason: error.message }, unopened(named.name));
      throw error;
    });
  }

  /** Removes a bank and its snapshots. CONFLICT for the bank at the root. */
  async remove(name: string): Promise<void> {
    if (name === defaultName) {
      const text =
        'The bank at the root stays as long as the server runs. POST /sandbox/reset takes it back to the start.';
      throw new NotAllowed({ code: 'CONFLICT', text }, [...this.#banks.keys()].slice(0, 100));
    }
    const named = await this.find(name);
    await this.#alone(name, async () => {
      if (this.#banks.get(name) !== named) return this.#known(name);
      await named.close();
      this.#banks.delete(name);
      this.#open.forget(named);
      await this.#store.remove(name, this.#options.wall.now());
    });
  }

  /** Whether this process knows a bank of this name. It finds the stored ones at its first tick. */
  isKnown(name: string): boolean {
    return this.#banks.has(name);
  }

  /** Number of open banks. */
  get openCount(): number {
    return this.#open.count;
  }

  /** Carries out due runs of the open banks, suspends banks that are unused for a minute, and removes those that expire. */
  async tick(alarm: Alarm): Promise<void> {
    await this.#open.tick(alarm);
    const now = this.#options.wall.now();
    if (!this.#store.isLasting && this.#expiry === null) return;
    if (Math.abs(now - this.#lookedAt) < lookMs) return;
    this.#lookedAt = now;
    await this.#all();
    for (const named of this.#banks.values()) await this.#expire(named, now);
    await this.#store.sweep(now);
  }

  /** Removes a bank that nobody has used for the time of the settings. */
  async #expire(named: NamedBank, now: Instant): Promise<void> {
    if (this.#expiry === null || (await named.isInUse())) return;
    const { log } = this.#options.shared;
    const { name } = named;
    const about = { bank: name, used: formatInstant(named.record.used) };
    try {
      const expires = named.checkExpiry(this.#expiry, now);
      if (expires === 'now') {
        await this.remove(name);
        log.warn(about, `the bank ${name} has expired and is removed`);
      } else if (expires !== null)
        log.warn(about, `the bank ${name} expires at ${formatInstant(expires)}: a request to it keeps it`);
    } catch (error) {
      log.error({ ...about, err: error }, `whether the bank ${name} expires cannot be kept`);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#banks.values()].map((named) => named.stop()));
    this.#store.close();
  }

  /** The tenant of a name, whether there is such a bank or not, on a server with a control token. It opens none. */
  async tenantAt(name: string): Promise<Tenant> {
    assert(this.#absent !== null, 'a control token is set');
    // A bank whose record cannot be read is 503 to who has its token; without readable credentials it opens for the host alone.
    const named =
      this.#atHand(name) ??
      (await this.#found(name).catch((error: unknown) => {
        if (!(error instanceof LedgerUnavailable)) throw error;
        return this.#unreadable(name);
      }));
    return named?.tenant ?? this.#absent;
  }

  /** The log has each reason once. */
  #tellUnread(name: string, { message: reason, cause }: LedgerUnavailable): void {
    if (this.#unread.get(name) === reason) return;
    this.#unread.set(name, reason);
    this.#options.shared.log.error({ bank: name, reason, err: cause }, unopened(name));
  }

  /** The tenant of a bank whose record cannot be read; null: nor can its credentials. */
  async #unreadable(name: string): Promise<{ readonly tenant: Tenant | null } | null> {
    const kept = await this.#store.credentials(name).catch(() => null);
    return kept === null ? null : { tenant: this.#tenantOf(name, kept) };
  }

  /** Opens a bank for a request. Throws LedgerUnavailable, and NOT_FOUND or CONFLICT if it was removed meanwhile. */
  async openForUse(named: NamedBank): Promise<HostedBank> {
    const hosted = await this.#open.open(named);
    if (this.#known(named.name) !== named) throw replaced(named.name);
    return hosted;
  }
}
