import { isDeepStrictEqual } from 'node:util';
import { dayIn, formWords } from '../../engine/accounts/rules/bank-texts.ts';
import { unescaped } from '../../engine/values/text.ts';
import { codeOf, type Exchange, membersOf } from './exchange.ts';

/**
 * How two answers differ, told from the recorded one: `absent` it lacks a member, `extra` it has one more; `value` a word or a switch;
 * `form` length, alphabet, decimals, date or instant; `changed`: a thing kept its value between two reads in one of the two only.
 */
export type DifferenceKind =
  | 'status'
  | 'code'
  | 'path'
  | 'header'
  | 'absent'
  | 'extra'
  | 'type'
  | 'form'
  | 'value'
  | 'order'
  | 'link'
  | 'verbs'
  | 'changed';

export interface Difference {
  readonly kind: DifferenceKind;
  /**
   * Where in the answer, without the places in lists: `accounts[].bban`. Of a header its name, of a status
   * the endpoint: `/v1/accounts/:accountId`.
   */
  readonly path: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** An answer of our own bank. */
export type Answered = Pick<Exchange, 'status' | 'answerHeaders' | 'answer'>;

/** A text that the bank made, in the recorded answer and in ours: an id, or a part of a link. */
export interface Pair {
  readonly recorded: string;
  readonly replayed: string;
  readonly path: string;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** The ids of both answers, by their places. */
  readonly pairs: readonly Pair[];
}

/** Headers that clients read. */
const readHeaders = ['content-type', 'x-request-id', 'retry-after', 'location'];

/** Members whose values are words of the interface, codes or settings: they are compared. */
export const words =
  /^(?:transactionStatus|scaStatus|category|balanceType|currency|(?:source|target|unit)Currency|cashAccountType|frequency|executionRule|purposeCode|(?:proprietaryB|b)ankTransactionCode|referenceType|referenceIssuer|country|status|type|customerType|roles|bookingStatus)$/;
export const ids = /(?:^id|Id|Ids)$/;
const dates = /(?:^date|Date|DateTime|^dateFrom|^dateTo|^start|^end|expiry)$/;
export const sums = /^amount$|Amount$|Limit$|Line$/;
/** Days that follow from the bank's calendar. */
const ofBooking = /booked\[\]\.(?:booking|value)Date$/;
/** Habits change the form of these texts. */
const told = /^(?:remittanceInformation\w*|transactionDetails|reference)$/;
/** Amounts of one movement, whose sign tells a debit. */
const movement = /(?:transactionAmount|originalAmount)\.amount$/;

/** Compares the answers to one request. `keeps`: the kinds of values that the recording did not replace. */
export function compareAnswers(
  recorded: Answered & Pick<Exchange, 'endpoint'>,
  replayed: Answered,
  keeps: ReadonlySet<string> = new Set(),
): Comparison {
  const differences: Difference[] = [];
  if (recorded.status !== replayed.status) {
    differences.push({
      kind: 'status',
      path: `/v1${recorded.endpoint ?? ''}`,
      recorded: recorded.status,
      replayed: replayed.status,
    });
    const [code, ours] = [codeOf(recorded.answer), codeOf(replayed.answer)];
    if (code !== ours && code !== '' && ours !== '')
      differences.push({ kind: 'code', path: 'tppMessages[].code', recorded: code, replayed: ours });
    // A refusal has nothing in common with another answer.
    if (recorded.status >= 300 || replayed.status >= 300) return { differences, pairs: [] };
  }
  differences.push(...headersOf(recorded, replayed));
  const walk = new Walk(differences, keeps);
  if (recorded.answer !== undefined || replayed.answer !== undefined)
    walk.compare(recorded.answer, replayed.answer, '', '');
  return { differences, pairs: walk.pairs };
}

function headersOf(recorded: Answered, replayed: Answered): Difference[] {
  return readHeaders.flatMap((name): Difference[] => {
    const [theirs, ours] = [recorded, replayed].map(({ answerHeaders }) => answerHeaders.get(name));
    const isSame =
      name === 'content-type' ? plainType(theirs) === plainType(ours) : (theirs === undefined) === (ours === undefined);
    return isSame ? [] : [{ kind: 'header', path: name, recorded: theirs ?? null, replayed: ours ?? null }];
  });
}

function plainType(type: string | undefined): string | undefined {
  return type?.toLowerCase().replaceAll(/[\s"]/g, '');
}

class Walk {
  readonly pairs: Pair[] = [];
  readonly #differences: Difference[];
  readonly #keeps: ReadonlySet<string>;

  constructor(differences: Difference[], keeps: ReadonlySet<string>) {
    this.#differences = differences;
    this.#keeps = keeps;
  }

  compare(recorded: unknown, replayed: unknown, path: string, name: string): void {
    const [theirs, ours] = [typeOf(recorded), typeOf(replayed)];
    if (theirs !== ours) return this.#tell('type', path, recorded, replayed);
    if (theirs === 'list') this.#lists(recorded as unknown[], replayed as unknown[], path, name);
    else if (theirs === 'object') this.#objects(recorded as object, replayed as object, path);
    else if (theirs === 'text') this.#texts(String(recorded), String(replayed), path, name);
    else if (theirs === 'number') this.#numbers(Number(recorded), Number(replayed), path, name);
    else if (recorded !== replayed) this.#tell('value', path, recorded, replayed);
  }

  #objects(recorded: object, replayed: object, path: string): void {
    const [theirs, ours] = [membersOf(recorded), membersOf(replayed)];
    const isLinks = path.endsWith('_links');
    for (const [name, value] of Object.entries(theirs)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (Object.hasOwn(ours, name)) this.compare(value, ours[name], at, name);
      else this.#tell(isLinks ? 'link' : 'extra', at, value, null);
    }
    for (const [name, value] of Object.entries(ours)) {
      if (Object.hasOwn(theirs, name)) continue;
      this.#tell(isLinks ? 'link' : 'absent', path === '' ? name : `${path}.${name}`, null, value);
    }
  }

  #lists(recorded: readonly unknown[], replayed: readonly unknown[], path: string, name: string): void {
    if (name === 'verbs') {
      if (!isDeepStrictEqual(recorded.toSorted(), replayed.toSorted())) this.#tell('verbs', path, recorded, replayed);
      return;
    }
    const item = `${path}[]`;
    const aligned = alignedTo(recorded, replayed);
    if (aligned !== null) this.#tell('order', item, recorded, replayed);
    const ours = aligned ?? replayed;
    const shared = Math.min(recorded.length, ours.length);
    for (let at = 0; at < shared; at += 1) this.compare(recorded[at], ours[at], item, name);
    for (const value of recorded.slice(shared)) this.#tell('extra', item, value, null);
    for (const value of ours.slice(shared)) this.#tell('absent', item, null, value);
  }

  #texts(recorded: string, replayed: string, path: string, name: string): void {
    const tell = (kind: DifferenceKind, formOf: (text: string) => string = exactly): boolean => {
      const isSame = formOf(recorded) === formOf(replayed);
      if (!isSame) this.#tell(kind, path, recorded, replayed);
      return !isSame;
    };
    if (name === 'href') this.#links(recorded, replayed, path);
    else if (name === 'code' || name === 'path') tell(name);
    else if (words.test(name)) tell('value');
    else if (ids.test(name)) {
      this.pairs.push({ recorded, replayed, path });
      tell('form', idForm);
    } else if (dates.test(name)) {
      if (!tell('form', digitForm) && ofBooking.test(path)) tell('value');
    } else if (sums.test(name) && isDecimal(recorded) && isDecimal(replayed)) {
      const form = this.#keeps.has('amounts') ? exactly : movement.test(path) ? signAndDecimals : decimals;
      tell(decimals(recorded) === decimals(replayed) ? 'value' : 'form', form);
    } else if (told.test(name)) tell('form', textForm);
    else if (name === 'name' || name === 'bban' || name === 'iban') tell('form', (text) => String(text.length));
    else tell('form', (text) => `${text.trim() === ''} ${isDecimal(text)}`);
  }

  #numbers(recorded: number, replayed: number, path: string, name: string): void {
    const isKept = this.#keeps.has('amounts') && sums.test(name);
    if (isKept ? recorded !== replayed : Number.isInteger(recorded) !== Number.isInteger(replayed) && !sums.test(name))
      this.#tell('value', path, recorded, replayed);
  }

  /** Both are absolute or a path; a path has the same words, ids of one form, and the same parameters. */
  #links(recorded: string, replayed: string, path: string): void {
    const [theirs, ours] = [partsOf(recorded), partsOf(replayed)];
    const isOfBank = path.endsWith('scaRedirect.href');
    if (theirs.isAbsolute !== ours.isAbsolute) return this.#tell('link', path, recorded, replayed);
    if (isOfBank) {
      this.pairs.push({ recorded, replayed, path });
      return;
    }
    if (theirs.segments.length !== ours.segments.length) return this.#tell('link', path, recorded, replayed);
    let isSame = isDeepStrictEqual(theirs.query.map(nameOf), ours.query.map(nameOf));
    theirs.segments.forEach((segment, at) => {
      const own = ours.segments[at] ?? '';
      if (segment === own && isWord(segment)) return;
      if (isWord(segment) || isWord(own)) isSame = false;
      else {
        this.pairs.push({ recorded: segment, replayed: own, path });
        isSame &&= idForm(segment) === idForm(own);
      }
    });
    if (!isSame) return this.#tell('link', path, recorded, replayed);
    theirs.query.forEach(([name, value], at) => {
      const own = ours.query[at]?.[1] ?? '';
      if (name === 'cursor') this.pairs.push({ recorded: value, replayed: own, path: '' });
      else if (value !== own) this.#tell('link', path, recorded, replayed);
    });
  }

  #tell(kind: DifferenceKind, path: string, recorded: unknown, replayed: unknown): void {
    this.#differences.push({ kind, path, recorded, replayed });
  }
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** Members that tell items of a list apart, and that both answers have alike. */
const telling = [
  'bban',
  'iban',
  'maskedPan',
  'bookingDate',
  'valueDate',
  'transactionDate',
  'customerNumber',
  'balanceType',
];

/** The items of ours in the order of the recorded ones, if both lists have the same ones in another order; null: they have not. */
function alignedTo(recorded: readonly unknown[], replayed: readonly unknown[]): readonly unknown[] | null {
  if (recorded.length !== replayed.length || recorded.length < 2) return null;
  for (const keyOf of [keyWithSum, keyWithout]) {
    const [theirs, ours] = [recorded.map(keyOf), replayed.map(keyOf)];
    if (theirs.includes('') || isDeepStrictEqual(theirs, ours)) return null;
    if (!isDeepStrictEqual(theirs.toSorted(), ours.toSorted())) continue;
    const left = replayed.map((item, at) => [ours[at], item] as const);
    return theirs.map(
      (key) =>
        left.splice(
          left.findIndex(([own]) => own === key),
          1,
        )[0]?.[1],
    );
  }
  return null;
}

/** Empty: the item has nothing that tells it apart. */
function keyWithSum(item: unknown): string {
  const { transactionAmount, amount } = membersOf(item);
  const sum = transactionAmount ?? amount;
  const key = keyWithout(item);
  return sum === undefined ? key : `${key} ${JSON.stringify(sum)}`;
}

function keyWithout(item: unknown): string {
  if (typeof item === 'string') return item;
  const members = membersOf(item);
  return telling.flatMap((name) => (typeof members[name] === 'string' ? [`${name}=${members[name]}`] : [])).join(' ');
}

function exactly(text: string): string {
  return text;
}

function decimals(text: string): string {
  return String(text.split('.')[1]?.length ?? 0);
}

function signAndDecimals(text: string): string {
  return (text.startsWith('-') ? '-' : '+') + decimals(text);
}

function isDecimal(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

function digitForm(text: string): string {
  return text.replaceAll(/\d/g, '9');
}

/** Length and alphabet. Letters, digits, `-` and `_` are one alphabet: a short id may have no `-`. */
function idForm(text: string): string {
  const decoded = unescaped(text);
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(decoded)) return 'uuid';
  const others = [...new Set(decoded.replaceAll(/[\w-]/g, ''))].sort().join('');
  const beginning = /^[a-z]+!!/.exec(decoded)?.[0] ?? '';
  const alphabet = /^\d*$/.test(decoded) ? 'digits' : `letters${others}`;
  return [beginning, decoded.length, alphabet, decoded.endsWith('=') ? 'padded' : ''].join(' ');
}

/** The form of a text. Habits change it and stand-ins keep it: a day in front, capitals, columns, the words of a form. */
function textForm(text: string): string {
  const form = [
    /^\*\d{4} /.test(text) && 'card',
    dayIn(text) !== null && 'day',
    /\p{L}/u.test(text) && !/\p{Ll}/u.test(text) && 'capitals',
    /\S {2}/.test(text) && 'columns',
    ...(text.match(formWords) ?? []),
    text.trim() === '' && 'empty',
  ];
  return form.filter((part) => part !== false).join(' ');
}

interface Parts {
  readonly isAbsolute: boolean;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

function partsOf(href: string): Parts {
  const isAbsolute = /^[a-z][\w+.-]*:/i.test(href);
  const [path = '', search = ''] = href.split('?');
  const query = [...new URLSearchParams(search)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { isAbsolute, segments: path.split('/').map(unescaped), query };
}

function nameOf([name]: readonly [string, string]): string {
  return name;
}

/** A word of a path, as `norwegian-domestic-credit-transfers`; not an id. */
function isWord(segment: string): boolean {
  return /^(?:[a-z]+(?:-[a-z]+)*|v1|)$/.test(segment);
}
