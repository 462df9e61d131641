import { createHmac } from 'node:crypto';
import { norwegianIban, parseIban } from '../../engine/values/account-number.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { isKid } from '../../engine/payments/rules/kid.ts';
import { isIdentityNumber } from '../../api/pipeline/identity-numbers.ts';
import { faultGuide } from '../../api/faults/errors-page.ts';
import { provokedBeginning } from '../../api/pipeline/struck-call.ts';
import { throughEscapes } from './escapes.ts';
import { isCardNumber, isOrganisationNumber, isPhoneNumber, messageParts, numbersIn, partsOf } from './text-parts.ts';
import type { Keepable } from './keepable.ts';
import type { Kind } from './places.ts';

/** Eleven digits as a stand-in has them: no identity number, and `00` behind the register number, which no customer's account has. */
export function isMarked(number: string): boolean {
  return number.slice(4, 6) === '00' && !isIdentityNumber(number);
}

/** Whether digits begin as those of a stand-in do. Real ones may begin so too. */
export function isLikeStandIn(number: string): boolean {
  if (number.length === 11) return isMarked(number);
  return number.length === 8 ? /^[01]/.test(number) : /^(?:00|7[2-9])/.test(number);
}

/** The letters of stand-ins. No Norwegian word of two letters or more has these alone. */
const letters = 'qwxz';
const ofStandIn = /^[qwxzøж\u{10428}]+$/iu;

/** Whether a word is a stand-in, or too short to tell anything. */
export function isStandInWord(word: string): boolean {
  return word.length < 2 || ofStandIn.test(word);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

let ofMessages: ReadonlySet<string> | null = null;

/** Whether a word of a message is a word of docs/errors.md, and so names no person. */
export function isMessageWord(word: string): boolean {
  ofMessages ??= new Set(
    [provokedBeginning, ...Object.values(faultGuide).flatMap(({ when, remedy }) => [when, remedy])].flatMap(wordsOf),
  );
  return ofMessages.has(word.toLowerCase());
}

/** What keeps the values of a kind as they are. Accounts and identity numbers are kept wherever they stand. */
const keepables: Readonly<Partial<Record<Kind, Keepable>>> = {
  amount: 'amounts',
  ip: 'addresses',
  address: 'addresses',
  name: 'names',
  text: 'texts',
  message: 'texts',
};

/** How often a stand-in is drawn until it fits. */
const maxDraws = 4_000;

/**
 * Draws stand-ins for the values of one recording: of the same form and length, the same one for the same value, wherever it is. The key
 * is drawn with it, and stored nowhere.
 */
export class StandIns {
  readonly #keeps: ReadonlySet<Keepable>;
  readonly #key: string;
  readonly #made = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(keeps: ReadonlySet<Keepable> = new Set(), key = randomIds.uuid() + randomIds.uuid()) {
    this.#keeps = keeps;
    this.#key = key;
  }

  /** The stand-in of a value of this kind; the value itself where its kind is kept. Identity numbers inside it are a kind of their own. */
  readonly of = (kind: Kind, value: string): string => throughEscapes(value, (meant) => this.#of(kind, meant));

  #of(kind: Kind, value: string): string {
    const keptAs = keepables[kind];
    const isKept = keptAs !== undefined && this.#keeps.has(keptAs);
    switch (kind) {
      case 'id':
        return this.#id(value);
      case 'account':
        return this.#account(value);
      case 'masked':
        return value.replaceAll(/\d+/g, (digits) => this.#digits(digits));
      case 'amount':
        return isKept ? value : this.#amount(value);
      case 'ip':
        return isKept ? value : this.#ip(value);
      case 'message':
        return messageParts(value)
          .map(({ text, is }) => (is === 'day' ? text : this.#text(text, isKept, is === 'said')))
          .join('');
      case 'address':
      case 'name':
      case 'text':
      case 'token':
        return this.#text(value, isKept);
    }
  }

  #text(text: string, isKept: boolean, hasMessageWords = false): string {
    const id = this.#made.get(`id ${text}`);
    if (id !== undefined) return id;
    return partsOf(text)
      .map(({ is, text: part }) => {
        if (is === 'iban') return this.#iban(part);
        if (is === 'digits') return this.#spelled(part, isKept ? null : (own) => this.#digits(own));
        if (isKept) return part;
        if (is === 'uuid') return this.#id(part);
        if (is === 'word') return hasMessageWords && isMessageWord(part) ? part : this.#word(part);
        return is === 'figure' ? otherFigure(part) : part;
      })
      .join('');
  }

  /**
   * The numbers of digits with signs between them. `other` replaces those that have not eleven digits, and so that all digits together are no card
   * and no company; null: they are kept.
   */
  #spelled(digits: string, other: ((digits: string) => string) | null): string {
    const numbers = numbersIn(digits);
    const own = numbers.map(({ number }) =>
      number.length === 11 ? this.#number(number) : (other?.(number) ?? number),
    );
    const whole = own.join('');
    const isOfSomebody = other !== null && (isCardNumber(whole) || isOrganisationNumber(whole));
    const last = numbers.findLastIndex(({ number }) => number.length !== 11);
    return numbers
      .map(({ spelled, behind }, at) => {
        const shown = own[at] ?? '';
        // One other digit makes the check digit wrong.
        return spelledAs(spelled, isOfSomebody && at === last ? withOtherEnd(shown) : shown) + behind;
      })
      .join('');
  }

  #digits(digits: string): string {
    if (digits.length >= 5) return this.#withCountry(digits);
    return digits === '47' ? digits : anyDigits(digits, this.#draws(`digits ${digits}`));
  }

  /** A phone has one stand-in, with and without its country. */
  #withCountry(digits: string): string {
    const [, country = '', phone = digits] = /^((?:00)?47)(\d{8})$/.exec(digits) ?? [];
    return isPhoneNumber(phone) ? country + this.#number(phone) : this.#number(digits);
  }

  /**
   * Digits, perhaps with the `-` of a KID behind them. What has eleven is an account number, which keeps its register number and its last
   * digit, or an identity number, which keeps its kind and is none afterwards. A check digit stays right, or wrong.
   */
  #number(number: string, isAccount = false): string {
    const isEleven = /^\d{11}$/.test(number);
    const isPerson = isEleven && !isAccount && isIdentityNumber(number);
    if (isEleven && this.#keeps.has(isPerson ? 'identity-numbers' : 'accounts')) return number;
    const checks = (text: string): string => `${isKid(text, 'MOD10')} ${isKid(text, 'MOD11')}`;
    const wanted = checks(number);
    return this.#drawn('number', number, (draw, attempt) => {
      const own = isPerson
        ? personLike(number, draw)
        : isEleven
          ? accountLike(number, draw, attempt < maxDraws / 2)
          : numberLike(number, draw);
      // As a number of JSON it has no zero in front.
      const isLike = own.startsWith('0') === number.startsWith('0') && checks(own) === wanted;
      const isSomebody =
        isIdentityNumber(own) ||
        isCardNumber(own) ||
        isOrganisationNumber(own) ||
        isPhoneNumber(own.replace(/^(?:00)?47(?=\d{8}$)/, ''));
      return isLike && !isSomebody ? own : null;
    });
  }

  #account(value: string): string {
    const plain = value.replaceAll(/[ .]/g, '');
    if (/^[A-Z]{2}\d\d[A-Za-z\d]{6,30}$/.test(plain)) return spelledAs(value, this.#iban(plain));
    return /^\d{11}$/.test(plain)
      ? spelledAs(value, this.#number(plain, true))
      : this.#text(value, this.#keeps.has('accounts'));
  }

  /** An IBAN, perhaps with blanks: its check digits stay right, or wrong. */
  #iban(spelled: string): string {
    if (this.#keeps.has('accounts')) return spelled;
    const iban = spelled.replaceAll(' ', '');
    const isRight = typeof parseIban(iban) !== 'string';
    if (/^NO\d{13}$/.test(iban)) {
      const right = norwegianIban(this.#number(iban.slice(4), true));
      // 01 is the check number of no IBAN.
      return spelledAs(spelled, isRight ? right : `NO01${right.slice(4)}`);
    }
    const own = this.#drawn('iban', iban, (draw) => {
      // Of other countries all but the last six digits are zeros.
      const rest = Array.from(iban.slice(4), (sign, at) => {
        if (/\D/.test(sign)) return letterLike(sign, letters[draw(4)] ?? '');
        return at < iban.length - 10 ? '0' : String(draw(10));
      }).join('');
      return isRight ? withCheckDigits(iban.slice(0, 2), rest) : `${iban.slice(0, 2)}01${rest}`;
    });
    return spelledAs(spelled, own);
  }

  #id(id: string): string {
    if (/^\d{4}-\d\d-\d\d$/.test(id))
      return `0${this.#number(id.slice(1, 4)).padStart(3, '0')}${id.slice(4).replaceAll(/\d/g, '0')}`;
    if (/^\d+-?$/.test(id)) return this.#withCountry(id);
    if (/^\+\d+$/.test(id)) return `+${this.#withCountry(id.slice(1))}`;
    if (/^NO\d{13}$/.test(id) || typeof parseIban(id) !== 'string') return this.#iban(id);
    if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return this.#uuid(id);
    const [prefix = ''] = /^(?:[a-z]+!!|PSD[A-Z]{2}-[A-Z]{2,8}-)/.exec(id) ?? [];
    if (prefix === '' && (!/\d/.test(id) || /\s/.test(id) || id.length < 6)) return this.#text(id, false);
    return this.#drawn('id', id, (draw) => {
      const digits = (own: string): string => this.#spelled(own, (some) => anyDigits(some, draw));
      const rest = id
        .slice(prefix.length)
        .replaceAll(/\d(?:[\s.,/_\p{Zs}\p{Pd}\p{Cf}+]{0,3}\d)*|\p{L}|\p{N}/gu, (part) =>
          /^\d/.test(part)
            ? digits(part)
            : /\p{N}/u.test(part)
              ? otherFigure(part)
              : letterLike(part, letters[draw(4)] ?? ''),
        );
      return prefix + rest;
    });
  }

  /** Version and variant stay. */
  #uuid(id: string): string {
    const made = this.#drawn('uuid', id.toLowerCase(), (draw) =>
      Array.from(id, (sign, at) =>
        sign === '-' || at === 14 || at === 19 ? sign.toLowerCase() : draw(16).toString(16),
      ).join(''),
    );
    return /[A-F]/.test(id) ? made.toUpperCase() : made;
  }

  #word(word: string): string {
    const plain = this.#drawn('word', word.toLowerCase(), (draw) =>
      Array.from(word, () => letters[draw(4)] ?? '').join(''),
    );
    return Array.from(word, (sign, at) => letterLike(sign, plain[at] ?? 'q')).join('');
  }

  /** Sign, decimals, leading zeros and whole zeros stay; 250, 250.0 and -250.00 have one stand-in. */
  #amount(text: string): string {
    const [, sign = '', zeros = '', whole = '', decimals = ''] =
      /^([+-]?)(0*)((?:[1-9]\d*)?)(?:\.(\d+))?$/.exec(text) ?? [];
    const fraction = /^\d*[1-9]/.exec(decimals)?.[0] ?? '';
    if (whole + fraction === '') return /^[+-]?[\d.]*$/.test(text) ? text : this.#text(text, false);
    const own = this.#drawn('amount', `${whole}.${fraction}`, (draw) => {
      const any = (digits: string, isEnd: (at: number) => boolean): string =>
        Array.from(digits, (_, at) => String(isEnd(at) ? 1 + draw(9) : draw(10))).join('');
      const cents = any(fraction, (at) => at === fraction.length - 1);
      return `${any(whole, (at) => at === 0)}.${cents}`;
    });
    const [front = '', behind = ''] = own.split('.');
    return sign + zeros + front + (decimals === '' ? '' : `.${behind.padEnd(decimals.length, '0')}`);
  }

  /** An address that no host of the internet has; a loopback address stays. */
  #ip(text: string): string {
    return text.replaceAll(/[\d.]{7,15}|[\da-f:]{3,39}/gi, (address) => {
      if (/^127\.|^::1$/.test(address)) return address;
      const draw = this.#draws(`ip ${address.toLowerCase()}`);
      if (address.includes(':')) {
        const hex = address.replaceAll(/[\da-f]/gi, () => draw(16).toString(16));
        return /^[\da-f]{4}:/i.test(hex) ? `fd${hex.slice(2)}` : hex;
      }
      const octets = address.split('.').map((octet, at) => {
        const [least = 0, most = 255] = [[], [0, 9], [10, 99], [100, 255]][octet.length] ?? [];
        // Of no use (240 on), private (10) or this network (0).
        if (at === 0) return octet.length === 3 ? 240 + draw(16) : octet.length === 2 ? 10 : 0;
        return least + draw(most - least + 1);
      });
      return octets.join('.');
    });
  }

  /** Draws until the result fits (`make` returns null for one that does not), is not taken, and is another. */
  #drawn(space: string, value: string, make: (draw: Draw, attempt: number) => string | null): string {
    const key = `${space} ${value}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    // Of very short values not each can have its own.
    let last = value;
    for (let attempt = 0; attempt < maxDraws; attempt += 1) {
      const own = make(this.#draws(`${key} ${attempt}`), attempt);
      if (own === null) continue;
      last = own;
      // Words of few letters share.
      const isFree = space === 'word' || !this.#taken.has(`${space} ${own}`);
      if (isFree && own !== value) break;
    }
    this.#made.set(key, last);
    this.#taken.add(`${space} ${last}`);
    return last;
  }

  /** Numbers below a bound, derived from the key and a label. */
  #draws(label: string): Draw {
    let bytes = Buffer.alloc(0);
    let at = 0;
    let block = 0;
    return (bound) => {
      if (at + 2 > bytes.length) {
        bytes = createHmac('sha512', this.#key).update(`${block} ${label}`).digest();
        [at, block] = [0, block + 1];
      }
      at += 2;
      return bytes.readUInt16BE(at - 2) % bound;
    };
  }
}

type Draw = (bound: number) => number;

function anyDigits(digits: string, draw: Draw): string {
  return digits.replaceAll(/\d/g, () => String(draw(10)));
}

function withOtherEnd(digits: string): string {
  return digits.slice(0, -1) + String((Number(digits.at(-1)) + 1) % 10);
}

/** An identity number of the same kind: 40 is added to the day of a D-number; 40, 65 or 80 to the month of H- and synthetic numbers. */
function personLike(number: string, draw: Draw): string {
  const [day, month] = [Number(number.slice(0, 2)), Number(number.slice(2, 4))];
  const more = [80, 65, 40, 0].find((added) => month > added) ?? 0;
  const date = [(day > 40 ? 40 : 0) + 1 + draw(28), more + 1 + draw(12)];
  return `${date.map((part) => String(part).padStart(2, '0')).join('')}00${anyDigits(number.slice(6), draw)}`;
}

/** An account number with the same register number and last digit. It has no mark if other accounts have all marked numbers. */
function accountLike(number: string, draw: Draw, isMarkFree: boolean): string {
  const mark = isMarkFree ? '00' : anyDigits('00', draw);
  return number.slice(0, 4) + mark + anyDigits(number.slice(6, 10), draw) + number.slice(10);
}

/** A number that has not eleven digits. No day of birth begins like this, so no neighbour completes it to an identity number. */
function numberLike(number: string, draw: Draw): string {
  if (number.length === 8) return anyDigits(number, draw);
  return (number.startsWith('0') ? '00' : `7${2 + draw(8)}`) + anyDigits(number.slice(2), draw);
}

/** A letter in the case of another; one beyond ASCII is a letter of the same length. */
function letterLike(sign: string, letter: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const own = code < 0x80 ? letter : code < 0x100 ? 'ø' : code < 0x10000 ? 'ж' : '\u{10428}';
  return sign !== sign.toLowerCase() ? own.toUpperCase() : own;
}

/** The zero of another script. */
function otherFigure(figure: string): string {
  return figure.length === 1 ? '０' : '\u{1d7ce}';
}

/** A number with the signs that stand between the digits of another spelling. */
function spelledAs(spelled: string, plain: string): string {
  let at = 0;
  return spelled.replaceAll(/[A-Za-z\d]/g, () => plain[at++] ?? '');
}

/** ISO 7064. */
function withCheckDigits(country: string, rest: string): string {
  const digits = Array.from(`${rest}${country}00`, (sign) => Number.parseInt(sign, 36)).join('');
  return country + String(98n - (BigInt(digits) % 97n)).padStart(2, '0') + rest;
}
