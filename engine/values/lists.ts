/** Default number of items per part: blocks the event loop for a few ms at most. */
export const partSize = 2_000;

/** Splits the items into parts of `size`, in order. */
export function* inParts<Item>(items: readonly Item[], size = partSize): Generator<readonly Item[], void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Reads the rows of many keys, those of one part of the keys after the other. */
export async function readInParts<Key, Row>(
  keys: readonly Key[],
  read: (some: readonly Key[]) => Promise<readonly Row[]>,
  size = partSize,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const some of inParts(keys, size)) for (const row of await read(some)) rows.push(row);
  return rows;
}

/**
 * Groups items by a key, in the order of the first of each group, as `Map.groupBy` does. Fast if most items are like
 * the one before: `isAlike`, true for two items with the same key, saves building most keys.
 */
export function groupAlike<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  isAlike: (one: Item, other: Item) => boolean,
): Iterable<readonly Item[]> {
  const groups = new Map<string, Item[]>();
  let last: Item | undefined;
  let group: Item[] = [];
  for (const item of items) {
    if (last === undefined || !isAlike(last, item)) {
      const key = keyOf(item);
      group = groups.get(key) ?? [];
      groups.set(key, group);
    }
    group.push(item);
    last = item;
  }
  return groups.values();
}

/** The part of a list that a caller asks for. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** The page with one row more: reading it tells whether there is a next page. */
export function withOneMore<Asked extends Page>(page: Asked): Asked {
  return { ...page, limit: page.limit + 1 };
}

/** Cuts the rows that were read {@link withOneMore} to the limit. */
export function pageOf<Row>(read: readonly Row[], limit: number): { readonly rows: Row[]; readonly hasNext: boolean } {
  return { rows: read.slice(0, limit), hasNext: read.length > limit };
}

/** Sets the value of a key as the newest one, and forgets the oldest above a limit. */
export function keepNewest<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, limit: number): void {
  values.delete(key);
  values.set(key, value);
  const [oldest] = values.keys();
  if (values.size > limit && oldest !== undefined) values.delete(oldest);
}

/** About how many members and items a JSON text in UTF-8 has (control-plane.md B2). Builds no objects. */
export function countJsonValues(json: Uint8Array): number {
  let count = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === 0x22) inText = !inText;
    else if (inText) at += byte === 0x5c ? 1 : 0;
    // A comma, a bracket or a brace.
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  }
  return count;
}

/** The first items, `count` at most. Takes no more of them. */
export function firstOf<Item>(items: Iterable<Item>, count: number): Item[] {
  const found: Item[] = [];
  if (count > 0) for (const item of items) if (found.push(item) === count) break;
  return found;
}
