import { WireIds, type IdKind } from '../../api/habits/encrypted-ids.ts';
import type { AnswerSchema } from '../../api/bodies/schema.ts';
import { transactionIdOf } from '../../engine/accounts/rules/transaction-list.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { parseLocalDate } from '../../engine/values/local-date.ts';
import { isCurrency, minorUnits } from '../../engine/values/money.ts';
import { words } from '../../engine/values/text.ts';
import { Findings } from './difference.ts';
import { itemsOf, type Members, membersOf } from './exchange.ts';
import { decimals, idForm, idWords, isDecimal } from './forms.ts';

/** The parts of JSON Schema that the answers of the interface use. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  /** Of items that are checked one by one. */
  readonly longItems?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A list item or an object that habits show with other members: which it must have beside those of the schema, and which not. */
interface Changed {
  readonly needs?: readonly string[];
  readonly lacks?: readonly string[];
  /** The only members that it has. */
  readonly only?: readonly string[];
}

const sampleIds: Readonly<Record<IdKind, string>> = {
  transaction: transactionIdOf(1),
  payment: `enc!!${'A'.repeat(42)}==`,
  resource: `enc!!${'A'.repeat(42)}==`,
};
const kindsOfIds: Readonly<Record<string, IdKind>> = {
  transactionId: 'transaction',
  paymentId: 'payment',
  paymentIds: 'payment',
  resourceId: 'resource',
  basketId: 'resource',
};
/** The forms of texts, by the format of their schema, and by the name of their member. */
type Forms = Readonly<Record<string, (text: string) => boolean>>;
const formats: Forms = {
  'local-date': (text) => parseLocalDate(text) !== null,
  currency: isCurrency,
  bic: (text) => /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(text),
};
const namedForms: Forms = {
  amount: isDecimal,
  maskedPan: (text) => /^\d{0,8}[xX*]{4,}\d{0,4}$/.test(text),
};
const bareMembers = words([
  'bookingDate valueDate transactionDate transactionAmount transactionDetails remittanceInformationUnstructured',
  'remittanceInformationUnstructuredArray',
]);

interface Checking {
  /** The answer shows a payment whole. */
  readonly isDetails: boolean;
  /** It is one of `/v1/sandbox`, which habits do not change. */
  readonly isTestData: boolean;
  readonly found: Findings;
}

/** Holds an answer against the schema of its endpoint, as the habits that are on show it (docs/spec/rules.md Q, DW2). */
export class ShapeCheck {
  readonly #quirks: Quirks;
  /** An id of each kind, as the bank shows them. */
  readonly #ids: Readonly<Record<IdKind, string>>;
  #isTestData = false;
  #found = new Findings();

  constructor(quirks: Quirks) {
    this.#quirks = quirks;
    const wire = new WireIds('0'.repeat(64), quirks);
    this.#ids = {
      transaction: wire.showIn(0, sampleIds.transaction),
      payment: wire.show('payment', sampleIds.payment),
      resource: wire.show('resource', sampleIds.resource),
    };
  }

  /** Tells how an answer differs from its schema. */
  check(schema: AnswerSchema, answer: unknown, { isDetails, isTestData, found }: Checking): void {
    this.#isTestData = isTestData;
    this.#found = found;
    this.#walk(schema as Shape, answer, '', '', isDetails);
  }

  #walk(shape: Shape, value: unknown, path: string, name: string, isDetails = false): void {
    if (shape.anyOf !== undefined) return this.#best(shape.anyOf, value, path, name, isDetails);
    const [wanted, own] = [shape.type ?? 'any', typeOf(value)];
    if (wanted !== 'any' && wanted !== own && !(wanted === 'integer' && Number.isInteger(value)))
      return this.#found.tell('type', path, value, `a value of the type ${wanted}`);
    if (own === 'object') this.#members(shape, membersOf(value), path, isDetails);
    else if (own === 'array') this.#items(shape, itemsOf(value), path, name);
    else if (own === 'string') this.#text(shape, String(value), path, name);
    else if (name === 'transactionFeeIndicator' && this.#quirks.has('fee-indicator') && value !== true)
      this.#found.tell('value', path, value, true);
  }

  /** Of several schemas the one that the value is nearest to. */
  #best(shapes: readonly Shape[], value: unknown, path: string, name: string, isDetails: boolean): void {
    const before = this.#found;
    const tried = shapes.map((shape) => {
      this.#found = new Findings();
      this.#walk(shape, value, path, name, isDetails);
      return this.#found.all;
    });
    this.#found = before;
    this.#found.take(tried.toSorted((one, other) => one.length - other.length)[0] ?? []);
  }

  #members(shape: Shape, members: Members, path: string, isDetails: boolean): void {
    const isLinks = path.endsWith('_links');
    const { needs = [], lacks = [], only } = this.#changed(path, isDetails);
    const allowed = (name: string): boolean =>
      (Object.hasOwn(shape.properties ?? {}, name) || needs.includes(name)) &&
      !lacks.includes(name) &&
      (only === undefined || only.includes(name) || needs.includes(name));
    for (const name of new Set([...(shape.required ?? []), ...needs]))
      if (!Object.hasOwn(members, name) && allowed(name))
        this.#found.tell(isLinks ? 'link' : 'absent', at(path, name), null, 'a member that the sandbox always shows');
    for (const [name, value] of Object.entries(members)) {
      if (!allowed(name)) this.#found.tell(isLinks ? 'link' : 'extra', at(path, name), value);
      else if (/Date$/.test(name) && needs.includes(name))
        this.#text({ format: 'local-date' }, String(value), at(path, name), name);
      else this.#walk(shape.properties?.[name] ?? {}, value, at(path, name), name);
    }
    if (!this.#isTestData && /(?:Amount|Fees|Limit|Fee)$/.test(path) && !path.endsWith('instructedAmount'))
      this.#decimals(members, path);
  }

  #decimals({ amount, currency }: Members, path: string): void {
    if (typeof amount !== 'string' || typeof currency !== 'string' || !isDecimal(amount) || !isCurrency(currency))
      return;
    if (decimals(amount) !== minorUnits(currency))
      this.#found.tell('form', at(path, 'amount'), amount, `${minorUnits(currency)} decimals`);
  }

  #items(shape: Shape, items: readonly unknown[], path: string, name: string): void {
    const place = `${path}[]`;
    const references = this.#quirks.get('structured-references') ?? 'objects';
    if (name === 'remittanceInformationStructuredArray' && references !== 'objects' && !this.#isTestData) {
      const isJoined = (item: unknown): boolean => /^reference: [^,]*, \w+: /.test(String(item));
      for (const item of items)
        if (typeof item !== 'string' || isJoined(item) !== (references === 'joined'))
          this.#found.tell('type', place, item, `a text, as structured-references=${references} has it`);
      return;
    }
    if (name === 'verbs') return;
    for (const item of items) this.#walk(shape.items ?? shape.longItems ?? {}, item, place, name);
    const most = this.#quirks.has('text-forms') && shape.maxItems === 1 ? 2 : shape.maxItems;
    if (items.length < (shape.minItems ?? 0)) this.#found.tell('absent', place, items, `${shape.minItems} items`);
    if (most !== undefined && items.length > most) this.#found.tell('extra', place, items[most], `${most} items`);
  }

  #text(shape: Shape, text: string, path: string, name: string): void {
    const kind = name === 'code' || name === 'path' ? name : 'value';
    if (shape.enum !== undefined && !shape.enum.includes(text))
      this.#found.tell(kind, path, text, shape.enum.join(', '));
    const idKind = this.#isTestData ? undefined : kindsOfIds[name];
    if (idKind !== undefined && idForm(text) !== idForm(this.#ids[idKind]))
      return this.#found.tell('form', path, text, idWords(this.#ids[idKind]));
    const isAlone = /account$/.test(path.slice(0, -'.bban'.length));
    const isRight =
      (formats[shape.format ?? '']?.(text) ?? true) &&
      (namedForms[name]?.(text) ?? true) &&
      text.length >= (shape.minLength ?? 0) &&
      !(name === 'bban' && isAlone && /^\d+$/.test(text) && text.length !== 11) &&
      !(idKind !== undefined && /\s/.test(text));
    if (!isRight) this.#found.tell(name === 'currency' ? 'value' : 'form', path, text, shape.format ?? 'another form');
  }

  /** What habits change in the members of an object. */
  #changed(path: string, isDetails: boolean): Changed {
    const quirks = this.#quirks;
    if (path === '' && isDetails && quirks.has('no-status-in-details')) return { lacks: ['transactionStatus'] };
    if (this.#isTestData) return {};
    const [, cards, list] = /^(cardT|t)ransactions\.(booked|pending)\[\]$/.exec(path) ?? [];
    if (list === undefined && path !== 'transactionsDetails') return {};
    const isCard = cards === 'cardT';
    const codes = this.#codes(isCard);
    if (list !== 'pending') return isCard ? { ...codes, needs: ['bookingDate'] } : codes;
    const dates = quirks.get('pending-dates');
    const isBooking = dates === 'booking' || dates === 'both';
    const needs = [...(isBooking ? ['bookingDate'] : []), ...(dates === 'both' && !isCard ? ['valueDate'] : [])];
    const lacks = [
      ...(isBooking ? [] : ['bookingDate']),
      ...(isCard && (dates === 'booking' || dates === 'none') ? ['transactionDate'] : []),
    ];
    if (quirks.has('pending-members')) return { needs, lacks, only: bareMembers };
    return { needs: [...needs, ...(codes.needs ?? [])], lacks: [...lacks, ...(codes.lacks ?? [])] };
  }

  #codes(isCard: boolean): Changed {
    const codes = this.#quirks.get('bank-codes');
    const [iso, proprietary] = ['bankTransactionCode', 'proprietaryBankTransactionCode'];
    if (codes === undefined) return {};
    if (isCard) return codes === 'proprietary' ? {} : { lacks: [proprietary] };
    if (codes === 'iso') return { needs: [iso], lacks: [proprietary] };
    return { lacks: codes === 'none' ? [iso, proprietary] : [iso] };
  }
}

function at(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function typeOf(value: unknown): string {
  return value === null || value === undefined ? 'nothing' : Array.isArray(value) ? 'array' : typeof value;
}
