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
   * The world that grows by the trial, or by the two of these pairs, that adds most to its value, until it has so many or none adds anything. Two whose number
   * is 0 do not meet.
   */
  grown(most: number, pairs: readonly Pair[], valueOf: (world: World) => number): World {
    const singles = Array.from({ length: this.#size }, (_, one) => [one]);
    for (let world: World = []; ;) {
      const able = (more: World): boolean =>
        more.every((one, at) => [...world, ...more.slice(0, at)].every((other) => this.of([one, other]) > 0));
      let best: World = [];
      for (const some of world.length < most ? [singles, pairs] : []) {
        let value = valueOf(world) + leastGain;
        // Two at once where one alone adds nothing.
        for (const more of best.length === 0 ? some.filter(able) : []) {
          const own = valueOf([...world, ...more]);
          if (own > value) [best, value] = [more, own];
        }
      }
      if (best.length === 0) return world;
      world = [...world, ...best];
    }
  }
}

export function pairsOf(world: World): readonly Pair[] {
  return world.flatMap((one, at) => world.slice(at + 1).map((other): Pair => [one, other]));
}
