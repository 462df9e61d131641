/**
 * Eleven digits, perhaps with one sign after the birth date. Digits of a serial number (`SN=...`) do not count, nor do those at the end of
 * a UUID: one of 23,500 has an identity number there by chance.
 */
const elevenDigits =
  /(?<!\d)(?<!SN=[0-9A-F]{0,40})(?<![\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-(?=[\da-fA-F]{12}(?![\da-fA-F]))[\da-fA-F]?)(\d{6})[ \u00a0.+-]?(\d{5})(?!\d)/g;
const accountMember = /"bban"\s*:\s*"$/;

/**
 * Masks national identity numbers, D-, H- and synthetic numbers with asterisks of the same length. An identity number is eleven digits
 * that begin with a birth date and have the right check digits, anywhere in the text, also escaped (`%31`, `\u0031`). Each number of
 * `known` is masked whatever its digits are. An account number in a member `bban` is masked only if it is a person's or `known`.
 */
export function withoutIdentityNumbers(text: string, known: readonly string[] = []): string {
  if (!mayHaveNumber(text)) return text;
  const plain = maskIn(text, asItIs(text), known);
  return hasEscapes(text) ? maskIn(plain, decoded(plain), known) : plain;
}

/** Minimum number of digits in a row in a masked text. */
const minDigits = 6;

/** Whether a text may hold an identity number. False for most paths: they have too few digits in a row, and no escapes. */
export function mayHaveNumber(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // 0 to 9; the percent sign, the backslash and NUL begin escapes.
    if (code >= 48 && code <= 57) digits += 1;
    else if (code === 37 || code === 92 || code === 0) return true;
    else digits = 0;
    if (digits === minDigits) return true;
  }
  return false;
}

/** Numbers of eleven digits in the places that name a customer. */
export function namedCustomers(text: string): string[] {
  const { text: meant } = decoded(text);
  return [
    ...meant.matchAll(
      /(?:"(?:customerNumber|customer|owner|psu)"\s*:\s*"?|\/customers\/|[?&]customerNumber=)(\d{11})(?!\d)/g,
    ),
  ].map(([, number = '']) => number);
}

function maskIn(text: string, meant: Decoded, known: readonly string[]): string {
  const spans: Span[] = [];
  for (const { 0: found, 1: birth = '', 2: rest = '', index } of meant.text.matchAll(elevenDigits)) {
    const isAccount = accountMember.test(meant.text.slice(Math.max(0, index - 20), index));
    if (known.includes(birth + rest) || isIdentityNumber(birth + rest, isAccount))
      spans.push([index, index + found.length]);
  }
  for (const number of known) {
    for (let at = meant.text.indexOf(number); at >= 0; at = meant.text.indexOf(number, at + number.length))
      spans.push([at, at + number.length]);
  }
  return covered(text, spansIn(meant, spans), (length) => '*'.repeat(length));
}

const firstWeights = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1];
const secondWeights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/**
 * Whether eleven digits are an identity number: a day, a month and both check digits. A D-number adds 40 to the day; H- and synthetic
 * numbers add 40, 65 or 80 to the month. From 2032 on, the first check digit may leave a rest of 0 to 3. `strictly` takes only numbers
 * of today without an addition to the month, because an account number has one of the two check digits too.
 */
export function isIdentityNumber(digits: string, strictly = false): boolean {
  const day = Number(digits.slice(0, 2)) % 40;
  const wholeMonth = Number(digits.slice(2, 4));
  const month = [80, 65, 40, 0].map((more) => wholeMonth - more).find((left) => left > 0) ?? 0;
  if (Number(digits.slice(0, 2)) > 71 || day < 1 || day > 31 || month < 1 || month > 12) return false;
  if (strictly && wholeMonth !== month) return false;
  const sum = (weights: readonly number[]): number =>
    weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0) % 11;
  return sum(firstWeights) <= (strictly ? 0 : 3) && sum(secondWeights) === 0;
}

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
function hasEscapes(text: string): boolean {
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

/** Replaces each match of `pattern` by its meaning, at most one character. The places still refer to the original. */
export function replaced(of: Decoded, pattern: RegExp, meaning: (found: string) => string): Decoded {
  if (of.text.search(pattern) < 0) return of;
  let places: Places | null = null;
  return {
    text: of.text.replace(pattern, meaning),
    // Computed on request: most texts need no places.
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
