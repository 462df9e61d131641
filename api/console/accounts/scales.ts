import { civilDayOf, epochDayOf, formatMonth, fromEpochDay } from '../../../engine/values/local-date.ts';
import { dateText } from '../parts/times.ts';
import type { Step } from './balance-course.ts';

/**
 * What the height of a plot stands for: a scale around these values, in minor units, in steps of 1, 2 or 5 times a power of ten. `ticks`: two to
 * six round values from bottom to top.
 */
export function scaleOf(given: readonly bigint[]) {
  // A level line stands above zero.
  const values = new Set(given).size === 1 ? [...given, 0n] : given;
  const sorted = values.toSorted((one, other) => (one < other ? -1 : 1));
  const [least, most] = [sorted[0] ?? 0n, sorted.at(-1) ?? 0n];
  const step = roundStep((most - least) / 4n);
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

/** Maximum number of labels below the plot. */
const maxLabels = 14;
/** Months between labels. */
const monthSteps = [1, 3, 6, 12, 24, 60, 120, 600, 6000] as const;

/**
 * The labels below the plot of a period: Mondays of two months, the first days of months of a year, or fewer. `year` stands below a label;
 * `isSpare`: there is no room for it on a narrow screen.
 */
export function dateLabelsOf(from: number, to: number) {
  if (to - from <= 7 * 9) {
    // Day 4 since 1970 is a Monday.
    const monday = Math.ceil((from - 4) / 7) * 7 + 4;
    return Array.from({ length: Math.max(0, Math.ceil((to - monday) / 7)) }, (_, index) => {
      const [, number = '', month = ''] = dateText(fromEpochDay(monday + index * 7)).split(' ');
      return { day: monday + index * 7, text: `${number} ${month}`, year: '', isSpare: index % 2 === 1 };
    });
  }
  const step = monthSteps.find((months) => to - from < months * 30 * maxLabels) ?? 6000;
  const { year: firstYear, month: firstMonth, day: firstDay } = civilDayOf(Math.floor(from));
  const first = Math.ceil((firstYear * 12 + firstMonth - (firstDay === 1 ? 1 : 0)) / step);
  const all = Array.from({ length: maxLabels + 2 }, (_, index) => (first + index) * step);
  return all.flatMap((months, index) => {
    const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
    const day = year > 9999 ? Infinity : epochDayOf({ year, month, day: 1 });
    if (day >= to) return [];
    const isYear = step % 12 === 0;
    return {
      day,
      text: isYear ? String(year) : formatMonth(month).slice(0, 3),
      year: !isYear && (month === 1 || index === 0) ? String(year) : '',
      isSpare: (months / step) % 3 !== 0,
    };
  });
}
