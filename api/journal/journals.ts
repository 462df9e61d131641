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
  /** The entries of its bank. */
  readonly among: Set<Kept>;
}

/** The last 500 entries of one bank. */
export interface BankEntries {
  /** Adds an entry. Returns how to put a newer version in its place; nothing happens once it is gone. */
  add(entry: Entry): (newer: Entry) => void;
  /** The newest first. */
  list(): readonly Entry[];
  /** Drops all entries, and keeps none from now on. */
  close(): void;
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
    const own = new Set<Kept>();
    let isClosed = false;
    return {
      add: (entry) => {
        if (isClosed) return () => undefined;
        const kept: Kept = { entry, bytes: sizeOf(entry), among: own };
        own.add(kept);
        this.#all.add(kept);
        this.#grow(kept.bytes);
        const [oldest] = own;
        if (own.size > maxEntries && oldest !== undefined) this.#drop(oldest);
        return (newer) => {
          if (!own.has(kept)) return;
          const bytes = sizeOf(newer);
          const more = bytes - kept.bytes;
          Object.assign(kept, { entry: newer, bytes });
          this.#grow(more);
        };
      },
      list: () => [...own].reverse().map(({ entry }) => entry),
      close: () => {
        isClosed = true;
        for (const kept of own) this.#drop(kept);
      },
    };
  }

  #grow(by: number): void {
    this.#bytes += by;
    for (const oldest of this.#all) {
      if (this.#bytes <= maxBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(kept: Kept): void {
    kept.among.delete(kept);
    if (this.#all.delete(kept)) this.#bytes -= kept.bytes;
  }
}
