/** A text with its escapes read. */
interface Meant {
  readonly text: string;
  /** Where each character stands in the original text, and at the end the original's length; empty: the text is the original. */
  readonly starts: readonly number[];
}

/** Eleven digits, perhaps with one sign between birth date and the rest; not a part of a serial number, `SN=...`. */
const elevenDigits = /(?<!\d)(?<!SN=[0-9A-F]{0,40})(\d{6})[ \u00a0.+-]?(\d{5})(?!\d)/g;
const escape = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\0/gi;
const accountMember = /"bban"\s*:\s*"$/;

/**
 * Masks national identity numbers, D-, H- and synthetic ones, with asterisks of the same length: eleven digits that are a birth
 * date and have its check digits, wherever they stand, with `%31` or `\u0031` for digits too; and each of `known`, whatever
 * its digits. An account number in a member `bban` is masked only if it is that of a person or `known`.
 */
export function withoutIdentityNumbers(text: string, known: readonly string[] = []): string {
  if (!mayHaveNumber(text)) return text;
  const plain = maskIn(text, { text, starts: [] }, known);
  return text.search(escape) < 0 ? plain : maskIn(plain, decoded(plain), known);
}

/** Fewest digits of what is masked. */
const fewestDigits = 6;

/** False: the text has too few digits and no escapes, as most paths. */
export function mayHaveNumber(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // 0 to 9; the percent sign, the backslash and NUL begin escapes.
    if (code >= 48 && code <= 57) digits += 1;
    else if (code === 37 || code === 92 || code === 0) return true;
    if (digits === fewestDigits) return true;
  }
  return false;
}

/** National identity numbers and others of eleven digits that stand where a customer is named. */
export function namedCustomers(text: string): string[] {
  const { text: meant } = decoded(text);
  return [
    ...meant.matchAll(
      /(?:"(?:customerNumber|customer|owner|psu)"\s*:\s*"?|\/customers\/|[?&]customerNumber=)(\d{11})(?!\d)/g,
    ),
  ].map(([, number = '']) => number);
}

function maskIn(text: string, { text: meant, starts }: Meant, known: readonly string[]): string {
  const spans: (readonly [from: number, to: number])[] = [];
  for (const { 0: found, 1: birth = '', 2: rest = '', index } of meant.matchAll(elevenDigits)) {
    const isAccount = accountMember.test(meant.slice(Math.max(0, index - 20), index));
    if (known.includes(birth + rest) || isIdentityNumber(birth + rest, isAccount))
      spans.push([index, index + found.length]);
  }
  for (const number of known) {
    for (let at = meant.indexOf(number); at >= 0; at = meant.indexOf(number, at + number.length))
      spans.push([at, at + number.length]);
  }
  let masked = '';
  let at = 0;
  for (const [first, last] of spans.sort(([one], [other]) => one - other)) {
    const [from, to] = [Math.max(at, starts[first] ?? first), starts[last] ?? last];
    if (to <= at) continue;
    masked += text.slice(at, from) + '*'.repeat(to - from);
    at = to;
  }
  return masked + text.slice(at);
}

/** Reads percent and JSON escapes as the characters that they mean; NUL bytes, as of UTF-16, are skipped. */
function decoded(text: string): Meant {
  if (text.search(escape) < 0) return { text, starts: [] };
  const starts: number[] = [];
  let meant = '';
  let at = 0;
  const take = (until: number): void => {
    meant += text.slice(at, until);
    for (; at < until; at += 1) starts.push(at);
  };
  for (const { 0: found, index } of text.matchAll(escape)) {
    take(index);
    at = index + found.length;
    if (found === '\0') continue;
    meant += String.fromCharCode(parseInt(found.slice(found.startsWith('%') ? 1 : 2), 16));
    starts.push(index);
  }
  take(text.length);
  starts.push(text.length);
  return { text: meant, starts };
}

const firstWeights = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1];
const secondWeights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/**
 * Whether eleven digits are an identity number: a day and a month (40 more on the day: D-number; 40, 65 or 80 more on the month:
 * H- and synthetic numbers), and both check digits. From 2032 on the first one may leave a rest of 0 to 3. `strictly`: only
 * numbers of today without additions to the month, since an account number has one of the two check digits too.
 */
function isIdentityNumber(digits: string, strictly: boolean): boolean {
  const day = Number(digits.slice(0, 2)) % 40;
  const wholeMonth = Number(digits.slice(2, 4));
  const month = [80, 65, 40, 0].map((more) => wholeMonth - more).find((left) => left > 0) ?? 0;
  if (Number(digits.slice(0, 2)) > 71 || day < 1 || day > 31 || month < 1 || month > 12) return false;
  if (strictly && wholeMonth !== month) return false;
  const sum = (weights: readonly number[]): number =>
    weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0) % 11;
  return sum(firstWeights) <= (strictly ? 0 : 3) && sum(secondWeights) === 0;
}
