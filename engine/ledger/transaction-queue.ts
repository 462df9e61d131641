import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from '../time/clock.ts';
import { assert } from '../values/assert.ts';
import { inTransaction } from './connection.ts';
import type { Reader, Writer } from './tables.ts';
import { LedgerUnavailable, troubleIn } from './ledger-condition.ts';
import type { LedgerStorage } from './storage.ts';

/** Writes of one turn of the event loop, in one transaction of SQLite: they share its commit. */
interface Group {
  /** Fulfilled after the commit. Rejected with a LedgerUnavailable: nothing of the group remains. */
  readonly committed: Promise<null>;
  readonly settle: (failure: unknown) => void;
  hasBegun: boolean;
  /** Set when SQLite has rolled back the whole transaction. */
  failure: unknown;
}

/** Throws when the work may not begin; called right before it does. */
type Permit = () => void;

/**
 * Runs the transactions of one ledger, one after the other, in the order of the calls. Short writes that are called in
 * one turn of the event loop share a transaction and its commit. Each has its own savepoint: a refused one rolls back
 * alone. They are answered after the commit, and a read waits for it, so that it never sees what may still be lost. If
 * SQLite rolls the group back, every member gets a LedgerUnavailable.
 */
export class TransactionQueue {
  readonly #storage: LedgerStorage;
  readonly #wrote: () => void;
  /** Work for after the commit of this async context's transaction; undefined outside of a transaction. */
  readonly #inside = new AsyncLocalStorage<(() => void)[] | undefined>();
  #last: Promise<unknown> = Promise.resolve();
  /** Takes members until the turn ends. */
  #group: Group | null = null;

  /** `wrote` is called right after each commit of a write. */
  constructor(storage: LedgerStorage, wrote: () => void) {
    this.#storage = storage;
    this.#wrote = wrote;
  }

  /** Does work with no transaction open. */
  async exclusive<T>(work: () => Promise<T>, permit: Permit): Promise<T> {
    this.#assertOutside();
    this.#close();
    return this.#enqueue(async () => {
      permit();
      const result = await work();
      this.#runWaiting();
      return result;
    });
  }

  async read<T>(work: (reader: Reader) => Promise<T>, permit: Permit): Promise<T> {
    this.#assertOutside();
    // Its failure goes to its members.
    if (this.#group !== null) await this.#group.committed.catch(() => undefined);
    return this.exclusive(() => this.readNow(work), permit);
  }

  /** `isLong`: not in a group, whose other members would wait for it. */
  async write<T>(
    work: (tx: Writer) => Promise<T>,
    { isLong, permit }: { readonly isLong: boolean; readonly permit: Permit },
  ): Promise<T> {
    if (isLong) return this.exclusive(() => this.writeNow(work), permit);
    this.#assertOutside();
    const group = (this.#group ??= this.#open());
    const done = this.#enqueue(() => {
      permit();
      return this.#takePart(group, work);
    });
    // A refusal too may depend on what another member has written.
    await done.catch(() => undefined);
    await group.committed;
    return done;
  }

  /** A read inside {@link exclusive}. */
  async readNow<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return inTransaction(await this.#storage.connection(), 'read', work);
  }

  /** A write inside {@link exclusive}. */
  async writeNow<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    const result = await inTransaction(await this.#storage.connection(), 'write', work);
    this.#wrote();
    this.#runWaiting();
    return result;
  }

  /** Runs `work` after the commit of the surrounding transaction; outside of a transaction at once. */
  afterCommit(work: () => void): void {
    const waiting = this.#inside.getStore();
    if (waiting === undefined) work();
    else waiting.push(work);
  }

  #assertOutside(): void {
    assert(
      this.#inside.getStore() === undefined,
      'a ledger transaction was begun inside another: pass the transaction on',
    );
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#inside.run([], work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /**
   * Runs what waits for the commit, in this async context but outside of the transaction: it may begin one of its own.
   */
  #runWaiting(): void {
    const waiting = this.#inside.getStore()?.splice(0) ?? [];
    if (waiting.length > 0) this.#inside.run(undefined, () => waiting.forEach((work) => work()));
  }

  #open(): Group {
    const { promise: committed, resolve, reject } = Promise.withResolvers<null>();
    committed.catch(() => undefined);
    const settle = (failure: unknown): void => (failure === null ? resolve(null) : reject(failure as Error));
    const group: Group = { committed, settle, hasBegun: false, failure: null };
    setImmediate(() => {
      if (this.#group === group) this.#close();
    });
    return group;
  }

  /** Ends the group: its commit comes after its members and before all later calls. */
  #close(): void {
    const group = this.#group;
    this.#group = null;
    if (group !== null) void this.#inside.run(undefined, () => this.#enqueue(() => this.#commit(group)));
  }

  async #takePart<T>(group: Group, work: (tx: Writer) => Promise<T>): Promise<T> {
    if (group.failure !== null) throw group.failure;
    const { transactions, access } = await this.#storage.connection();
    const isFirst = !group.hasBegun;
    if (isFirst) transactions.begin('write');
    else transactions.save();
    group.hasBegun = true;
    try {
      const result = await work(access.writer);
      if (!isFirst) transactions.release();
      // In this async context, in the order of the members, and before the next transaction: that one waits for
      // #commit.
      group.committed.then(
        () => this.#runWaiting(),
        () => undefined,
      );
      if (transactions.hasYielded && this.#group === group) this.#close();
      return result;
    } catch (error) {
      if (isFirst) {
        transactions.rollback();
        group.hasBegun = false;
      } else {
        transactions.takeBack();
        if (!transactions.isOpen) group.failure = lost(error);
      }
      throw error;
    }
  }

  async #commit(group: Group): Promise<void> {
    if (group.failure === null && !group.hasBegun) return group.settle(null);
    const { transactions } = await this.#storage.connection();
    try {
      if (group.failure !== null) throw group.failure;
      await transactions.commit();
    } catch (error) {
      transactions.rollback();
      return group.settle(lost(error));
    }
    this.#wrote();
    group.settle(null);
  }
}

/** SQLite has rolled back everything that the group wrote. Trouble with the file is for the ledger to tell. */
function lost(error: unknown): unknown {
  if (error instanceof LedgerUnavailable || troubleIn(error) !== null) return error;
  const reason = 'its last changes could not be written';
  return new LedgerUnavailable({ kind: 'unwritable', reason, cause: error });
}
