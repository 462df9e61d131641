/* The language of settings, flags and quirks: what a text means, or what is wrong with it. */

/** A text that was read. `problem` is a text for the user: a sentence without its full stop. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** How a value is written: reads a text. */
export type TextForm<Value> = (text: string) => Parsed<Value>;

/**
 * The form of texts for which `valueOf` is not null. `expected` says in a refusal what they are: `a port from 0 to
 * 65535`.
 */
export function expecting<Value>(expected: string, valueOf: (text: string) => Value | null): TextForm<Value> {
  return (text) => {
    const value = valueOf(text);
    return value === null ? { ok: false, problem: `expected ${expected}` } : { ok: true, value };
  };
}

/** Reads one of a few words; null is another text. */
export function wordIn<const Word extends string>(words: readonly Word[]): (text: string) => Word | null {
  return (text) => words.find((word) => word === text) ?? null;
}

/** Reads a whole number in digits, both bounds included; null is another text. */
export function wholeIn(from: number, to: number): (text: string) => number | null {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= from && number <= to ? number : null;
  };
}
