import type { GauntletReport, GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import { isProblem, noQuirks, switched } from '../../engine/bank/rules/quirk.ts';
import type { Trial } from '../../api/trials/trial.ts';
import { together } from '../../api/trials/trials.ts';
import { inTurn } from './in-turn.ts';
import { isFailed } from './tell.ts';

/** How much of the time goes to worlds before what they broke is searched. */
const worldsShare = 0.3;

export interface StormOptions {
  /** What the suite survived alone, and what nobody has tried alone. */
  readonly parts: readonly Trial[];
  /** The operations whose answers each of these changed, by their names. */
  readonly touched: ReadonlyMap<string, ReadonlySet<string>>;
  readonly jobs: number;
  /** Runs the suite under a trial. Null: it was stopped. */
  readonly run: (trial: Trial) => Promise<GauntletTrial | null>;
  /** Whether this share of the time is over. */
  readonly isOver: (share?: number) => boolean;
  /** A smallest set was found. */
  readonly found: (row: GauntletTrial) => void;
}

type World = readonly Trial[];

type Pair = readonly [Trial, Trial];

/** A world in which the suite has run: the tests that failed; a failure without a test has the name ''. */
interface Tried {
  readonly world: World;
  readonly row: GauntletTrial;
  readonly failed: readonly string[];
}

/**
 * Runs the suite in worlds that have many trials at once, until each two that can stand together have met (docs/spec/control-plane.md GA6). For
 * a test that fails in one, the smallest set of its trials that breaks the test is searched; then the set is taken out, and the rest runs again.
 */
export async function storm(options: StormOptions): Promise<GauntletReport['together']> {
  const { parts, touched, jobs, isOver, found } = options;
  const tried = new Map<string, Tried>();
  const sets: { readonly set: World; readonly test: string }[] = [];
  const tryAll = async (worlds: readonly World[], share = 1): Promise<readonly Tried[]> => {
    const ran = await inTurn(
      worlds,
      jobs,
      () => isOver(share),
      async (world): Promise<readonly Tried[]> => {
        const row = tried.get(keyOf(world))?.row ?? (await options.run(together(world)));
        if (row === null) return [];
        const names = row.tests.length === 0 ? [''] : row.tests.map(({ file, name }) => `${file} ${name}`);
        const one = { world, row, failed: isFailed(row) ? names : [] };
        tried.set(keyOf(world), one);
        return [one];
      },
    );
    return ran.flat();
  };
  const isKnownAlone = ([part, ...others]: World): boolean =>
    part === undefined || (others.length === 0 && touched.has(part.name.replace(/@.*/, '')));
  /** The first of these in which the test fails. What is within a world where it passes is not tried. */
  const firstFailing = async (worlds: readonly World[], test: string): Promise<World | null> => {
    const green = [...tried.values()].filter(({ failed }) => failed.length === 0 || !failed.includes(test));
    const rest = worlds.filter((world) => !isKnownAlone(world) && !green.some((of) => isWithin(world, of.world)));
    for (let at = 0; at < rest.length && !isOver(); at += jobs) {
      const ran = await tryAll(rest.slice(at, at + jobs));
      const failing = ran.find(({ failed }) => failed.includes(test));
      if (failing !== undefined) return failing.world;
    }
    return null;
  };
  /** The smallest set: by halves of the pairs that no world has where the test passes, and what they leave by ever smaller parts (ddmin). */
  const smallest = async ({ world }: Tried, test: string): Promise<World> => {
    let set = world;
    for (let next: World | null = set; next !== null && set.length > 2 && !isOver();) {
      const all = [...tried.values()];
      const [red, green] = [true, false].map((is) => all.filter(({ failed }) => failed.includes(test) === is));
      const open = pairsOf(set).filter((pair) => green?.every((of) => !isWithin(pair, of.world)));
      const weight = (pair: Pair): number =>
        (red?.filter((of) => isWithin(pair, of.world)).length ?? 0) + (shareCalls(pair, touched) ? 0.5 : 0);
      const sorted = open.toSorted((one, other) => weight(other) - weight(one));
      const half = Math.ceil(open.length / 2);
      const halves = [sorted.slice(0, half), sorted.slice(half)].map((pairs) => [...new Set(pairs.flat())]);
      const smaller = halves.filter(({ length }) => length < set.length);
      next = await firstFailing(smaller, test);
      set = next ?? set;
    }
    for (let count = 2; set.length > 1 && !isOver();) {
      const size = Math.ceil(set.length / count);
      const chunks = Array.from({ length: count }, (_, at) => set.slice(at * size, (at + 1) * size));
      const without = chunks.map((chunk) => set.filter((part) => !chunk.includes(part)));
      const chunk = await firstFailing(chunks, test);
      const smaller = chunk ?? (await firstFailing(without, test));
      if (smaller === null && count >= set.length) break;
      count = smaller === null ? Math.min(set.length, 2 * count) : chunk === null ? Math.max(2, count - 1) : 2;
      set = smaller ?? set;
    }
    return set;
  };
  let left = worldsOf(parts, touched);
  for (let share = worldsShare; left.length > 0 && !isOver(); share = (1 + share) / 2) {
    const ran = await tryAll(left, share);
    const next = left.filter((world) => !tried.has(keyOf(world)));
    for (const of of ran.filter(({ failed }) => failed.length > 0)) {
      for (const test of of.failed) {
        const isKnown = sets.some((known) => known.test === test && isLike(known.set, of.world));
        if (isKnown || isOver()) continue;
        const set = await smallest(of, test);
        const row = tried.get(keyOf(set))?.row;
        if (isOver() || row === undefined) continue;
        if (!sets.some((known) => keyOf(known.set) === keyOf(set))) found(row);
        for (const failed of tried.get(keyOf(set))?.failed ?? []) sets.push({ set, test: failed });
      }
      const known = sets.filter(({ set }) => isLike(set, of.world));
      const rest = of.world.filter((part) => !known.some(({ set }) => set.at(-1)?.slot === part.slot));
      if (known.length > 0 && rest.length > 1) next.push(rest);
    }
    left = next;
  }
  const isTried = (pair: World): boolean => [...tried.values()].some(({ world }) => isWithin(pair, world));
  const pairs = pairsOf(parts).filter(canStand);
  const notTried = pairs.filter((pair) => !isTried(pair)).length;
  return { worlds: tried.size, trials: parts.length, pairs: pairs.length, notTried };
}

/**
 * Worlds in which each two trials meet that can stand together, first those that touch the same calls. A quarter of the slots stays empty in each: what a trial hides, another world
 * shows.
 */
export function worldsOf(parts: readonly Trial[], touched: StormOptions['touched']): readonly World[] {
  const slots = [...Map.groupBy(parts, ({ slot }) => slot).values()];
  const stands = new Map(parts.map((part) => [part, new Set(parts.filter((other) => canStand([part, other])))]));
  const left = new Map([...stands].map(([part, others]) => [part, new Set(others)]));
  const worlds: World[] = [];
  const pairs = pairsOf(parts).map((pair) => ({ pair, isNear: shareCalls(pair, touched) }));
  for (const { pair } of pairs.toSorted((one, other) => Number(other.isNear) - Number(one.isNear))) {
    if (left.get(pair[0])?.has(pair[1]) !== true) continue;
    const world: Trial[] = [...pair];
    const gain = (part: Trial): number => world.filter((other) => left.get(part)?.has(other)).length;
    for (const [at, slot] of slots.entries()) {
      const able = slot.filter((part) => world.every((other) => stands.get(part)?.has(other)));
      // What gains nothing tells all the same which of the others break a test: each value in its turn.
      const start = worlds.length % (able.length || 1);
      const [best] = [...able.slice(start), ...able.slice(0, start)].toSorted((one, other) => gain(other) - gain(one));
      if ((at * 3 + worlds.length * 7) % 4 > 0 && best !== undefined) world.push(best);
    }
    for (const part of world) for (const other of world) left.get(part)?.delete(other);
    worlds.push(world);
  }
  return worlds;
}

function pairsOf(world: World): readonly Pair[] {
  return world.flatMap((one, at) => world.slice(at + 1).map((other): Pair => [one, other]));
}

/** The same for the same trials in any order. */
function keyOf(world: World): string {
  const names = world.map(({ name }) => name);
  return names.toSorted().join('+');
}

function isWithin(set: World, world: World): boolean {
  return set.every((part) => world.includes(part));
}

/** Whether a world has a trial of each slot of the set: it breaks for the same reason. */
function isLike(set: World, world: World): boolean {
  return set.every(({ slot }) => world.some((part) => part.slot === slot));
}

/** Whether two trials can be in one world: of a slot there is one at most, and quirks may contradict each other. */
function canStand(pair: Pair): boolean {
  const [one, other] = pair;
  const quirks = pair.flatMap(({ does: { quirk } }) =>
    quirk === undefined ? [] : [[quirk.name, quirk.given ?? true] as const],
  );
  return one.slot !== other.slot && !isProblem(switched(noQuirks, quirks));
}

/** Whether both trials touch a call of the same operation. */
function shareCalls(pair: Pair, touched: StormOptions['touched']): boolean {
  const [one, other] = pair.map(({ name, does: { at } }) => (at === undefined ? [...(touched.get(name) ?? [])] : [at]));
  return one?.some((word) => other?.includes(word)) === true;
}
