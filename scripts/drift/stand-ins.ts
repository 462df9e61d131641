import { createHmac } from 'node:crypto';
import { randomIds } from '../../engine/bank/ids.ts';
import { isBbanMod11, norwegianIban, parseIban } from '../../engine/values/account-number.ts';
import { headerRows } from '../../api/pipeline/request-headers.ts';
import { isIdentityNumber, maskedHeaders } from '../../api/pipeline/secrets.ts';
import type { HarPair } from './har.ts';
import type { HarEntry } from './har-file.ts';

/** Members that hold names, addresses and texts of persons, and numbers of cards. */
const personal =
  /^(?:name|ultimate(?:Creditor|Debtor)|(?:account|owner|customer|creditor|debtor)Name|street|buildingNumber|city|postalCode|townName|postCode|remittanceInformationUnstructured(?:Array)?|transactionDetails|additionalInformation\w*|maskedPan)$/;
const accounts = /^(?:bban|iban|accountNumber)$/;

/** IBANs in capitals or small letters, and eleven digits that stand alone. */
const numbers = /\b(?:[A-Z]{2}\d\d[A-Z\d]{11,30}|[a-z]{2}\d\d[a-z\d]{11,30})\b|(?<![\w-])\d{11}(?![\w-])/g;
/** IBANs, words and digits. */
const parts = /\b(?:[A-Z]{2}\d\d[A-Z\d]{11,30}|[a-z]{2}\d\d[a-z\d]{11,30})\b|\p{L}+|\d+/gu;
const json = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"(?:\s*:)?|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Draws stand-ins for the personal data of one recording, as they are written: the same one for the same value. The key
 * is drawn with them, and stored nowhere.
 */
export class StandIns {
  readonly #key: string;
  readonly #made = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(key = randomIds.uuid() + randomIds.uuid()) {
    this.#key = key;
  }

  /** The entry with stand-ins in its address, its headers and its bodies. */
  rewritten(entry: HarEntry): HarEntry {
    const { request, response } = entry;
    const { postData } = request;
    return {
      ...entry,
      request: {
        ...request,
        url: this.#numbers(request.url),
        headers: this.#headers(request.headers),
        ...(postData !== undefined && { postData: { ...postData, text: this.#body(postData.text) } }),
      },
      response: {
        ...response,
        headers: this.#headers(response.headers),
        content: { ...response.content, text: this.#body(response.content.text) },
      },
    };
  }

  #headers(pairs: readonly HarPair[]): HarPair[] {
    const masked = maskedHeaders(
      pairs.map(({ name, value }) => [name, value] as const),
      (text) => text,
    );
    return masked.map(([name, value]) => ({ name, value: this.#header(name.toLowerCase(), value) }));
  }

  #header(name: string, value: string): string {
    switch (name) {
      case 'psu-ip-address':
        return ofForm(name, value, '192.0.2.1');
      case 'psu-geo-location':
        return ofForm(name, value, 'GEO:0.0,0.0');
      case 'psu-id':
      case 'psu-device-id':
        // The version and the variant of a UUID stay: they stand behind a hyphen.
        return this.#drawn(value, (digit) => value.replaceAll(/(?<!-)\d/g, () => String(digit())));
      case 'x-psu-identity':
        return /^\d{11}$/.test(value) ? this.#person(value) : this.#drawn(value, (digit) => anyDigits(value, digit));
      case 'signature':
      case 'tpp-signature-certificate':
      case 'digest':
        // They have digits by chance.
        return value;
      default:
        return this.#numbers(value);
    }
  }

  /** JSON value by value, as it is spelled; numbers of persons and accounts in any other text. */
  #body(text: string): string {
    try {
      JSON.parse(text);
    } catch {
      return this.#numbers(text);
    }
    let name = '';
    return text.replaceAll(json, (lexeme) => {
      if (!lexeme.startsWith('"')) return this.#numbers(lexeme);
      if (lexeme.endsWith(':')) {
        name = String(JSON.parse(lexeme.slice(0, -1)));
        return lexeme;
      }
      const value = String(JSON.parse(lexeme));
      const own = this.#value(name, value);
      return own === value ? lexeme : JSON.stringify(own);
    });
  }

  #value(name: string, value: string): string {
    if (accounts.test(name)) return this.#account(value);
    return personal.test(name) ? this.#text(value) : this.#numbers(value);
  }

  /** An account number or an IBAN, whether it is right or not. */
  #account(value: string): string {
    const plain = value.replaceAll(' ', '').toUpperCase();
    if (/^\d{11}$/.test(plain)) return spelledAs(value, this.#bban(plain));
    return /^[A-Z]{2}\d\d/.test(plain) ? spelledAs(value, this.#iban(plain)) : this.#text(value);
  }

  /** Words and digits of a text. */
  #text(text: string): string {
    return text.replaceAll(parts, (part) => {
      const own = this.#numbers(part);
      return own === part ? this.#word(part) : own;
    });
  }

  /** Account numbers and identity numbers of the right form, as they are written. */
  #numbers(text: string): string {
    return text.replaceAll(numbers, (number) => {
      const read = /^\D/.test(number) ? parseIban(number) : null;
      if (read !== null) return typeof read === 'string' ? number : spelledAs(number, this.#iban(read.iban));
      if (isIdentityNumber(number)) return this.#person(number);
      return isBbanMod11(number) ? this.#bban(number) : number;
    });
  }

  /** Eleven digits that are neither an identity number nor an account number. */
  #person(number: string): string {
    return this.#drawn(number, (digit) => {
      const own = `9${anyDigits(number.slice(1), digit)}`;
      return isBbanMod11(own) ? null : own;
    });
  }

  /**
   * The register number stays. The account group is `00`, which no customer's account has. The check digit stays right,
   * or wrong.
   */
  #bban(number: string): string {
    return this.#drawn(number, (digit) => {
      const own = `${number.slice(0, 4)}00${anyDigits(number.slice(6), digit)}`;
      return isBbanMod11(own) === isBbanMod11(number) && !isIdentityNumber(own) ? own : null;
    });
  }

  /** The check digits stay right, or wrong. */
  #iban(iban: string): string {
    const isRight = typeof parseIban(iban) !== 'string';
    if (/^NO\d{13}$/.test(iban)) {
      const right = norwegianIban(this.#bban(iban.slice(4)));
      // 01 is the check number of no IBAN.
      return isRight ? right : `NO01${right.slice(4)}`;
    }
    const own = this.#drawn(iban.slice(4), (digit) => anyDigits(iban.slice(4), digit));
    return isRight ? withCheckDigits(iban.slice(0, 2), own) : `${iban.slice(0, 2)}01${own}`;
  }

  /** Letters and digits of the same case and number. */
  #word(word: string): string {
    const own = this.#drawn(word.toLowerCase(), (digit) =>
      anyDigits(word, digit).replaceAll(/\p{L}/gu, () => 'qwxz'[digit() % 4] ?? ''),
    );
    return Array.from(word, (sign, at) => (sign === sign.toLowerCase() ? own[at] : own[at]?.toUpperCase())).join('');
  }

  /**
   * Draws until the result fits (`make` returns null for one that does not) and is not taken. Short values may share
   * one.
   */
  #drawn(value: string, make: (digit: () => number) => string | null): string {
    const known = this.#made.get(value);
    if (known !== undefined) return known;
    let own: string | null = null;
    for (let attempt = 0; attempt < maxDraws && (own === null || this.#taken.has(own)); attempt += 1)
      own = make(this.#digits(`${attempt} ${value}`)) ?? own;
    const drawn = own ?? value;
    this.#made.set(value, drawn);
    this.#taken.add(drawn);
    return drawn;
  }

  /** Digits that are derived from the key and a label. */
  #digits(label: string): () => number {
    // Of fixed length: a label can be long, and have many blocks.
    const seed = createHmac('sha512', this.#key).update(label).digest();
    let [bytes, at, block] = [Buffer.alloc(0), 0, 0];
    return () => {
      if (at === bytes.length) {
        bytes = createHmac('sha512', seed).update(String(block)).digest();
        [at, block] = [0, block + 1];
      }
      return (bytes[at++] ?? 0) % 10;
    };
  }
}

/** How often a stand-in is drawn until it fits. */
const maxDraws = 400;

function anyDigits(text: string, digit: () => number): string {
  return text.replaceAll(/\d/g, () => String(digit()));
}

/** A number in capitals with the blanks and the small letters of another spelling. */
function spelledAs(spelled: string, plain: string): string {
  let at = 0;
  return spelled.replaceAll(/\S/g, (sign) => {
    const own = plain[at++] ?? '';
    return sign === sign.toUpperCase() ? own : own.toLowerCase();
  });
}

/** The stand-in of a header whose form the bank checks: a wrong value stays wrong, and an empty one empty. */
function ofForm(key: string, value: string, standIn: string): string {
  const isRight = headerRows.find((row) => row.key === key)?.check(value) ?? true;
  return isRight ? standIn : value && 'wrong';
}

/** ISO 7064. */
function withCheckDigits(country: string, rest: string): string {
  const digits = Array.from(`${rest}${country}00`, (sign) => Number.parseInt(sign, 36)).join('');
  return country + String(98n - (BigInt(digits) % 97n)).padStart(2, '0') + rest;
}
