import { osloDate, type Instant } from '../../engine/values/instant.ts';
import { clip, oneLine } from '../../engine/values/text.ts';
import { choiceOf, isProblem, noQuirks, switched, type Quirks } from '../../engine/bank/rules/quirk.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { type Asked, askAll } from './ask.ts';
import { checkAll, type Checked, type Guesses, signOf } from './check.ts';
import { type Difference, keyOf, sayings } from './difference.ts';
import type { Exchange } from './exchange.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** A kind of difference, at its first place. */
export interface ReportedDifference extends Difference {
  /** `GET /v1/accounts`, as it was recorded. */
  readonly request: string;
  /** The place of the request in the file, from 1. */
  readonly number: number;
  readonly count: number;
  /** The quirk that makes it go away, as `--quirks` takes it. */
  readonly quirk?: string;
  /** What it means: something that a quirk does, something new, a request that the sandbox refuses, or a fault of the sandbox. */
  readonly meaning: 'quirk' | 'new quirk' | 'not carried out' | 'fault of the sandbox';
  /** Something new, as a fact for a profile. */
  readonly fact?: object;
}

export interface Drift {
  readonly differences: readonly ReportedDifference[];
  /** Quirks that make differences go away, and how many. */
  readonly quirks: readonly { readonly quirk: string; readonly fewer: number }[];
  readonly replayed: number;
}

interface TellOptions {
  readonly profile?: string | object;
  /** The quirks that are on, from a profile and from the settings, and those of the profile that are off, as `--quirks` takes them. */
  readonly quirks: readonly string[];
  /** The source of a fact: what the recording is. */
  readonly source: string;
  /** The day of today, for a fact. */
  readonly today: string;
  /** Lines `kind path` that are no difference. */
  readonly accepted: ReadonlySet<string>;
}

/** A recording with what is known of it before any quirk is tried. */
interface Known {
  readonly exchanges: readonly Exchange[];
  readonly asked: Asked;
  readonly guesses: Guesses;
  readonly accepted: ReadonlySet<string>;
}

/**
 * Compares a recording with what the sandbox would answer, by rules: one item for each kind of difference, and the quirks that explain them.
 * Throws a Mistake for settings that no bank can have.
 */
export async function tellDrift(exchanges: readonly Exchange[], options: TellOptions): Promise<Drift> {
  const on = quirksOf(options.quirks);
  if (on === null) throw new Mistake(`these quirks do not go together: ${options.quirks.join(', ')}`);
  const asked = await askAll(exchanges, options).catch((error: unknown) => {
    throw new Mistake(`the recording cannot be compared: ${oneLine(error instanceof Error ? error.message : '', 300)}`);
  });
  const known = { exchanges, asked, guesses: await guessesByName(), accepted: options.accepted };
  const checked = checkAll(exchanges, { ...known, quirks: on });
  const quirks = await helpfulQuirks(known, checked, options.quirks);
  const differences = [...groupsOf(checked, options.accepted)].map(
    ([key, { first, difference, count }]): ReportedDifference => {
      const quirk = quirks.find(({ explains }) => explains.has(key))?.quirk;
      const meaning = quirk === undefined ? meaningOf(difference) : 'quirk';
      return {
        ...difference,
        request: `${first.exchange.method} ${first.exchange.target}`,
        number: first.exchange.number,
        count,
        ...(quirk !== undefined && { quirk }),
        meaning,
        ...(meaning === 'new quirk' && { fact: factOf(difference, first.exchange, options) }),
      };
    },
  );
  return { differences, quirks: quirks.map(({ quirk, fewer }) => ({ quirk, fewer })), replayed: exchanges.length };
}

/** What each quirk is guessed from. */
export async function guessesByName(): Promise<Guesses> {
  return new Map(
    (await allQuirks()).flatMap(({ name, guess }) => (guess === undefined ? [] : [[name, guess] as const])),
  );
}

/** Quirks that are on by texts of `--quirks`, of which a later one wins; null: they do not go together. */
export function quirksOf(texts: readonly string[]): Quirks | null {
  let on = noQuirks;
  for (const text of texts) {
    const now = switched(on, choiceOf(text));
    if (isProblem(now)) return null;
    on = now;
  }
  return on;
}

interface Group {
  readonly first: Checked;
  readonly difference: Difference;
  count: number;
}

/** The differences by kind and path, in the order of their first places. */
function groupsOf(checked: readonly Checked[], accepted: ReadonlySet<string> = new Set()): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const first of checked) {
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

interface Helpful {
  readonly quirk: string;
  readonly fewer: number;
  /** Keys of the differences that it makes fewer. */
  readonly explains: ReadonlySet<string>;
}

/** Switches one quirk after the other on, the most helpful first, as long as differences go away. */
async function helpfulQuirks(
  known: Known,
  base: readonly Checked[],
  given: readonly string[],
): Promise<readonly Helpful[]> {
  const chosen: Helpful[] = [];
  let current = base;
  for (;;) {
    const was = groupsOf(current, known.accepted);
    if (was.size === 0) return chosen;
    const on = [...given, ...chosen.map(({ quirk }) => quirk)];
    let best: (Helpful & { readonly checked: readonly Checked[] }) | null = null;
    for (const quirk of await quirkGuesses(current, on)) {
      const quirks = quirksOf([...on, quirk]);
      if (quirks === null) continue;
      const checked = checkAll(known.exchanges, { ...known, quirks });
      const left = groupsOf(checked, known.accepted);
      const fewer = countIn(was) - countIn(left);
      if (fewer <= (best?.fewer ?? 0)) continue;
      const explains = [...was].filter(([key, { count }]) => count > (left.get(key)?.count ?? 0)).map(([key]) => key);
      best = { quirk, fewer, explains: new Set(explains), checked };
    }
    if (best === null) return chosen;
    const { checked, ...helpful } = best;
    chosen.push(helpful);
    current = checked;
  }
}

function countIn(groups: ReadonlyMap<string, Group>): number {
  return [...groups.values()].reduce((sum, { count }) => sum + count, 0);
}

/** The quirks to try, as `--quirks` takes them: `reissued-ids=P1D`. Those that are on may be wrong and are tried without: `-order`. */
async function quirkGuesses(all: readonly Checked[], on: readonly string[]): Promise<readonly string[]> {
  const found = all.flatMap(({ exchange, differences }) =>
    differences.map((one) => [one, signOf(one, exchange)] as const),
  );
  return (await allQuirks()).flatMap(({ name, value: form, guess }) => {
    const signed = found.filter(([, sign]) => guess?.sign.test(sign) === true).map(([one]) => one);
    if (guess === undefined || signed.length === 0) return [];
    const { values: given = form?.words ?? [''], fits = () => true } = guess;
    const likely = (typeof given === 'function' ? given(all) : given).filter((value) =>
      signed.some((one) => fits(one, value)),
    );
    const values = likely.map((value) => (value === '' ? name : `${name}=${value}`));
    const others = values.filter((text) => !on.includes(text));
    const isOn = on.some((text) => text.split('=')[0] === name);
    return isOn ? [`-${name}`, ...others.filter((text) => text !== name)] : others;
  });
}

/** What a difference that no quirk explains means. */
export function meaningOf({ kind, recorded, expected }: Omit<Difference, 'path'>): ReportedDifference['meaning'] {
  if (kind !== 'status') return 'new quirk';
  if (Number(expected) >= 500) return 'fault of the sandbox';
  return Number(recorded) < 400 && Number(expected) >= 400 ? 'not carried out' : 'new quirk';
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
    quality: 'seen in this recording',
    applied: false,
  };
}

/** A short form of a value: names members and counts items. */
function shortValue(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, 100);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? `an object of ${Object.keys(value).join(', ')}` : value;
}

/** A difference in one line: what differs, how often, where first, and what it means. */
export function lineOf(one: ReportedDifference, quirks: Drift['quirks']): string {
  const { kind, request, number, count, quirk, meaning } = one;
  const [recorded, expected] = [one.recorded, one.expected].map((value) => clip(JSON.stringify(value ?? null), 90));
  const often = count === 1 ? 'once' : `${count} times`;
  const fewer = quirks.find((one) => one.quirk === quirk)?.fewer ?? 0;
  const lacking = quirk?.startsWith('-') === true ? `the recording lacks the quirk ${quirk.slice(1)}: ` : '';
  const ends = {
    quirk: `${lacking}--quirks ${quirk ?? ''} makes ${fewer} of these go away`,
    'new quirk': 'this is new: no quirk has it',
    'not carried out': 'the sandbox cannot carry the request out',
    'fault of the sandbox': 'a fault of the sandbox: please report it',
  } as const;
  const what = sayings[kind](recorded ?? '', expected ?? '');
  return `${keyOf(one)}: ${what}; ${often}, first in request ${number}, ${clip(request, 120)}; ${ends[meaning]}.`;
}
