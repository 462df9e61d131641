/** Every n days, every n months, or in the listed months of execution (rules.md R5). */
export type Interval =
  | { readonly unit: 'day'; readonly every: number }
  | { readonly unit: 'month'; readonly every: number }
  | { readonly unit: 'listed-month' };

const intervals = {
  Daily: { unit: 'day', every: 1 },
  Weekly: { unit: 'day', every: 7 },
  EveryTwoWeeks: { unit: 'day', every: 14 },
  Monthly: { unit: 'month', every: 1 },
  EveryTwoMonths: { unit: 'month', every: 2 },
  Quarterly: { unit: 'month', every: 3 },
  SemiAnnual: { unit: 'month', every: 6 },
  Annual: { unit: 'month', every: 12 },
  MonthlyVariable: { unit: 'listed-month' },
} as const satisfies Readonly<Record<string, Interval>>;

export type Frequency = keyof typeof intervals;

/** Allowed values of `frequency` (interface: periodic payment). */
export const frequencies = Object.keys(intervals) as readonly Frequency[];

/** Interval between two nominal dates. Only month-based frequencies use dayOfExecution (rules.md R3). */
export function intervalOf(frequency: Frequency): Interval {
  return intervals[frequency];
}
