import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../engine/values/assert.ts';
import { addDuration, type Duration } from '../../engine/values/duration.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { ledgerClosed, LedgerUnavailable } from '../../engine/bank.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import { readBankClock } from '../../engine/time/rules/bank-clock.ts';
import type { Glance } from '../../engine/bank/read-clock.ts';
import type { ArmedFault } from '../pipeline/armed-faults.ts';
import type { Config } from '../start/config.ts';
import type { BankStore } from './bank-files.ts';
import type { BankRecord } from './bank-store.ts';
import type { HostedBank } from './hosted-bank.ts';
import type { Tenant } from './tenant.ts';
import type { Visits } from './callers.ts';

interface Parts {
  /** Null: the bank shares the token and sessions of the server. */
  readonly tenant: Tenant | null;
  readonly store: BankStore;
  /** The known state of a bank that this process has made; null: the store has found it. */
  readonly knownState: KnownState | null;
  readonly wall: WallClock;
  /** Its requests. */
  readonly visits: Visits;
  /** Opens the ledger of the bank. */
  readonly make: (named: NamedBank) => Promise<HostedBank>;
}

/** A use that is later than the recorded one by at most this, in ms, is not recorded: each record waits for the disk. */
const usedWithin = 600_000;

const aDay: Duration = { months: 0, days: 1, seconds: 0 };

/** Time until a bank that could not be opened is tried again, in ms. */
const triedAgainMs = 10_000;

/**
 * A bank that opens at its first request; before it takes a few hundred bytes. Its states:
 *
 * - closed: from the start of the server, or from its making, until a request opens it.
 * - open: `hosted-bank.ts` has it, and `open-banks.ts` ticks it.
 * - suspended: nobody has used it for a minute, or too many are open. A request opens it again, and reads its file if that has changed.
 * - refused: it could not be opened. Every request is refused for ten seconds, or until its file changes; then one tries again.
 * - removed: by DELETE or by its expiry, from any other state, for good. A new bank of its name is another object.
 */
export class NamedBank {
  readonly name: string;
  readonly visits: Visits;
  readonly #parts: Parts;
  #record: BankRecord;
  #hosted: Promise<HostedBank> | null = null;
  #refused: { readonly stamp: string | null; readonly at: number; readonly error: LedgerUnavailable } | null = null;
  #isRemoved = false;
  /** The last call of {@link keepState}. */
  #keeping: Promise<void> = Promise.resolve();
  /** The stamp of its file when it was suspended; null: it was not. */
  #left: string | null = null;

  constructor(name: string, record: BankRecord, parts: Parts) {
    this.name = name;
    this.#record = record;
    this.#parts = parts;
    this.visits = parts.visits;
  }

  /** Why the bank cannot be opened. Null: it can, as far as is known. */
  get damage(): string | null {
    return this.#refused?.error.message ?? null;
  }

  get tenant(): Tenant | null {
    return this.#parts.tenant;
  }

  /** Whether it was closed for good, or is about to be. */
  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  get knownState(): KnownState | null {
    return this.#parts.knownState;
  }

  get config(): Config {
    return this.#record.config;
  }

  get record(): BankRecord {
    return { ...this.#record, used: this.visits.used ?? this.#record.used };
  }

  /**
   * Opens the bank, or finds it open. A bank whose file was changed while it was closed reads it again. A bank that cannot be opened is tried
   * again after a change of its file or a while: each try checks the whole file.
   */
  open(): Promise<HostedBank> {
    if (this.#isRemoved) return Promise.reject(ledgerClosed());
    const { store, wall, make } = this.#parts;
    const stamp = store.stamp(this.name);
    const refused = this.#refused;
    if (this.#hosted === null && refused?.stamp === stamp && wall.monotonic() - refused.at < triedAgainMs)
      return Promise.reject(refused.error);
    this.#refused = null;
    this.#hosted ??= make(this).catch((error: unknown) => {
      this.#hosted = null;
      // The try itself may have changed the file.
      if (error instanceof LedgerUnavailable)
        this.#refused = { stamp: store.stamp(this.name), at: wall.monotonic(), error };
      throw error;
    });
    const [hosted, left] = [this.#hosted, this.#left];
    if (left === null) return hosted;
    this.#left = null;
    if (stamp !== left) this.#hosted = this.#readAgain(hosted, left);
    return this.#hosted;
  }

  /** If the file cannot be checked, the bank stays suspended, and the next request tries again. */
  async #readAgain(hosted: Promise<HostedBank>, left: string): Promise<HostedBank> {
    try {
      await (await hosted).fileChanged();
    } catch (error) {
      [this.#hosted, this.#left] = [hosted, left];
      throw error;
    }
    return hosted;
  }

  /** The bank, if this process has opened it; it may be suspended. Null: it has not, or the ledger cannot be read. */
  async opened(): Promise<HostedBank | null> {
    return (await this.#hosted?.catch(() => null)) ?? null;
  }

  /** Its clock and the size of its ledger. Does not open it. Throws LedgerUnavailable. */
  async glance(): Promise<Glance | null> {
    const { store, wall } = this.#parts;
    const hosted = await this.#hosted;
    const bytes = store.bytes(this.name);
    if (store.isLasting && bytes === null) return null;
    if (hosted !== null) return hosted.glance();
    const { clock } = this.#record;
    return clock === null ? null : { now: readBankClock(clock, wall.now()), mode: clock.mode, bytes };
  }

  /** Keeps the armed faults of the bank. Throws LedgerUnavailable if a new one cannot be kept. */
  keepFaults(faults: readonly ArmedFault[]): void {
    const isMore = faults.length > this.#record.faults.length;
    try {
      this.#keep({ faults });
    } catch (error) {
      if (isMore) throw error;
      // A fault that strikes once too often after a restart is no reason to fail the call that it struck.
      this.#record = { ...this.#record, faults };
    }
  }

  /**
   * What is to do about a bank that expires, unused for `expiry`. An instant: the log has to warn that it expires then, a day ahead or more;
   * that it was warned of is kept. `now`: the warning was given, and its time has passed. null: nothing. Throws LedgerUnavailable.
   */
  checkExpiry(expiry: Duration, now: Instant): Instant | 'now' | null {
    const { used, warned } = this.record;
    const ends = addDuration(used, expiry);
    const soonest = addDuration(now, aDay);
    if (warned !== null && warned > used) return now >= ends && now >= addDuration(warned, aDay) ? 'now' : null;
    if (soonest < ends) return null;
    this.#keep({ warned: now });
    return ends > soonest ? ends : soonest;
  }

  /** Keeps the clock and the last use of an open bank, if they have changed. One at a time. Throws LedgerUnavailable. */
  keepState(): Promise<void> {
    this.#keeping = this.#keeping.catch(() => undefined).then(() => this.#keepChanges());
    return this.#keeping;
  }

  async #keepChanges(): Promise<void> {
    if (!this.#parts.store.isLasting) return;
    const clock = (await (await this.#hosted)?.clock()) ?? null;
    const { used } = this.record;
    const isUsed = used - this.#record.used > usedWithin;
    if (this.#isRemoved || (!isUsed && (clock === null || isDeepStrictEqual(clock, this.#record.clock)))) return;
    const change = { used, clock: clock ?? this.#record.clock };
    const isKept = await this.#parts.store.keepLater(this.name, { ...this.#record, ...change });
    if (!isKept) return this.#keepChanges();
    this.#record = { ...this.#record, ...change };
  }

  /** Frees the memory of an open bank; its data is kept. Throws LedgerUnavailable if its clock cannot be kept now; it is suspended all the same. */
  async suspend(): Promise<void> {
    const hosted = await this.opened();
    if (hosted === null || this.#isRemoved || this.#left !== null) return;
    try {
      await this.keepState();
    } finally {
      await hosted.suspend();
      this.#left = this.#parts.store.stamp(this.name);
    }
  }

  /** True while requests or exclusive work are under way; false for a bank that was never opened. */
  async isInUse(): Promise<boolean> {
    return (await this.opened())?.isInUse ?? false;
  }

  /** Issues a token of the bank in place of the one before. Throws LedgerUnavailable, and nothing is changed. */
  async issueToken(): Promise<string> {
    assert(this.tenant !== null, 'a bank has tokens where the server has one');
    const token = this.tenant.issueToken();
    await this.#renew();
    return token;
  }

  /** Makes the token of the bank invalid. Throws LedgerUnavailable, and nothing is changed. */
  async revokeToken(): Promise<void> {
    this.tenant?.revokeToken();
    await this.#renew();
  }

  /** Lets an open bank take over its changed credentials. */
  async #renew(): Promise<void> {
    (await this.opened())?.renew();
  }

  /** Closes the bank even if requests are open: the server stops. */
  async stop(): Promise<void> {
    const hosted = await this.opened();
    if (hosted === null) return;
    await this.keepState().catch(() => undefined);
    // The file of a suspended bank stays closed.
    if (this.#left === null || !this.#parts.store.isLasting) await hosted.bank.close();
  }

  /** Closes the bank for good. Throws CONFLICT while its clock is being moved. */
  async close(): Promise<void> {
    // Before any wait: else a waiting request opens the bank and creates its ledger again.
    this.#isRemoved = true;
    try {
      await (await this.opened())?.close();
    } catch (error) {
      this.#isRemoved = false;
      throw error;
    }
    this.tenant?.end();
  }

  #keep(change: Partial<BankRecord>): void {
    const next = { ...this.record, ...change };
    // The file of a removed bank would be in the way of the next one of its name.
    if (!this.#isRemoved) this.#parts.store.keep(this.name, next);
    this.#record = next;
  }
}
