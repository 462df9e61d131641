import { ConfigError } from '../../api/start/config.ts';
import { quote } from '../../engine/values/text.ts';
import { counted } from '../cli/output.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { readHar } from './har.ts';

/** What a file holds for a replay. */
export interface Recording {
  /** In the order of their start. */
  readonly exchanges: readonly Exchange[];
  /** How many entries are not replayed, by the reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** How many requests were sent before the answer to an earlier one was there. */
  readonly parallel: number;
  readonly keeps: ReadonlySet<string>;
  /** What wrote the file. */
  readonly creator: string;
}

/** Reads a recording. Throws a ConfigError or a WrongUse of one line for a file that cannot be read, or has nothing to replay. */
export function readRecording(file: string): Recording {
  const found: Exchange[] = [];
  const skipped = new Map<string, number>();
  const { creator, _kept: kept, entries: all } = readHar(file);
  for (const [index, entry] of all.entries()) {
    const exchange = exchangeOf(entry, index + 1);
    if (typeof exchange === 'string') skipped.set(exchange, (skipped.get(exchange) ?? 0) + 1);
    else found.push(exchange);
  }
  if (found.length === 0)
    throw new ConfigError(`${quote(file, 200)} has nothing to replay: ${nothingIn(all.length, skipped)}`);
  const exchanges = found.toSorted((one, other) => one.sentAt - other.sentAt);
  let ended = 0;
  const parallel = exchanges.filter(({ sentAt, took }) => {
    const isParallel = sentAt < ended;
    ended = Math.max(ended, sentAt + took);
    return isParallel;
  }).length;
  const { name, version } = creator;
  return { exchanges, skipped, parallel, keeps: new Set(kept), creator: `${name} ${version}`.trim() };
}

function entries(count: number): string {
  return counted(count, 'entry', 'entries');
}

function nothingIn(all: number, skipped: ReadonlyMap<string, number>): string {
  if (all === 0) return 'it has no entries';
  return [...skipped].map(([why, count]) => `${entries(count)}: ${why}`).join(', ');
}

/** A line for each reason why entries were not replayed, and one for requests in parallel. */
export function remarksOn({ skipped, parallel }: Recording, lost: number): string[] {
  return [
    ...[...skipped].map(([why, count]) => `Not replayed, ${entries(count)}: ${why}.`),
    ...(lost > 0 ? [`Not compared, ${entries(lost)}: needs an id that the sandbox did not give.`] : []),
    ...(parallel > 0
      ? [
          `${entries(parallel)} began before an earlier answer was there; requests are replayed in the order of their start.`,
        ]
      : []),
  ];
}
