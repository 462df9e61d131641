import type { GauntletReport, GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import { isProblem, noQuirks, switched } from '../../engine/bank/rules/quirk.ts';
import type { Trial } from '../../api/gauntlet/trial.ts';
import { quirksOf } from '../../api/gauntlet/own-trial.ts';
import { together } from '../../api/gauntlet/trials.ts';
import { type Pair, pairsOf, PairTable, type World } from './pairs.ts';
import { isFailed } from './tell.ts';

/** How many of the slots a world fills: what a trial hides, another world shows. */
const filled = 0.6;

/** How much more than others two trials that touch the same call are suspected. */
const near = 8;

/** How much less a pair is suspected after a test has passed with it: another trial may hide it. */
const afterPass = 1 / 16;

/** How much more a pair is suspected for each world in which the test failed with it. */
const afterFailure = 2;

/** From which share of its suspicion on a pair runs alone. */
const surely = 0.8;

/** With how many pairs of each test a world may begin that tells about several. */
const beginnings = 12;

/** How much a set of more than two is suspected, as a share of all pairs of its world. */
const ofLarger = 0.005;

export interface StormOptions {
  /** What the suite survived alone, and what nobody has tried alone. */
  readonly parts: readonly Trial[];
  /** The operations whose answers each of these changed, by their names. */
  readonly touched: ReadonlyMap<string, ReadonlySet<string>>;
  readonly jobs: number;
  /** Runs the suite under a trial. Null: it was stopped. */
  readonly run: (trial: Trial) => Promise<GauntletTrial | null>;
  readonly isOver: () => boolean;
  /** A smallest set was found. */
  readonly found: (row: GauntletTrial) => void;
}

/** A world in which the suite has run: the tests that failed; a failure without a test has the name ''. */
interface Tried {
  readonly world: World;
  readonly row: GauntletTrial;
  readonly failed: readonly string[];
  /** It has run twice. */
  readonly again: boolean;
}

/**
 * A test that failed in a world, and how much each pair is suspected of it. `mass`: the pairs of the world, and a
 * larger set.
 */
interface Search {
  readonly test: string;
  readonly world: World;
  readonly weights: PairTable;
  readonly mass: number;
  /** The most suspected first. */
  readonly pairs: readonly Pair[];
}

/**
 * Runs the suite in worlds that have many trials at once, until each two that can stand together have met
 * (docs/spec/control-plane.md GA6). For all tests that fail the smallest sets that break them are searched at once. No
 * later world has a set that is known.
 */
export async function storm(options: StormOptions): Promise<GauntletReport['together']> {
  const { parts, jobs, run, isOver } = options;
  const known = new Known(options);
  const running = new Map<World, Promise<void>>();
  const start = async (world: World): Promise<void> => {
    const row = await run(together(trialsOf(world, parts)));
    running.delete(world);
    if (row !== null) known.learn(world, row);
  };
  try {
    for (;;) {
      const world = running.size === jobs || isOver() ? null : known.next([...running.keys()]);
      if (world !== null) running.set(world, start(world));
      else if (running.size === 0) return known.report;
      else await Promise.race(running.values());
    }
  } finally {
    await Promise.allSettled(running.values());
  }
}

/** What the runs of a storm have told. */
class Known {
  readonly #options: StormOptions;
  readonly #pairs: readonly Pair[];
  /** How much each pair is suspected before anything has run; 0: the two cannot stand together. */
  readonly #suspicions: PairTable;
  /** The same, and 0 for each pair that a world has had. */
  #unmet: PairTable;
  /** How much each pair is suspected of each test that has failed. */
  readonly #weights = new Map<string, PairTable>();
  readonly #tried = new Map<string, Tried>();
  readonly #sets: { readonly set: World; readonly test: string }[] = [];
  #halving: World = [];

  constructor(options: StormOptions) {
    const { parts } = options;
    const pairs = pairsOf([...parts.keys()]);
    this.#options = options;
    this.#suspicions = new PairTable(parts.length);
    for (const pair of pairs) this.#suspicions.set(pair, suspicionOf(pair, options));
    this.#unmet = this.#suspicions;
    this.#pairs = pairs.filter((pair) => this.#suspicions.of(pair) > 0);
  }

  get report(): GauntletReport['together'] {
    const notTried = this.#pairs.filter((pair) => this.#openness(pair) > 0).length;
    return { worlds: this.#tried.size, trials: this.#options.parts.length, pairs: this.#pairs.length, notTried };
  }

  /** Takes what a run told. Sets that are proven then are found. */
  learn(world: World, row: GauntletTrial): void {
    const names = row.tests.length === 0 ? [''] : row.tests.map(({ file, name }) => `${file} ${name}`);
    const own = { world, row, failed: isFailed(row) ? names : [], again: this.#tried.has(keyOf(world)) };
    this.#tried.set(keyOf(world), own);
    this.#unmet = this.#unmet.times(pairsOf(world), 0);
    for (const test of new Set([...this.#weights.keys(), ...own.failed])) {
      const news = this.#weights.has(test) ? [own] : [...this.#tried.values()];
      const passed = news.filter(({ failed }) => !failed.includes(test));
      this.#weights.set(test, passed.reduce(afterPassing, this.#weights.get(test) ?? this.#suspicions));
    }
    for (const [test, worlds] of this.#failures())
      for (const failed of worlds) {
        const { world: set, isSet } = this.#narrowed(failed, test);
        const proof = isSet && !this.#isExplained(failed, test) ? this.#tried.get(keyOf(set)) : undefined;
        if (proof === undefined) continue;
        if (this.#sets.every((known) => keyOf(known.set) !== keyOf(set))) this.#options.found(proof.row);
        this.#sets.push(...proof.failed.map((broken) => ({ set, test: broken })));
      }
  }

  /** The world that is to run beside those that are running. Null: none, until one of them has ended. */
  next(running: readonly World[]): World | null {
    const isFree = (world: World): boolean => running.every((other) => keyOf(other) !== keyOf(world));
    const [proofs, narrow, searches]: [World[], World[], Search[]] = [[], [], []];
    for (const search of this.#searches()) {
      const { test, world, weights, mass } = search;
      const first = search.pairs[0] ?? world;
      if (world.length < 3) proofs.push(this.#narrowed(world, test).world);
      else if (weights.sum(world) < mass / 2) narrow.push(this.#narrowed(world, test).world);
      else if (weights.sum(first) >= mass * surely) proofs.push(first);
      else searches.push(search);
    }
    const proof = proofs.find(isFree);
    if (proof !== undefined) return proof;
    if (!running.includes(this.#halving)) {
      const isNew = (world: World): boolean => world.length > 1 && !this.#tried.has(keyOf(world)) && isFree(world);
      // At last the most suspected pair runs alone.
      const worlds = [this.#halved(searches), ...searches.flatMap(({ pairs }) => pairs.slice(0, 1))];
      this.#halving = worlds.find(isNew) ?? [];
      if (this.#halving.length > 0) return this.#halving;
    }
    const narrower = narrow.find(isFree) ?? null;
    // A large set takes many runs: after each third world it has its turn.
    return (this.#tried.size % 3 === 0 ? narrower : null) ?? this.#covering(running) ?? narrower;
  }

  /**
   * The world whose run tells most about all these tests: it has half of what each is suspected of, and few pairs that
   * the world of its search has not.
   */
  #halved(searches: readonly Search[]): World {
    const valueOf = (world: World): number =>
      searches.reduce((sum, { world: failed, weights, mass }) => {
        const inside = weights.sum(world.filter((one) => failed.includes(one))) / mass;
        return sum + bits(inside) * Math.exp(2 * (inside - weights.sum(world) / mass));
      }, 0);
    const beginning = searches.flatMap(({ pairs }) => pairs.slice(0, beginnings));
    return this.#meeting.grown(Infinity, beginning, valueOf);
  }

  /** The world that has most of the pairs that are open. Null: there is none. */
  #covering(running: readonly World[]): World | null {
    const most = Math.max(2, new Set(this.#options.parts.map(({ slot }) => slot)).size * filled);
    const gains = new PairTable(this.#options.parts.length);
    for (const pair of this.#pairs) gains.set(pair, this.#openness(pair));
    const open = gains.times(running.flatMap(pairsOf), 0);
    const world = this.#meeting.grown(most, this.#pairs, (each) => open.sum(each));
    return world.length === 0 || this.#tried.has(keyOf(world)) ? null : world;
  }

  /**
   * What is suspected of each two that may meet in a world of many; 0: they cannot stand together, are a known set, or
   * have met and are like one, so that no test is hidden from others by what is known to break it.
   */
  get #meeting(): PairTable {
    const known = this.#pairs.filter((pair) => this.#unmet.of(pair) === 0 && this.#isExplained(pair));
    return this.#suspicions.times(known, 0);
  }

  /**
   * How much it is worth to try two: nothing if each test has passed with them, or they are like a known set of it;
   * less if some world had them.
   */
  #openness(pair: Pair): number {
    if (this.#unmet.of(pair) > 0) return this.#unmet.of(pair);
    const suspicion = this.#suspicions.of(pair);
    const isOpen = (test: string): boolean =>
      this.#weights.get(test)?.of(pair) === suspicion && !this.#isExplained(pair, test);
    return [...this.#weights.keys()].some(isOpen) ? suspicion / 4 : 0;
  }

  /** The worlds in which each test failed without a known set. */
  #failures(): ReadonlyMap<string, readonly World[]> {
    const failures = new Map<string, World[]>();
    for (const { world, failed } of this.#tried.values())
      for (const test of failed)
        if (!this.#isExplained(world, test)) failures.set(test, [...(failures.get(test) ?? []), world]);
    return failures;
  }

  /** For tests that failed in the same worlds: the world that leaves least to suspect. */
  #searches(): readonly Search[] {
    const groups = Map.groupBy(this.#failures(), ([, worlds]) => worlds.map(keyOf).join(' '));
    return [...groups.values()].flatMap(([first]): Search | [] => {
      const [test, worlds] = first ?? ['', []];
      const known = this.#weights.get(test) ?? this.#suspicions;
      const weights = known.times(worlds.flatMap(pairsOf), afterFailure);
      const massOf = (world: World): number => (world.length < 3 ? 0 : weights.sum(world));
      const [world = []] = worlds.toSorted((one, other) => massOf(one) - massOf(other));
      const pairs = pairsOf(world).toSorted((one, other) => weights.of(other) - weights.of(one));
      return { test, world, weights, pairs, mass: weights.sum(world) + ofLarger * this.#suspicions.sum(world) };
    });
  }

  /**
   * Narrows a world in which a test failed by halves (delta debugging), as far as the runs tell: the smallest set, or
   * the world that has to run next. A world of many runs again first: the suite may be flaky.
   */
  #narrowed(world: World, test: string): { readonly world: World; readonly isSet: boolean } {
    if (world.length > 2 && this.#tried.get(keyOf(world))?.again === false) return { world, isSet: false };
    let [kept, rest]: [World, World] = [[], world];
    for (;;) {
      const isSet = kept.length > 0 && this.#fails(kept, test);
      if (isSet !== false) return { world: kept, isSet: isSet === true };
      let [passes, fails] = [0, rest.length];
      while (fails - passes > 1) {
        const middle = Math.floor((passes + fails) / 2);
        const part = [...kept, ...rest.slice(0, middle)];
        const isFailed = this.#fails(part, test);
        if (isFailed === undefined) return { world: part, isSet: false };
        [passes, fails] = isFailed ? [passes, middle] : [middle, fails];
      }
      [kept, rest] = [[...kept, ...rest.slice(fails - 1, fails)], rest.slice(0, fails - 1)];
    }
  }

  /** Whether a test fails in a world. Undefined: it has not run. */
  #fails(world: World, test: string): boolean | undefined {
    const { parts, touched } = this.#options;
    const name = world.length === 1 ? (parts[world[0] ?? 0]?.name ?? '') : '';
    const isSurvived = touched.has(name) || touched.has(name.replace(/@.*/, ''));
    return isSurvived ? false : this.#tried.get(keyOf(world))?.failed.includes(test);
  }

  /** Whether a world has a trial of each slot of a known set of the test, or of any: it breaks for the same reason. */
  #isExplained(world: World, test?: string): boolean {
    const { parts } = this.#options;
    const isMet = (at: number): boolean => world.some((one) => parts[one]?.slot === parts[at]?.slot);
    return this.#sets.some((known) => (test === undefined || known.test === test) && known.set.every(isMet));
  }
}

/** How much pairs are suspected of a test after it has passed in a world. */
function afterPassing(weights: PairTable, { world }: Tried): PairTable {
  return weights.times(pairsOf(world), world.length === 2 ? 0 : afterPass);
}

/** How many bits a run tells that fails with this probability. */
function bits(chance: number): number {
  const [less, more] = [chance, 1 - chance];
  return less <= 0 || more <= 0 ? 0 : -less * Math.log2(less) - more * Math.log2(more);
}

function trialsOf(world: World, parts: readonly Trial[]): readonly Trial[] {
  return world.flatMap((at) => parts[at] ?? []);
}

/** The same for the same trials in any order. */
function keyOf(world: World): string {
  return world.toSorted((one, other) => one - other).join('+');
}

/**
 * How much two trials are suspected to break a test together. 0 if they cannot be in one world: of a slot there is one
 * at most, and quirks may contradict each other.
 */
function suspicionOf(pair: Pair, { parts, touched }: StormOptions): number {
  const both = trialsOf(pair, parts);
  const isOfOneSlot = new Set(both.map(({ slot }) => slot)).size === 1;
  if (isOfOneSlot || isProblem(switched(noQuirks, quirksOf(both)))) return 0;
  const callsOf = ({ name, does: { at } }: Trial) => (at === undefined ? [...(touched.get(name) ?? [])] : [at]);
  const [one = [], other = []] = both.map(callsOf);
  return one.some((word) => other.includes(word)) ? near : 1;
}
