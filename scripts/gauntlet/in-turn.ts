/**
 * Does the work on each item, on at most `jobs` at a time, in their order, until a stop. Throws what the first one
 * threw, when all have ended.
 */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  jobs: number,
  stop: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = [...items.entries()];
  const one = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined && !stop.aborted; next = rest.shift())
      results[next[0]] = await work(next[1]);
  };
  // An error leaves nothing for the others.
  const running = Array.from({ length: jobs }, () => one().finally(() => rest.splice(0)));
  await Promise.allSettled(running);
  await Promise.all(running);
  return results;
}
