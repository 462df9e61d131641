import { osloDate, type Instant } from '../../engine/values/instant.ts';
import { clip, oneLine } from '../../engine/values/text.ts';
import { allQuirks } from '../../api/habits/index.ts';
import { ConfigError } from '../../api/start/config.ts';
import { type Difference, type DifferenceKind } from './compare.ts';
import type { Exchange } from './exchange.ts';
import type { Replayed, ReplaySettings } from './replay.ts';
import { distanceOf, Search } from './search.ts';

/** A kind of difference, at its first place. */
export interface ReportedDifference extends Difference {
  /** `GET /v1/accounts`, as it was recorded. */
  readonly request: string;
  /** The place of the request in the file, from 1. */
  readonly number: number;
  readonly count: number;
  /** The quirk that makes it go away, as `--quirks` takes it. */
  readonly quirk?: string;
  /** What it means: a habit that a quirk has, a new one, a request that the sandbox refuses, or a fault of the sandbox. */
  readonly meaning: 'habit' | 'new habit' | 'not carried out' | 'fault of the sandbox';
  /** A new habit as a fact for a profile. */
  readonly fact?: object;
  /** Both whole answers. */
  readonly answers: { readonly recorded: unknown; readonly replayed: unknown };
}

export interface Drift {
  readonly differences: readonly ReportedDifference[];
  /** Quirks that make differences go away, and how many. */
  readonly quirks: readonly { readonly quirk: string; readonly fewer: number }[];
  /** Requests that need an id that the sandbox did not give, as it carried out an earlier one otherwise. */
  readonly lost: number;
  readonly replayed: number;
}

interface TellOptions extends ReplaySettings {
  /** The source of a fact: what the recording is. */
  readonly source: string;
  /** The day of today, for a fact. */
  readonly today: string;
  /** The quirks that are on from a profile and from the settings. */
  readonly on: readonly string[];
  /** Lines `kind path` that are no difference. */
  readonly accepted: ReadonlySet<string>;
}

/**
 * Replays a recording and tells how its answers differ: one item for each kind of difference, the quirks that explain them. Throws a ConfigError
 * for a recording whose time or people no bank can have.
 */
export async function tellDrift(exchanges: readonly Exchange[], options: TellOptions): Promise<Drift> {
  const search = new Search(exchanges);
  const found = await orProblem(search.run(options));
  if (typeof found === 'string') throw new ConfigError(`the recording cannot be replayed: ${oneLine(found, 300)}`);
  const { replayed } = found;
  const quirks = await helpfulQuirks(exchanges, { search, replayed }, options);
  const differences = [...groupsOf(replayed, options.accepted)].map(
    ([key, { first, difference, count }]): ReportedDifference => {
      const quirk = quirks.find(({ explains }) => explains.has(key))?.quirk;
      const meaning = quirk === undefined ? meaningOf(difference) : 'habit';
      return {
        ...difference,
        request: `${first.exchange.method} ${first.exchange.target}`,
        number: first.exchange.number,
        count,
        ...(quirk !== undefined && { quirk }),
        meaning,
        ...(meaning === 'new habit' && { fact: factOf(difference, first.exchange, options) }),
        answers: { recorded: first.exchange.answer, replayed: first.answered.answer },
      };
    },
  );
  return {
    differences,
    quirks: quirks.map(({ quirk, fewer }) => ({ quirk, fewer })),
    lost: replayed.filter(({ isLost }) => isLost).length,
    replayed: exchanges.length,
  };
}

interface Group {
  readonly first: Replayed;
  readonly difference: Difference;
  count: number;
}

/** The differences by kind and path, in the order of their first places. */
function groupsOf(replayed: readonly Replayed[], accepted: ReadonlySet<string> = new Set()): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const first of replayed) {
    if (first.isLost) continue;
    for (const difference of first.differences) {
      const key = keyOf(difference);
      if (accepted.has(key)) continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { first, difference, count: 1 });
      else group.count += 1;
    }
  }
  return groups;
}

/** `form accounts[].resourceId`; of the status `status`. A line of a list for `--accept`. */
export function keyOf({ kind, path }: Pick<Difference, 'kind' | 'path'>): string {
  return `${kind} ${path}`.trim();
}

interface Helpful {
  readonly quirk: string;
  readonly fewer: number;
  /** Keys of the differences that it makes fewer. */
  readonly explains: ReadonlySet<string>;
}

/** A replay, and what was found out for it. */
interface Found {
  readonly search: Search;
  readonly replayed: readonly Replayed[];
}

/** Switches one quirk after the other on, the most helpful first, as long as differences go away. */
async function helpfulQuirks(
  exchanges: readonly Exchange[],
  base: Found,
  options: TellOptions,
): Promise<readonly Helpful[]> {
  const chosen: Helpful[] = [];
  let current = base;
  const tryOut = async (quirk: string): Promise<Found | null> => {
    const settings = { ...options, quirks: [...options.quirks, ...chosen.map((one) => one.quirk), quirk] };
    const glance = await orProblem(current.search.glance(settings));
    // Most quirks change nothing, or make it worse: nothing more is looked for then. Some show only where a payee
    // is inside the bank, or where nothing was posted in their place.
    const isWorse = typeof glance !== 'string' && distanceOf(glance) >= distanceOf(current.replayed);
    if (typeof glance === 'string' || (isWorse && !/-at-once|^month-end-bookings/.test(quirk))) return null;
    const search = new Search(exchanges);
    const { replayed } = await search.run(settings);
    return { search, replayed };
  };
  for (;;) {
    if (groupsOf(current.replayed, options.accepted).size === 0) return chosen;
    const on = [...options.on, ...chosen.map(({ quirk }) => quirk)];
    const tried: (Found & { readonly quirk: string })[] = [];
    for (const values of await quirkGuesses(current.replayed, on)) {
      const results = [];
      for (const quirk of values) {
        const result = await tryOut(quirk);
        if (result !== null) results.push({ quirk, ...result });
      }
      const [best] = results.toSorted(nearerFirst);
      if (best !== undefined && distanceOf(best.replayed) < distanceOf(current.replayed)) tried.push(best);
    }
    if (tried.length === 0) return chosen;
    // The most helpful one; the others are tried on top of it without looking for their values again.
    for (const [place, { quirk, ...own }] of tried.toSorted(nearerFirst).entries()) {
      const next = place === 0 ? own : await tryOut(quirk);
      if (next === null) continue;
      const [was, left] = [groupsOf(current.replayed, options.accepted), groupsOf(next.replayed, options.accepted)];
      const gone = [...was].map(([key, { count }]) => [key, count - (left.get(key)?.count ?? 0)] as const);
      const explained = gone.filter(([, count]) => count > 0);
      if (explained.length === 0 || distanceOf(next.replayed) >= distanceOf(current.replayed)) continue;
      const fewer = explained.reduce((sum, [, count]) => sum + count, 0);
      chosen.push({ quirk, fewer, explains: new Set(explained.map(([key]) => key)) });
      current = next;
    }
  }
}

/**
 * The quirks that may explain differences, each with the values to try, as `--quirks` takes them: `reissued-ids=P1D`. `on`: those that are on,
 * which may be wrong and are tried without: `-order`.
 */
async function quirkGuesses(all: readonly Replayed[], on: readonly string[]): Promise<readonly (readonly string[])[]> {
  const signs = all.flatMap(({ exchange, differences }) =>
    differences.map(({ kind, path }) => `${kind} ${path} ${exchange.endpoint ?? ''}`),
  );
  return (await allQuirks()).flatMap(({ name, value: form, guess }) => {
    if (guess === undefined || !signs.some((sign) => guess.sign.test(sign))) return [];
    const { values: given = form?.words ?? [''] } = guess;
    const values = (typeof given === 'function' ? given(all) : given).map((value) =>
      value === '' ? name : `${name}=${value}`,
    );
    const others = values.filter((text) => !on.includes(text));
    const isOn = on.some((text) => text.split('=')[0] === name);
    return [isOn ? [...others.filter((text) => text !== name), `-${name}`] : others];
  });
}

function nearerFirst(one: Pick<Found, 'replayed'>, other: Pick<Found, 'replayed'>): number {
  return distanceOf(one.replayed) - distanceOf(other.replayed);
}

/** A text: why no bank can be opened under these quirks, or in the time of the recording. */
async function orProblem<Result extends object>(work: Promise<Result>): Promise<Result | string> {
  try {
    return await work;
  } catch (error) {
    const ofBank = 'createBank: ';
    if (error instanceof Error && error.message.startsWith(ofBank)) return error.message.slice(ofBank.length);
    throw error;
  }
}

/** What a difference that no quirk explains means. */
export function meaningOf({ kind, recorded, replayed }: Omit<Difference, 'path'>): ReportedDifference['meaning'] {
  if (kind !== 'status') return 'new habit';
  if (Number(replayed) >= 500) return 'fault of the sandbox';
  return Number(recorded) < 400 && Number(replayed) >= 400 ? 'not carried out' : 'new habit';
}

/** A fact as a profile has it; who adds it knows the name that it should have. */
function factOf(difference: Difference, exchange: Exchange, { source, today }: TellOptions): object {
  const { kind, path, recorded } = difference;
  return {
    key: keyOf(difference),
    value: { kind, path, request: `${exchange.method} /v1${exchange.endpoint ?? ''}`, recorded: shortValue(recorded) },
    source,
    sourceDate: osloDate(exchange.at as Instant),
    seen: today,
    quality: 'observed by a client',
    applied: false,
  };
}

/** A short form of a value: names members and counts items. */
function shortValue(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, 100);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? `an object of ${Object.keys(value).join(', ')}` : value;
}

/** The words for each kind of difference, the recorded answer first. */
const sayings: Readonly<Record<DifferenceKind, (recorded: string, replayed: string) => string>> = {
  status: (recorded, replayed) => `the bank answered ${recorded}, the sandbox ${replayed}`,
  code: (recorded, replayed) => `the bank refused with ${recorded}, the sandbox with ${replayed}`,
  path: (recorded, replayed) => `a message was about ${recorded}, in the sandbox about ${replayed}`,
  header: (recorded, replayed) => `the header was ${recorded}, in the sandbox ${replayed}`,
  absent: () => 'the bank leaves it out, the sandbox shows it',
  extra: () => 'the bank shows it, the sandbox leaves it out',
  type: (recorded, replayed) => `it was ${recorded}, in the sandbox ${replayed}`,
  form: (recorded, replayed) => `its form was ${recorded}, in the sandbox ${replayed}`,
  value: (recorded, replayed) => `it was ${recorded}, in the sandbox ${replayed}`,
  order: () => 'the items were in another order',
  link: (recorded, replayed) => `the link was ${recorded}, in the sandbox ${replayed}`,
  verbs: (recorded, replayed) => `the verbs were ${recorded}, in the sandbox ${replayed}`,
  changed: () => 'it changed between two reads in one of the two alone',
};

/** A line for a kind of difference: where, what, how often, and what makes it go away. */
export function lineOf(one: ReportedDifference, quirks: Drift['quirks']): string {
  const { kind, path, request, number, count, quirk, meaning } = one;
  const [recorded, replayed] = [one.recorded, one.replayed].map((value) => clip(JSON.stringify(value ?? null), 90));
  const often = count === 1 ? 'once' : `${count} times`;
  const fewer = quirks.find((one) => one.quirk === quirk)?.fewer ?? 0;
  const ends = {
    habit: `--quirks ${quirk ?? ''} makes ${fewer} of these go away`,
    'new habit': 'no quirk has it',
    'not carried out': 'the sandbox cannot carry the request out',
    'fault of the sandbox': 'a fault of the sandbox: please report it',
  } as const;
  const what = sayings[kind](recorded ?? '', replayed ?? '');
  return `${keyOf({ kind, path })}: ${what}; ${often}, first in request ${number}, ${clip(request, 120)}; ${ends[meaning]}.`;
}
