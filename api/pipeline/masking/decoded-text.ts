/** A text after its escapes were replaced by their characters. */
export interface Decoded {
  readonly text: string;
  /** Where each character stands in the original text. */
  readonly places: Places;
}

/** Where each character begins and ends in the original; empty: at its own index. */
interface Places {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** From one place to another, both in the original text. */
export type Span = readonly [from: number, to: number];

const escapes = /%[0-9a-f]{2}|\\(?:u[0-9a-f]{4}|["\\/bfnrt])|\0/gi;
const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Whether {@link decoded} changes this text. */
export function hasEscapes(text: string): boolean {
  return text.search(escapes) >= 0;
}

/** A text whose escapes are not read. */
export function asItIs(text: string): Decoded {
  return { text, places: { starts: [], ends: [] } };
}

/** Replaces percent and JSON escapes by their characters, once. Skips NUL bytes, which UTF-16 has. */
export function decoded(text: string): Decoded {
  return replaced(asItIs(text), escapes, meaningOf);
}

/** Replaces each match of `pattern` by the one character, or none, that it means. The places still refer to the original. */
export function replaced(of: Decoded, pattern: RegExp, meaning: (found: string) => string): Decoded {
  if (of.text.search(pattern) < 0) return of;
  let places: Places | null = null;
  return {
    text: of.text.replace(pattern, meaning),
    // Made on request: in most texts nobody asks for a place.
    get places() {
      return (places ??= placesOf(of, pattern, meaning));
    },
  };
}

function placesOf(of: Decoded, pattern: RegExp, meaning: (found: string) => string): Places {
  const { starts: before, ends: behind } = of.places;
  const [starts, ends]: [number[], number[]] = [[], []];
  const take = (from: number, to: number): void => {
    starts.push(before[from] ?? from);
    ends.push(behind[to - 1] ?? to);
  };
  let at = 0;
  for (const { 0: found, index } of of.text.matchAll(pattern)) {
    for (; at < index; at += 1) take(at, at + 1);
    at = index + found.length;
    if (meaning(found) !== '') take(index, at);
  }
  for (; at < of.text.length; at += 1) take(at, at + 1);
  return { starts, ends };
}

/** Reads the escapes of a decoded text once more. Returns the same value if the text has none. */
export function decodedAgain(of: Decoded): Decoded {
  return replaced(of, escapes, meaningOf);
}

/** The spans of a decoded text as those of its original. */
export function spansIn(of: Decoded, spans: readonly Span[]): readonly Span[] {
  if (spans.length === 0) return spans;
  const { starts, ends } = of.places;
  return spans.map(([from, to]) => [starts[from] ?? from, ends[to - 1] ?? to]);
}

/** The text with `cover` in place of each span; spans that overlap are one. */
export function covered(text: string, spans: readonly Span[], cover: (length: number) => string): string {
  let left = '';
  let at = 0;
  let open: [from: number, to: number] | null = null;
  const close = (): void => {
    if (open === null) return;
    left += text.slice(at, open[0]) + cover(open[1] - open[0]);
    at = open[1];
  };
  for (const [from, to] of [...spans].sort(([one], [other]) => one - other)) {
    if (open !== null && from <= open[1]) open[1] = Math.max(open[1], to);
    else {
      close();
      open = [from, to];
    }
  }
  close();
  return left + text.slice(at);
}

/** One character, or none. */
function meaningOf(found: string): string {
  if (found === '\0') return '';
  if (found.startsWith('%')) return String.fromCharCode(parseInt(found.slice(1), 16));
  const sign = found.slice(1, 2);
  if (sign === 'u' && found.length > 2) return String.fromCharCode(parseInt(found.slice(2), 16));
  return short[sign] ?? sign;
}
