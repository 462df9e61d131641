import { STATUS_CODES } from 'node:http';
import { isIP } from 'node:net';
import { isBbanMod11, parseIban } from '../../engine/values/account-number.ts';
import { isIdentityNumber } from '../../api/pipeline/identity-numbers.ts';
import { ConfigError } from '../../api/start/config.ts';
import { quote } from '../../engine/values/text.ts';
import { headersIn, listOf, membersOf } from './exchange.ts';
import { withoutEscapes } from './escapes.ts';
import { type HarEntry, ownCreator, readHar } from './har.ts';
import { type Kind, rewrittenEntry } from './places.ts';
import { isLikeStandIn, isMarked, isMessageWord, isStandInWord } from './stand-ins.ts';
import {
  isCardNumber,
  isOrganisationNumber,
  isPhoneNumber,
  lengthIn,
  messageParts,
  numbersIn,
  partsOf,
} from './text-parts.ts';

/** Personal data at one place of the entries of a file. The data themselves are not in it. */
interface Found {
  /** `an identity number`, `a name`. */
  readonly what: string;
  /** `answer accounts[].ownerName`. */
  readonly place: string;
  readonly count: number;
  /** The first entry that has it, from 1. */
  readonly entry: number;
}

/** What was found where, each kind at each place once. */
class Places {
  readonly #all = new Map<string, Found>();

  note(what: string, place: string, entry: number): void {
    const key = `${what} ${place}`;
    const known = this.#all.get(key) ?? { what, place, count: 0, entry };
    this.#all.set(key, { ...known, count: known.count + 1 });
  }

  get all(): readonly Found[] {
    return [...this.#all.values()];
  }
}

const whats: Readonly<Record<Kind, string>> = {
  account: 'an account number',
  address: 'an address',
  amount: 'an amount that was kept',
  id: 'an id',
  ip: 'an IP address',
  masked: 'a card number',
  message: 'a text',
  name: 'a name',
  text: 'a text',
  token: 'a token, a signature or a certificate',
};

/**
 * Looks through a recording for personal data: for each value that a recording of ours would replace, whether it is a stand-in, and for
 * identity numbers, account numbers and addresses of mail in everything else, however they are spelled. Throws as {@link readHar}, and for a
 * file without entries.
 */
export function checkPrivacy(file: string) {
  const { creator, _kept: kept = [], entries } = readHar(file);
  if (entries.length === 0) throw new ConfigError(`${quote(file, 200)} has no entries`);
  const check = new Check(creator.name === ownCreator);
  entries.forEach((entry, at) => check.take(entry, at + 1));
  const [amounts, doubts] = [check.amounts.all, check.doubts.all];
  // The recording says that its amounts are the real ones.
  const keepsAmounts = kept.includes('amounts');
  const unjudged = keepsAmounts ? doubts : [...doubts, ...amounts.map((one) => ({ ...one, what: 'amounts' }))];
  const notJudged: Record<string, number> = {};
  for (const { what, count } of unjudged) notJudged[what] = (notJudged[what] ?? 0) + count;
  return {
    found: [...check.found.all, ...(keepsAmounts ? amounts : [])],
    /** Counts, by kind, of values that cannot be read, or cannot be told from stand-ins. */
    notJudged: notJudged as Readonly<Record<string, number>>,
    /** Where they are. Amounts alone tell of nobody, and have no place here. */
    doubts,
    entries: entries.length,
  };
}

class Check {
  readonly found = new Places();
  readonly amounts = new Places();
  readonly doubts = new Places();
  /** The place of the entry that is looked through, from 1. */
  #entry = 0;
  /** A recording of ours: what looks like a stand-in is one. */
  readonly #isOurs: boolean;

  constructor(isOurs: boolean) {
    this.#isOurs = isOurs;
  }

  /** `number`: the place of the entry, from 1. */
  take(entry: unknown, number: number): void {
    this.#entry = number;
    const { known, others } = knownOf(entry);
    if (known === null) return this.#doubt('entries that are no request with an answer', 'the entry');
    const seen = new Set<string>();
    const look = (kind: Kind, value: string, place: string): string => {
      seen.add(value);
      this.#value(kind, value, place);
      return value;
    };
    rewrittenEntry(known, look);
    for (const [kind, value, place] of besideOf(entry))
      if (typeof value === 'string' && value !== '') look(kind, value, place);
    const { postData } = known.request;
    const { content } = known.response;
    for (const what of splitIn(postData?.text ?? '')) this.#tell(what, 'request');
    for (const what of splitIn(content.text ?? '')) this.#tell(what, 'answer');
    // What stays, and what a program of others has beside it.
    for (const text of textsOf([known, others]))
      if (!seen.has(text)) for (const what of hiddenIn(text)) this.#tell(what, 'elsewhere');
    for (const body of [postData, content])
      if (membersOf(body)['encoding'] !== undefined) this.#doubt('bodies that are no text', 'a body');
  }

  #value(kind: Kind, value: string, place: string): void {
    if (kind === 'amount') {
      if (/[1-9]/.test(value)) this.amounts.note(whats.amount, place, this.#entry);
      return;
    }
    const hidden = new Set(hiddenIn(value));
    if (/birth|born/i.test(place) && /^(?:19|20)\d\d-\d\d-\d\d|^\d\d?[./]\d\d?[./](?:19|20)?\d\d$/.test(value))
      hidden.add('a date of birth');
    const phone = value.replaceAll(/\D/g, '').replace(/^(?:00)?47(?=\d{8}$)/, '');
    if (/phone|mobile|telefon/i.test(place) && isPhoneNumber(phone)) hidden.add('a phone number');
    for (const what of hidden) this.#tell(what, place);
    const account = value.replaceAll(/[ .]/g, '');
    if (kind === 'ip') {
      if (!value.split(/, */).every(isOfNobody)) this.#tell(whats.ip, place);
    } else if (hidden.size > 0) return;
    else if (kind === 'account' && isElevenAlone(account)) {
      if (!isMarked(account)) this.#tell(whats.account, place);
    } else this.#words(kind, value, place);
  }

  #words(kind: Kind, spelled: string, place: string): void {
    const value = withoutEscapes(spelled);
    const isPlain = (text: string, hasMessageWords: boolean): boolean =>
      partsOf(text).every(
        ({ is, text: part }) => is !== 'word' || isStandInWord(part) || (hasMessageWords && isMessageWord(part)),
      );
    const prefix = kind === 'id' ? (/^(?:[a-z]+!!|PSD[A-Z]{2}-[A-Z]{2,8}-)/.exec(value)?.[0] ?? '') : '';
    const isStandIn =
      kind === 'masked' ||
      (kind === 'message'
        ? messageParts(value).every(({ is, text }) => is === 'day' || isPlain(text, is === 'said'))
        : isPlain(value.slice(prefix.length), false));
    if (!isStandIn) return this.#tell(whats[kind], place);
    // Digits inside an id or a token with letters are no number.
    const isBare = (kind !== 'token' && kind !== 'id') || /^[^\p{L}]+$/u.test(value);
    const undated = readingOf(value).replaceAll(/(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)/g, '');
    const least = kind === 'message' ? 8 : 5;
    const isUnknown = (digits: string): boolean => {
      if (lengthIn(digits) < least) return false;
      const numbers = numbersIn(digits).map(({ number }) => number);
      // Short groups are one number together.
      numbers.push(numbers.filter(({ length }) => length < least).join(''));
      return !this.#isOurs || numbers.some((number) => number.length >= least && !isLikeStandIn(number));
    };
    const isDoubted = partsOf(undated).some(({ is, text }) => is === 'digits' && isUnknown(text));
    if (isDoubted && !isElevenAlone(value) && isBare) this.#doubt('numbers', place);
  }

  #tell(what: string, place: string): void {
    this.found.note(what, place, this.#entry);
  }

  #doubt(what: string, place: string): void {
    this.doubts.note(what, place, this.#entry);
  }
}

/** What programs of others write beside a request and its answer: cookies, comments, and a reason of their own. */
function besideOf(entry: unknown): (readonly [kind: Kind, value: unknown, place: string])[] {
  const { request, response, comment } = membersOf(entry);
  const { status, statusText } = membersOf(response);
  const isOwn = statusText !== STATUS_CODES[Number(status)];
  const cookiesOf = (part: unknown): unknown[] => listOf(part, 'cookies').map((cookie) => membersOf(cookie)['value']);
  return [
    ['text', isOwn ? statusText : '', 'answer statusText'],
    ['text', comment, 'comment'],
    ['text', membersOf(request)['comment'], 'request comment'],
    ['text', membersOf(response)['comment'], 'answer comment'],
    ...cookiesOf(request).map((value) => ['token', value, 'request cookie'] as const),
    ...cookiesOf(response).map((value) => ['token', value, 'answer cookie'] as const),
  ];
}

function isElevenAlone(value: string): boolean {
  return /^\d{11}$/.test(value);
}

/** An address that no host of the internet has. */
function isOfNobody(address: string): boolean {
  return isIP(address) === 0 || /^(?:0|10|127|24\d|25\d)\.|^192\.168\.|^169\.254\.|^::1$|^f[cde]/i.test(address);
}

/** Numbers of people and accounts and mail addresses in a text, however it is spelled: with escapes, in other scripts, in hexadecimal digits, in base64. */
function hiddenIn(text: string): string[] {
  const reading = readingOf(text);
  const found = new Set(plainIn(reading));
  const inBytes = (bytes: Buffer): void => {
    for (const [digits] of bytes.toString('latin1').matchAll(/(?<!\d)\d{9,16}(?!\d)/g))
      for (const what of [...ofEleven(digits), ...ofGroups(digits, '')]) found.add(what);
  };
  for (const [run] of reading.matchAll(/[\w+/-]{12,}/g))
    for (let shift = 0; shift < 4; shift += 1) inBytes(Buffer.from(run.slice(shift), 'base64'));
  return [...found];
}

/** What somebody reads in a text: without escapes and signs of no width, in usual digits. */
function readingOf(text: string): string {
  return withoutEscapes(text)
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '');
}

function plainIn(text: string): string[] {
  const found: string[] = [];
  let before = '';
  for (const { is, text: part } of partsOf(text)) {
    if (is === 'digits')
      found.push(...numbersIn(part).flatMap(({ number }) => ofEleven(number)), ...ofGroups(part, before));
    before = part;
    if (is !== 'iban' || typeof parseIban(part) === 'string') continue;
    const plain = part.replaceAll(' ', '');
    const isStandIn = plain.startsWith('NO')
      ? isMarked(plain.slice(4))
      : /^(?:0|[QWXZ])*[\dQWXZ]{6}$/i.test(plain.slice(4));
    if (!isStandIn) found.push(whats.account);
  }
  for (const [mail] of text.matchAll(/[\p{L}\d.]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63})+/gu)) {
    if (!mail.split(/[^\p{L}]+/u).every(isStandInWord)) found.push('an address of mail');
  }
  return found;
}

/** What digits with signs between them are as a whole: a card, an organisation, or a phone with its country. */
function ofGroups(digits: string, before: string): string[] {
  const plain = digits.replaceAll(/\D/g, '');
  if (plain.length === 16 && isCardNumber(plain)) return ['a card number'];
  if (plain.length === 9 && isOrganisationNumber(plain)) return ['an organisation number'];
  const [, phone = ''] = /^(?:00)?47(\d{8})$/.exec(plain) ?? [];
  return isPhoneNumber(phone) && (before.endsWith('+') || digits.startsWith('00')) ? ['a phone number'] : [];
}

/** Digits of a number that are split over neighbouring members of a JSON object. */
function splitIn(body: string): string[] {
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const parts = Object.values(value).map((one) => (/^\d{1,10}$/.test(String(one)) ? String(one) : ''));
    parts.forEach((one, at) => {
      const both = one + (parts[at + 1] ?? '');
      if (one !== '' && both.length === 11 && isIdentityNumber(both)) found.push('an identity number in two members');
    });
    for (const one of Object.values(value)) look(one);
  };
  try {
    look(JSON.parse(body));
  } catch {
    // No JSON: it has no members.
  }
  return found;
}

/** What a number of eleven digits is. */
function ofEleven(number: string): string[] {
  if (number.length !== 11) return [];
  if (isIdentityNumber(number)) return ['an identity number'];
  return isBbanMod11(number) && !isMarked(number) ? [whats.account] : [];
}

/** An entry with the members that a recording needs, and its other ones. */
function knownOf(entry: unknown): { readonly known: HarEntry | null; readonly others: unknown } {
  const { request, response, ...others } = membersOf(entry);
  const { url, method, headers, postData, ...moreOfRequest } = membersOf(request);
  const { status, headers: answered, content, ...moreOfResponse } = membersOf(response);
  if (typeof url !== 'string' || typeof method !== 'string') return { known: null, others: entry };
  const { text, ...moreOfPost } = membersOf(postData);
  const { text: answer, ...moreOfContent } = membersOf(content);
  const sent = typeof text === 'string' && { postData: { ...moreOfPost, text } };
  const received = { ...moreOfContent, ...(typeof answer === 'string' && { text: answer }) };
  const known = {
    request: { method, url, headers: headersIn(headers), ...sent },
    response: { status, headers: headersIn(answered), content: received },
  };
  return { known: known as never, others: [others, moreOfRequest, moreOfResponse, moreOfPost] };
}

/** All texts of a value, and the names of its members. */
function textsOf(value: unknown): string[] {
  const found: string[] = [];
  const open = [value];
  for (let one = open.pop(); one !== undefined || open.length > 0; one = open.pop()) {
    if (typeof one === 'string') found.push(one);
    else if (typeof one === 'object' && one !== null) {
      if (!Array.isArray(one)) found.push(...Object.keys(one));
      open.push(...Object.values(one));
    }
  }
  return found;
}
