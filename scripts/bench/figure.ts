/** One line of the report. */
export interface Figure {
  readonly what: string;
  /** With its unit. */
  readonly figure: string;
  /** Compared with what `what` names; empty if there is no comparison. */
  readonly ratio: string;
  readonly target: string;
  readonly isMet: boolean;
}

/** A figure with a target: `by`, a ratio or the figure itself, must be within `atLeast` and `atMost`. */
export function withTarget(
  what: string,
  formatted: { readonly figure: string; readonly ratio?: string },
  target: { readonly by: number; readonly atLeast?: number; readonly atMost?: number; readonly unit?: string },
): Figure {
  const { by, atLeast, atMost, unit = '' } = target;
  const isMet = (atLeast === undefined || by >= atLeast) && (atMost === undefined || by <= atMost);
  const text = [...(atLeast === undefined ? [] : [`>= ${atLeast}`]), ...(atMost === undefined ? [] : [`<= ${atMost}`])];
  return { what, figure: formatted.figure, ratio: formatted.ratio ?? '', target: `${text.join(', ')}${unit}`, isMet };
}

/** A figure for comparison, without a target. */
export function given(what: string, figure: string, ratio = ''): Figure {
  return { what, figure, ratio, target: '', isMet: true };
}

/** The report as aligned text. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, figure, ratio, target, isMet }) => {
    return [what, figure, ratio, target, target === '' ? '' : isMet ? 'ok' : 'MISSED'];
  });
  const all = [['what', 'figure', 'ratio', 'target', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The middle of an odd number of values. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('no values');
  return middle;
}
