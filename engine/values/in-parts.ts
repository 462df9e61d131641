/** Default number of items per part: blocks the event loop for a few ms at most. */
export const partSize = 2_000;

/** Splits the items into parts of `size`, in order. */
export function* inParts<Item>(items: readonly Item[], size = partSize): Generator<readonly Item[], void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
