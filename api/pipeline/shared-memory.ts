/** What a shared memory holds at most. */
interface Limits<Item> {
  /** Size of all items, in bytes. */
  readonly bytes: number;
  /** Number of items of one bank. */
  readonly items: number;
  /** Size of an item, in bytes. */
  readonly sizeOf: (item: Item) => number;
}

/** The items of one bank in a shared memory. */
export type Share<Item> = ReturnType<SharedMemory<Item>['open']>;

interface Kept<Item> {
  item: Item;
  bytes: number;
}

/** The items of a bank, the oldest first, and the sum of their sizes. */
interface Own<Item> {
  readonly items: Set<Kept<Item>>;
  bytes: number;
}

/**
 * A memory that the banks of a process share. Above its size the oldest item of the bank with the most goes: each of N banks keeps at least 1/N
 * of it (docs/spec/control-plane.md H Shares).
 */
export class SharedMemory<Item> {
  readonly #limits: Limits<Item>;
  /** The banks that have items. */
  readonly #all = new Set<Own<Item>>();
  #bytes = 0;

  constructor(limits: Limits<Item>) {
    this.#limits = limits;
  }

  /** Size of all items, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Room for the items of one more bank. */
  open() {
    const { items: maxItems, sizeOf } = this.#limits;
    const own: Own<Item> = { items: new Set(), bytes: 0 };
    let isClosed = false;
    return {
      /** Size of the items of the bank, in bytes. */
      bytes: (): number => own.bytes,
      /** Adds an item. Returns how to put a newer version in its place; nothing happens once it is gone. */
      add: (item: Item): ((newer: Item) => void) => {
        const kept = { item, bytes: 0 };
        const put = (newer: Item): void => {
          if (!own.items.has(kept)) return;
          const more = sizeOf(newer) - kept.bytes;
          Object.assign(kept, { item: newer, bytes: kept.bytes + more });
          this.#grow(own, more);
        };
        if (!isClosed) own.items.add(kept);
        const [oldest] = own.items;
        // Makes room first: no other bank loses an item for it.
        if (own.items.size > maxItems && oldest !== undefined) this.#drop(own, oldest);
        put(item);
        return put;
      },
      /** The newest first. */
      list: (): readonly Item[] => [...own.items].reverse().map(({ item }) => item),
      /** Drops an item; left out: all. */
      drop: (item?: Item): void => {
        for (const kept of own.items) if (item === undefined || kept.item === item) this.#drop(own, kept);
      },
      /** Drops all items, and keeps none from now on. */
      close: (): void => {
        isClosed = true;
        for (const kept of own.items) this.#drop(own, kept);
      },
    };
  }

  #grow(own: Own<Item>, by: number): void {
    this.#count(own, by);
    while (this.#bytes > this.#limits.bytes) {
      const [largest] = [...this.#all].sort((one, other) => other.bytes - one.bytes);
      const [oldest] = largest?.items ?? [];
      if (largest === undefined || oldest === undefined) return;
      this.#drop(largest, oldest);
    }
  }

  #count(own: Own<Item>, by: number): void {
    own.bytes += by;
    this.#bytes += by;
    if (own.items.size > 0) this.#all.add(own);
    else this.#all.delete(own);
  }

  #drop(own: Own<Item>, kept: Kept<Item>): void {
    if (own.items.delete(kept)) this.#count(own, -kept.bytes);
  }
}
