import { quote } from '../../engine/values/text.ts';
import { counted } from '../cli/output.ts';
import { type Exchange, exchangeOf, type Skipped } from './exchange.ts';
import { readHar } from './har.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** What a file holds for a replay. */
type Recording = ReturnType<typeof readRecording>;

/** Entries that are not replayed, in the order of the file. */
type SkippedEntries = readonly (Skipped & { readonly entry: number })[];

/** Reads a recording. Throws a Mistake or a WrongUse of one line for a file that cannot be read, or has nothing to replay. */
export function readRecording(file: string) {
  const found: Exchange[] = [];
  const skipped: SkippedEntries[number][] = [];
  const { creator, entries: all } = readHar(file);
  for (const [index, entry] of all.entries()) {
    const exchange = exchangeOf(entry, index + 1);
    if ('why' in exchange) skipped.push({ entry: index + 1, ...exchange });
    else found.push(exchange);
  }
  if (found.length === 0)
    throw new Mistake(`${quote(file, 200)} has nothing to replay: ${nothingIn(all.length, skipped)}`);
  const exchanges = found.toSorted((one, other) => one.sentAt - other.sentAt);
  let ended = 0;
  const parallel = exchanges.filter(({ sentAt, took }) => {
    const isParallel = sentAt < ended;
    ended = Math.max(ended, sentAt + took);
    return isParallel;
  }).length;
  return {
    /** In the order of their start. */
    exchanges,
    skipped,
    /** How many requests were sent before the answer to an earlier one was there. */
    parallel,
    /** What wrote the file. */
    creator: `${creator.name} ${creator.version}`.trim(),
  };
}

function entries(count: number): string {
  return counted(count, 'entry', 'entries');
}

function nothingIn(all: number, skipped: SkippedEntries): string {
  if (all === 0) return 'it has no entries';
  return [...countsOf(skipped)].map(([why, count]) => `${entries(count)}: ${why}`).join(', ');
}

/** How many entries are not replayed, by the reason. */
export function countsOf(skipped: SkippedEntries): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(skipped, ({ why }) => why)].map(([why, all]) => [why, all.length]));
}

/** Maximum number of skipped entries that are named. */
const maxNamed = 20;

/** A line that names the entries that are not replayed, and one for requests in parallel. */
export function remarksOn({ skipped, parallel, exchanges }: Recording): string[] {
  const named = skipped.slice(0, maxNamed).map(({ entry, why, what }, at) => {
    const place = `entry ${entry}${at === 0 ? ' (counted from 1)' : ''}`;
    return `${place}: ${what === '' ? why : `${why}, ${what}`}`;
  });
  const more = skipped.length - named.length;
  return [
    ...(skipped.length > 0
      ? [
          `${exchanges.length} of ${exchanges.length + skipped.length} replayed; ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
        ]
      : []),
    ...(parallel > 0
      ? [
          `${entries(parallel)} began before an earlier answer was there; requests are replayed in the order of their start.`,
        ]
      : []),
  ];
}
