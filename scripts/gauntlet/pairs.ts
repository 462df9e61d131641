/** Trials that are in one bank, by their places among all. */
export type World = readonly number[];

export type Pair = readonly [number, number];

/** What a trial must add to the value of a world. */
const leastGain = 0.02;

/** A number for each two of some trials. */
export class PairTable {
  readonly #size: number;
  readonly #values: Float64Array;

  constructor(size: number, values = new Float64Array(size * size)) {
    this.#size = size;
    this.#values = values;
  }

  of([one, other]: Pair): number {
    return this.#values[one * this.#size + other] ?? 0;
  }

  set([one, other]: Pair, value: number): void {
    this.#values[one * this.#size + other] = value;
    this.#values[other * this.#size + one] = value;
  }

  /** A copy in which the numbers of these pairs are multiplied. */
  times(pairs: readonly Pair[], factor: number): PairTable {
    const copy = new PairTable(this.#size, this.#values.slice());
    for (const pair of pairs) copy.set(pair, copy.of(pair) * factor);
    return copy;
  }

  /** The sum of the numbers of the pairs of a world. */
  sum(world: World): number {
    let sum = 0;
    for (let at = 1; at < world.length; at += 1)
      for (let before = 0, row = (world[at] ?? 0) * this.#size; before < at; before += 1)
        sum += this.#values[row + (world[before] ?? 0)] ?? 0;
    return sum;
  }

  /**
   * A world that grows by the trial, or by the two of these pairs, that adds most to its value, until it has so many or
   * none adds anything. Two whose number is 0 do not meet.
   */
  grown(most: number, pairs: readonly Pair[], valueOf: (world: World) => number, world: World = []): World {
    const singles = Array.from({ length: this.#size }, (_, one) => [one]);
    const able = (more: World): boolean =>
      more.every((one) => world.every((other) => this.of([one, other]) > 0)) && (more.length < 2 || this.sum(more) > 0);
    const bestOf = (some: readonly World[]): World | undefined => {
      const worlds = some.filter(able).map((more) => [...world, ...more]);
      const values = worlds.map((each) => valueOf(each));
      const best = values.reduce((one, other) => Math.max(one, other), valueOf(world) + leastGain);
      return worlds[values.indexOf(best)];
    };
    // Two at once where one alone adds nothing.
    const larger = world.length < most ? (bestOf(singles) ?? bestOf(pairs)) : undefined;
    return larger === undefined ? world : this.grown(most, pairs, valueOf, larger);
  }
}

export function pairsOf(world: World): readonly Pair[] {
  return world.flatMap((one, at) => world.slice(at + 1).map((other): Pair => [one, other]));
}
