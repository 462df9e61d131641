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

/**
 * The memory of all journals of a process. Above 16 MB the oldest entry of the bank with the most goes: each of N banks keeps at least 1/N of it
 * (docs/spec/control-plane.md H Shares).
 */
export class Journals {
  /** The entries of each bank, and their size. */
  readonly #all = new Map<Set<Kept>, number>();
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
        this.#grow(own, kept.bytes);
        const [oldest] = own;
        if (own.size > maxEntries && oldest !== undefined) this.#drop(oldest);
        return (newer) => {
          if (!own.has(kept)) return;
          const bytes = sizeOf(newer);
          const more = bytes - kept.bytes;
          Object.assign(kept, { entry: newer, bytes });
          this.#grow(own, more);
        };
      },
      list: () => [...own].reverse().map(({ entry }) => entry),
      close: () => {
        isClosed = true;
        for (const kept of own) this.#drop(kept);
      },
    };
  }

  #grow(own: Set<Kept>, by: number): void {
    this.#count(own, by);
    while (this.#bytes > maxBytes) {
      const [[largest] = []] = [...this.#all].sort(([, one], [, other]) => other - one);
      const [oldest] = largest ?? [];
      if (oldest === undefined) return;
      this.#drop(oldest);
    }
  }

  #count(own: Set<Kept>, by: number): void {
    this.#bytes += by;
    const bytes = (this.#all.get(own) ?? 0) + by;
    if (own.size > 0) this.#all.set(own, bytes);
    else this.#all.delete(own);
  }

  #drop(kept: Kept): void {
    if (kept.among.delete(kept)) this.#count(kept.among, -kept.bytes);
  }
}
