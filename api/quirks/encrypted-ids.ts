import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv, hkdfSync } from 'node:crypto';
import { transactionIdOf, transactionNumberIn } from '../../engine/accounts/rules/transaction-list.ts';
import { type BankContext, wireKey } from '../../engine/bank/bank-context.ts';
import { idLengths, type Quirks } from '../../engine/bank/rules/quirk.ts';

/** Kinds of ids: `resource` is an account, a card account or a signing basket. */
export type IdKind = keyof typeof idLengths;

/** An id that was read back: the ledger's, and of a transaction the number of the period in which it was shown. */
interface ReadId {
  readonly id: string;
  readonly period: number;
}

/** How ids of one kind are written. Blocks do not depend on each other, so one cipher serves any number of ids. */
interface IdCipher {
  readonly cipher: Cipheriv;
  readonly decipher: Decipheriv;
  /** The bytes that all ids begin with. */
  readonly filler: Buffer;
  /** Number of letters between `enc!!` and `end`. */
  readonly letters: number;
  readonly end: '' | '=';
}

const prefix = 'enc!!';
const resourceForm = /^enc!!([\w-]{42})==$/;
/** Bytes of a period, and of a transaction number. */
const numberBytes = 6;
/**
 * Bytes of a sealed text: whole blocks of the cipher, which hold a period, a number and zeros, or the 31 bytes of an id
 * and a zero.
 */
const sealedBytes = { transaction: 16, payment: 32, resource: 32 } as const satisfies Record<IdKind, number>;

/** Maximum number of bytes in an id. */
const maxBytes = 384;

/**
 * The ids of a bank on the wire (rules.md Q3): `enc!!`, letters of A-Z, a-z, 0-9, - and _, and `=` unless unpadded.
 * What is encrypted is the ledger's id; it comes last, so that ids of which a client keeps the beginning only are alike
 * (register 4). A text of another form, or with a changed letter, is no id, or one that the ledger does not have.
 */
export class WireIds {
  /**
   * Length in ms of bank time of a period of the ids of account transactions, or each session is one. Null if there is
   * only one.
   */
  readonly every: number | 'session' | null;
  readonly #key: Buffer;
  readonly #lengths: Partial<Record<IdKind, number>>;
  readonly #isPadded: boolean;
  readonly #ciphers = new Map<IdKind, IdCipher>();

  /** `key`: 64 hexadecimal digits. */
  constructor(key: string, quirks: Quirks) {
    const { isPadded = true, ...lengths } = quirks.get('id-lengths') ?? {};
    this.every = quirks.get('reissued-ids') ?? null;
    this.#key = Buffer.from(key, 'hex');
    this.#isPadded = isPadded;
    this.#lengths = isPadded ? lengths : { ...idLengths, ...lengths };
  }

  /**
   * Whether ids of this kind have another form than in the ledger. An account transaction has one also if it is
   * reissued.
   */
  changes(kind: IdKind): boolean {
    return this.#lengths[kind] !== undefined;
  }

  /** The id on the wire. Not an id of the ledger: the text as it is. */
  show(kind: IdKind, id: string): string {
    return this.changes(kind) ? this.#written(kind, id, 0) : id;
  }

  /** The id of an account transaction in this period. */
  showIn(period: number, id: string): string {
    return this.every === null ? this.show('transaction', id) : this.#written('transaction', id, period);
  }

  /**
   * Reads an id of the wire, or null if no id of this kind is written so. Whether the ledger has it is not known here.
   */
  read(kind: IdKind, text: string): ReadId | null {
    const { decipher, filler, letters, end } = this.#cipherOf(kind);
    if (text.length !== prefix.length + letters + end.length || !text.startsWith(prefix)) return null;
    const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
    if (bytes.length < filler.length + sealedBytes[kind]) return null;
    const read = unsealed(kind, decipher.update(bytes.subarray(filler.length, filler.length + sealedBytes[kind])));
    // Base64 can write the same bytes in several ways, and nobody has read the filler.
    return this.#written(kind, read.id, read.period) === text ? read : null;
  }

  #written(kind: IdKind, id: string, period: number): string {
    const sealed = sealedText(kind, id, period);
    if (sealed === null) return id;
    const { cipher, filler, letters, end } = this.#cipherOf(kind);
    const text = Buffer.concat([filler, cipher.update(sealed)]).toString('base64url');
    // The bytes of one letter more than a multiple of four take one letter less.
    return `${prefix}${text.padEnd(letters, 'A')}${end}`;
  }

  #cipherOf(kind: IdKind): IdCipher {
    const known = this.#ciphers.get(kind);
    if (known !== undefined) return known;
    const end = this.#isPadded ? '=' : '';
    const letters = (this.#lengths[kind] ?? idLengths[kind]) - prefix.length - end.length;
    const derived = (what: string, length: number): Buffer => {
      return Buffer.from(hkdfSync('sha256', this.#key, '', `${kind} ${what}`, length));
    };
    const key = derived('key', 32);
    const made = {
      cipher: createCipheriv('aes-256-ecb', key, null).setAutoPadding(false),
      decipher: createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false),
      filler: derived('filler', maxBytes).subarray(0, Math.floor((letters * 6) / 8) - sealedBytes[kind]),
      letters,
      end,
    } as const;
    this.#ciphers.set(kind, made);
    return made;
  }
}

/** The plain bytes of an id, or null if the text is no id of the ledger. */
function sealedText(kind: IdKind, id: string, period: number): Buffer | null {
  const sealed = Buffer.alloc(sealedBytes[kind]);
  if (kind === 'transaction') {
    const number = transactionNumberIn(id);
    if (number === null) return null;
    sealed.writeIntBE(period, 0, numberBytes);
    sealed.writeUIntBE(number, numberBytes, numberBytes);
    return sealed;
  }
  const [, letters] = resourceForm.exec(id) ?? [];
  if (letters === undefined) return null;
  sealed.write(letters, 'base64url');
  return sealed;
}

/** Reads what {@link sealedText} made. Of other bytes it is an id that {@link sealedText} writes otherwise. */
function unsealed(kind: IdKind, sealed: Buffer): ReadId {
  if (kind === 'transaction') {
    const number = sealed.readUIntBE(numberBytes, numberBytes);
    return { id: transactionIdOf(number), period: sealed.readIntBE(0, numberBytes) };
  }
  return { id: `${prefix}${sealed.subarray(0, -1).toString('base64url')}==`, period: 0 };
}

const made = new WeakMap<object, { readonly key: string; readonly quirks: Quirks; readonly ids: WireIds }>();

/** The ids of a bank on the wire. They are made again when the ledger has another key, or other quirks are on. */
export async function wireIdsOf(bank: BankContext, quirks: Quirks = bank.quirks): Promise<WireIds> {
  const key = await wireKey(bank);
  const last = made.get(bank.quirkSwitch);
  if (last?.key === key && last.quirks === quirks) return last.ids;
  const ids = new WireIds(key, quirks);
  made.set(bank.quirkSwitch, { key, quirks, ids });
  return ids;
}
