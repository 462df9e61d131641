import type { Step } from './balance-course.ts';

/** What the height of a plot stands for, in minor units. */
interface Scale {
  readonly bottom: bigint;
  readonly top: bigint;
  /** Round values from bottom to top, three to six. */
  readonly ticks: readonly bigint[];
}

/** A scale around these values, in steps of 1, 2 or 5 times a power of ten. */
export function scaleOf(values: readonly bigint[]): Scale {
  const first = values[0] ?? 0n;
  const least = values.reduce((known, value) => (value < known ? value : known), first);
  const most = values.reduce((known, value) => (value > known ? value : known), first);
  const step = roundStep((most - least) / 3n);
  const bottom = floorTo(least, step);
  const above = floorTo(most, step) + step;
  // A value at the edge of the plot would be a line on its frame.
  const top = above === bottom ? bottom + step : above;
  const count = Number((top - bottom) / step);
  return { bottom, top, ticks: Array.from({ length: count + 1 }, (_, index) => bottom + BigInt(index) * step) };
}

/** The smallest of 1, 2, 5, 10, 20, 50, ... that is at least the value. */
function roundStep(value: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const found = [1n, 2n, 5n].map((digit) => digit * power).find((step) => step >= value);
    if (found !== undefined) return found;
  }
}

function floorTo(value: bigint, step: bigint): bigint {
  const rest = ((value % step) + step) % step;
  return value - rest;
}

/**
 * Reduces the steps between two moments to those of a number of stretches. Each stretch keeps its first, lowest, highest and last
 * value, so that thousands of entries stay a small page.
 */
export function reduced(steps: readonly Step[], { from, to }: { from: number; to: number }, stretches: number): Step[] {
  if (steps.length <= stretches) return [...steps];
  const width = (to - from) / stretches || 1;
  const groups = Map.groupBy(steps, ({ day }) => Math.floor((day - from) / width));
  return [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((left, right) => (left.minor < right.minor ? -1 : 1));
    const kept = new Set([group[0], ordered[0], ordered.at(-1), group.at(-1)]);
    return group.filter((step) => kept.has(step));
  });
}
