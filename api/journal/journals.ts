import { type Entry, sizeOf } from './entry.ts';

/** Maximum size of all journals of a process. */
const maxBytes = 16 * 1024 * 1024;
/** Maximum number of entries of one bank. */
export const maxEntries = 500;

/** Throws an Error for entries that the journal of one bank cannot hold. */
export function requireRoomFor(entries: readonly Entry[]): void {
  if (entries.length > maxEntries) throw new Error(`requests: ${maxEntries} at most`);
  const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  if (bytes > maxBytes) throw new Error(`requests: they take ${bytes} bytes, and a journal ${maxBytes} at most`);
}

/** An entry in its place. */
interface Kept {
  entry: Entry;
  bytes: number;
  readonly bank: BankEntries;
}

/** The memory of all journals of a process: above 16 MB the oldest entries go, of whatever bank. */
export class Journals {
  readonly #all = new Set<Kept>();
  #bytes = 0;

  /** Sum of the sizes of all entries; see {@link sizeOf}. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The entries of one bank. */
  open(): BankEntries {
    return new BankEntries({
      keep: (kept) => {
        this.#all.add(kept);
        this.#grow(kept.bytes);
      },
      resize: (by) => this.#grow(by),
      drop: (kept) => {
        if (this.#all.delete(kept)) this.#bytes -= kept.bytes;
      },
    });
  }

  #grow(by: number): void {
    this.#bytes += by;
    if (this.#bytes <= maxBytes) return;
    for (const oldest of this.#all) {
      if (this.#bytes <= maxBytes) return;
      oldest.bank.drop(oldest);
    }
  }
}

interface Owner {
  keep(kept: Kept): void;
  resize(by: number): void;
  drop(kept: Kept): void;
}

/** The last 500 entries of one bank. */
export class BankEntries {
  readonly #kept = new Set<Kept>();
  readonly #owner: Owner;
  #isClosed = false;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Adds an entry. Returns how to put a newer version in its place; nothing happens once it is gone. */
  add(entry: Entry): (newer: Entry) => void {
    const kept: Kept = { entry, bytes: sizeOf(entry), bank: this };
    if (this.#isClosed) return () => undefined;
    this.#kept.add(kept);
    this.#owner.keep(kept);
    if (this.#kept.size > maxEntries) this.#dropOldest();
    return (newer) => {
      if (!this.#kept.has(kept)) return;
      const bytes = sizeOf(newer);
      const more = bytes - kept.bytes;
      Object.assign(kept, { entry: newer, bytes });
      this.#owner.resize(more);
    };
  }

  drop(kept: Kept): void {
    this.#kept.delete(kept);
    this.#owner.drop(kept);
  }

  #dropOldest(): void {
    const [oldest] = this.#kept;
    if (oldest !== undefined) this.drop(oldest);
  }

  /** The newest first. */
  list(): readonly Entry[] {
    return [...this.#kept].reverse().map(({ entry }) => entry);
  }

  /** Drops all entries, and keeps none from now on. */
  close(): void {
    this.#isClosed = true;
    for (const kept of this.#kept) this.drop(kept);
  }
}
