/** Where two signing strings begin to differ. */
export interface Difference {
  /** Counted from 1, by the line breaks (`\n`) before it. */
  readonly line: number;
  /** Character of the line, counted from 1. */
  readonly column: number;
  /** What each string has from there to the end of the line, its line break included; empty: nothing is left. */
  readonly expected: string;
  readonly received: string;
}

/** The first difference of two texts; null: they are the same. */
export function differenceOf(expected: string, received: string): Difference | null {
  if (expected === received) return null;
  let at = 0;
  while (at < expected.length && expected[at] === received[at]) at += 1;
  const before = expected.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return { line, column: at - start + 1, expected: restOfLine(expected, at), received: restOfLine(received, at) };
}

function restOfLine(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? text.length : end + 1);
}
