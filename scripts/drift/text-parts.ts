import { formWords } from '../../engine/accounts/rules/bank-texts.ts';
import { isKid } from '../../engine/payments/rules/kid.ts';

/* How a text is taken apart: its words, its numbers, and which of these are of persons and companies. No stand-in is one of the latter. */

/** A part of a text. `other`: signs and blanks, which stay. */
interface Part {
  readonly is: 'fixed' | 'uuid' | 'iban' | 'digits' | 'word' | 'figure' | 'other';
  readonly text: string;
}

/*
 * UUIDs, IBANs, digits with up to three signs between them, words, and digits of other scripts. How a text is taken apart depends on its form alone:
 * a stand-in is taken apart as its original was.
 */
const parts =
  /(?<uuid>(?<![\dA-Fa-f])[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}(?![\dA-Fa-f]))|(?<iban>(?<!\w)(?:NO\d\d(?: ?\d){11}(?!\d)|[A-Z]{2}\d\d[A-Za-z\d]{11,30}(?!\w)))|(?<digits>\d(?:[\s.,/_\p{Zs}\p{Pd}\p{Cf}+]{0,3}\d)*)|(?<word>\p{L}+)|(?<figure>\p{N})/gu;

/** A day at the beginning of a text, perhaps behind the end of a card number: days stay. */
const dayInFront = /^(\*\d{4} )?((?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2]))(?= )/;

/** Takes a text apart. The parts put together are the text. */
export function partsOf(text: string): Part[] {
  const [front = '', card = '', day = ''] = dayInFront.exec(text) ?? [];
  const head: Part[] = day === '' ? [] : [...partsOf(card), { is: 'other', text: day }];
  const rest = text.slice(front.length);
  const found: Part[][] = [head];
  let at = 0;
  for (const { index, 0: word } of rest.matchAll(formWords)) {
    found.push(partsBetween(rest.slice(at, index)), [{ is: 'fixed', text: word }]);
    at = index + word.length;
  }
  return [...found, partsBetween(rest.slice(at))].flat();
}

/** The parts of a text without the words of a form that a habit writes. */
function partsBetween(text: string): Part[] {
  const found: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(parts)) {
    if (match.index > at) found.push({ is: 'other', text: text.slice(at, match.index) });
    const [is = 'other'] = Object.entries(match.groups ?? {}).find(([, part]) => part !== undefined) ?? [];
    found.push({ is: is as Part['is'], text: match[0] });
    at = match.index + match[0].length;
  }
  return at < text.length ? [...found, { is: 'other', text: text.slice(at) }] : found;
}

/** A number in digits with signs between them. */
interface SpelledNumber {
  readonly number: string;
  /** The number as the text has it, with the signs between its digits. */
  readonly spelled: string;
  /** The signs before the next number. */
  readonly behind: string;
}

/** The numbers in digits with signs between them. Each group is a number; neighbours with eleven digits together are one number. */
export function numbersIn(digits: string): SpelledNumber[] {
  const spelled = digits.split(/(\D+)/);
  const found: SpelledNumber[] = [];
  for (let at = 0; at < spelled.length;) {
    let to = at;
    let length = 0;
    while (length < 11 && to < spelled.length) {
      length += spelled[to]?.length ?? 0;
      to += 2;
    }
    const isOne = length === 11 && areOneWay(spelled.slice(at, to - 1));
    const own = spelled.slice(at, isOne ? to - 1 : at + 1 + groupedAfter(spelled, at));
    const number = own.filter((_, place) => place % 2 === 0).join('');
    at += own.length + 1;
    found.push({ number, spelled: own.join(''), behind: spelled[at - 1] ?? '' });
  }
  return found;
}

/** Whether single signs, or the same signs everywhere, stand between digits: others stand between two numbers. */
function areOneWay(spelled: readonly string[]): boolean {
  const between = spelled.filter((_, place) => place % 2 === 1);
  return new Set(between).size <= 1 || between.every((signs) => signs.length === 1);
}

/** How many digits the longest number in digits can have: all of them if the same signs stand between them. */
export function lengthIn(digits: string): number {
  if (areOneWay(digits.split(/(\D+)/))) return digits.replaceAll(/\D/g, '').length;
  return numbersIn(digits).reduce((longest, { number }) => Math.max(longest, number.length), 0);
}

/** How phones, companies and cards are written in groups. */
const groupings = [
  [3, 2, 3],
  [2, 2, 2, 2],
  [3, 3, 3],
  [4, 4, 4, 4],
];

/** How many further pieces belong to the number that begins here: a phone, a company or a card in groups. */
function groupedAfter(spelled: readonly string[], at: number): number {
  for (const sizes of groupings) {
    const pieces = sizes.map((_, place) => spelled[at + 2 * place] ?? '');
    const whole = pieces.join('');
    const isOne = isPhoneNumber(whole) || isOrganisationNumber(whole) || isCardNumber(whole);
    if (isOne && pieces.every((piece, place) => piece.length === sizes[place])) return 2 * (sizes.length - 1);
  }
  return 0;
}

/** Eight digits of a Norwegian phone; none begins with 0 or 1. */
export function isPhoneNumber(digits: string): boolean {
  return /^[2-9]\d{7}$/.test(digits);
}

/** Nine digits of the register of companies: their check digit is that of a KID by MOD11. */
export function isOrganisationNumber(digits: string): boolean {
  return /^[89]\d{8}$/.test(digits) && isKid(digits, 'MOD11');
}

/** Sixteen digits of a card: their check digit (ISO/IEC 7812) is that of a KID by MOD10. */
export function isCardNumber(digits: string): boolean {
  return /^[2-6]\d{15}$/.test(digits) && isKid(digits, 'MOD10');
}

/** A message in parts: what it says, what it quotes, which is of the request, and days, which stay. */
export function messageParts(text: string): { readonly is: 'said' | 'quoted' | 'day'; readonly text: string }[] {
  return text
    .split(/("[^"]*"|(?<!\d)\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?(?!\d))/)
    .map((part, at) => ({ is: at % 2 === 0 ? 'said' : part.startsWith('"') ? 'quoted' : 'day', text: part }));
}
