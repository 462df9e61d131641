/** One line of the report: a measured value and what it is compared with. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  /** Such as `ms`. */
  readonly unit: string;
  readonly judgement: Judgement;
}

/** One target: for the ratio to the yardstick, or without a yardstick for the value itself. */
interface Judgement {
  /** What was measured beside it in the same run, in the same unit. */
  readonly of?: readonly [what: string, value: number];
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Declares a figure: its name, what was measured, the yardstick, the target. Without a target it is only shown. */
export function figure(what: string, value: number, unit: string, judgement: Judgement = {}): Figure {
  return { what, value, unit, judgement };
}

/** Whether a figure is within its target. */
export function isMet({ value, judgement: { of, atLeast = -Infinity, atMost = Infinity } }: Figure): boolean {
  const judged = of === undefined ? value : value / of[1];
  return judged >= atLeast && judged <= atMost;
}

/** The report as aligned text. */
export function table(figures: readonly Figure[]): string {
  const all = [['what', 'figure', 'yardstick', 'ratio', 'target', ''], ...figures.map(cellsOf)];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

function cellsOf(shown: Figure): string[] {
  const { what, value, unit } = shown;
  const { of, atLeast, atMost } = shown.judgement;
  const compared = of === undefined ? ['', ''] : [`${of[0]}: ${text(of[1])}`, (value / of[1]).toFixed(2)];
  const bound = atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`;
  const isJudged = atLeast !== undefined || atMost !== undefined;
  const judged = isJudged ? [of === undefined ? `${bound} ${unit}` : bound, isMet(shown) ? 'ok' : 'MISSED'] : [];
  return [what, `${text(value)} ${unit}`, ...compared, ...judged];
}

function text(value: number): string {
  return value.toLocaleString('en', value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
}
