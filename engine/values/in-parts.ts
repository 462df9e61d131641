/** How many items are worked on in one go, where nothing speaks for more: that keeps the event loop for some ms at most. */
export const partSize = 2_000;

/** The items in their order, in parts. */
export function* inParts<Item>(items: readonly Item[], size = partSize): Generator<readonly Item[], void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
