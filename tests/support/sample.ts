import { seeded } from '../lab/seeded.ts';

const { SAMPLE_SEED, SAMPLE } = process.env;
/** Of this run of the suite; a failure prints it. */
export const seed =
  SAMPLE_SEED === undefined ? Math.floor(performance.timeOrigin) % 1_000_000_000 : Number(SAMPLE_SEED);

/** Whether all of it is tried. */
export const isWhole = SAMPLE === 'all';

/** How to draw the same samples again. */
export const sameSample = `the same sample: SAMPLE_SEED=${seed} npm test -- FILE; all of it: SAMPLE=all npm test -- --testTimeout 600000 FILE`;

/**
 * One of every so many items, drawn by the seed of the run and the name; all of them under `SAMPLE=all`. Never none of a list of so many
 * items or more. For searches that are too long for each run of the suite.
 */
export function sample<T>(name: string, items: readonly T[], oneIn: number): readonly T[] {
  if (isWhole) return items;
  const random = drawnFor(name);
  let drawn = 0;
  return items.filter((_, place) => {
    if (place % oneIn === 0) drawn = place + random.below(oneIn);
    return place === drawn;
  });
}

/** One of the items, drawn as in a {@link sample}; all of them under `SAMPLE=all`. */
export function oneOf<T>(name: string, items: readonly T[]): readonly T[] {
  const place = drawnFor(name).below(items.length);
  return isWhole ? items : items.slice(place, place + 1);
}

/** So many of the items, drawn as in a {@link sample}; all of them under `SAMPLE=all`. */
export function someOf<T>(name: string, items: readonly T[], count: number): readonly T[] {
  const parts = Array.from({ length: count }, (_, part) => items.filter((__, at) => at % count === part));
  return parts.flatMap((part, at) => oneOf(`${name} ${at}`, part));
}

function drawnFor(name: string): ReturnType<typeof seeded> {
  const letters = Array.from(name, (letter) => letter.charCodeAt(0));
  return seeded(letters.reduce((sum, code) => Math.imul(sum, 31) + code, seed));
}

/**
 * How often a property is tried: a third of the usual number in each run of the suite, and ten times that number under `SAMPLE=all`. Its
 * test has no time limit of its own, so that `--testTimeout` holds.
 */
export function runs(usual: number): number {
  return isWhole ? 10 * usual : Math.ceil(usual / 3);
}
