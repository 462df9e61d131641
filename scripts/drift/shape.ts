import { WireIds, type IdKind } from '../../api/habits/encrypted-ids.ts';
import type { AnswerSchema } from '../../api/bodies/schema.ts';
import { transactionIdOf } from '../../engine/accounts/rules/transaction-list.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { parseLocalDate } from '../../engine/values/local-date.ts';
import { isCurrency, minorUnits } from '../../engine/values/money.ts';
import { type Difference, type DifferenceKind, difference } from './difference.ts';
import { itemsOf, membersOf } from './exchange.ts';
import { decimals, idForm, ids, isDecimal } from './forms.ts';

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
const bareMembers = [
  ...['bookingDate', 'valueDate', 'transactionDate', 'transactionAmount', 'transactionDetails'],
  ...['remittanceInformationUnstructured', 'remittanceInformationUnstructuredArray'],
];

/** Holds an answer against the schema of its endpoint, as the habits that are on show it (docs/spec/rules.md Q, DW2). */
export class ShapeCheck {
  readonly #quirks: Quirks;
  readonly #isTestData: boolean;
  readonly #idForms: Readonly<Record<IdKind, string>>;
  #found: Difference[] = [];

  constructor(quirks: Quirks, { isTestData }: { readonly isTestData: boolean }) {
    this.#quirks = quirks;
    this.#isTestData = isTestData;
    const wire = new WireIds('0'.repeat(64), quirks);
    this.#idForms = {
      transaction: idForm(wire.showIn(0, sampleIds.transaction)),
      payment: idForm(wire.show('payment', sampleIds.payment)),
      resource: idForm(wire.show('resource', sampleIds.resource)),
    };
  }

  /** The differences of an answer from its schema; `details`: it shows a payment whole. */
  differences(schema: AnswerSchema, answer: unknown, details: boolean): readonly Difference[] {
    this.#found = [];
    this.#walk(schema as Shape, answer, '', '', details);
    return this.#found;
  }

  #tell(kind: DifferenceKind, path: string, recorded: unknown, expected: unknown): void {
    this.#found.push(difference(kind, path, recorded, expected));
  }

  #walk(shape: Shape, value: unknown, path: string, name: string, details = false): void {
    if (shape.anyOf !== undefined) return this.#best(shape.anyOf, value, path, name, details);
    const [wanted, own] = [shape.type ?? 'any', typeOf(value)];
    if (wanted !== 'any' && wanted !== own && !(wanted === 'integer' && Number.isInteger(value)))
      return this.#tell('type', path, value, `a value of the type ${wanted}`);
    if (own === 'object') this.#members(shape, membersOf(value), path, details);
    else if (own === 'array') this.#items(shape, itemsOf(value), path, name);
    else if (own === 'string') this.#text(shape, String(value), path, name);
    else if (name === 'transactionFeeIndicator' && this.#quirks.has('fee-indicator') && value !== true)
      this.#tell('value', path, value, true);
  }

  /** Of several schemas the one that the value is nearest to. */
  #best(shapes: readonly Shape[], value: unknown, path: string, name: string, details: boolean): void {
    const before = this.#found;
    const tried = shapes.map((shape) => {
      this.#found = [];
      this.#walk(shape, value, path, name, details);
      return this.#found;
    });
    this.#found = before;
    this.#found.push(...(tried.toSorted((one, other) => one.length - other.length)[0] ?? []));
  }

  #members(shape: Shape, members: Readonly<Record<string, unknown>>, path: string, details: boolean): void {
    const isLinks = path.endsWith('_links');
    const { needs = [], lacks = [], only } = this.#changed(path, details);
    const allowed = (name: string): boolean =>
      (Object.hasOwn(shape.properties ?? {}, name) || needs.includes(name)) &&
      !lacks.includes(name) &&
      (only === undefined || only.includes(name) || needs.includes(name));
    for (const name of new Set([...(shape.required ?? []), ...needs]))
      if (!Object.hasOwn(members, name) && allowed(name))
        this.#tell(isLinks ? 'link' : 'absent', at(path, name), null, 'a member that the sandbox always shows');
    for (const [name, value] of Object.entries(members)) {
      if (!allowed(name)) this.#tell(isLinks ? 'link' : 'extra', at(path, name), value, null);
      else if (/Date$/.test(name) && needs.includes(name))
        this.#text({ format: 'local-date' }, String(value), at(path, name), name);
      else this.#walk(shape.properties?.[name] ?? {}, value, at(path, name), name);
    }
    const { amount, currency } = members;
    if (typeof amount !== 'string' || typeof currency !== 'string' || !isDecimal(amount) || !isCurrency(currency))
      return;
    if (
      !this.#isTestData &&
      /(?:Amount|Fees|Limit|Fee)$/.test(path) &&
      !/instructedAmount$/.test(path) &&
      decimals(amount) !== minorUnits(currency)
    )
      this.#tell('form', at(path, 'amount'), amount, `${minorUnits(currency)} decimals`);
  }

  #items(shape: Shape, items: readonly unknown[], path: string, name: string): void {
    const references = this.#quirks.get('structured-references') ?? 'objects';
    if (name === 'remittanceInformationStructuredArray' && references !== 'objects' && !this.#isTestData) {
      const isJoined = (item: unknown): boolean => /^reference: [^,]*, \w+: /.test(String(item));
      for (const item of items)
        if (typeof item !== 'string' || isJoined(item) !== (references === 'joined'))
          this.#tell('type', `${path}[]`, item, `a text, as structured-references=${references} has it`);
      return;
    }
    if (name === 'verbs') return;
    for (const item of items) this.#walk(shape.items ?? shape.longItems ?? {}, item, `${path}[]`, name);
    const most = this.#quirks.has('text-forms') && shape.maxItems === 1 ? 2 : shape.maxItems;
    if (items.length < (shape.minItems ?? 0)) this.#tell('absent', `${path}[]`, items, `${shape.minItems} items`);
    if (most !== undefined && items.length > most) this.#tell('extra', `${path}[]`, items[most], `${most} items`);
  }

  #text(shape: Shape, text: string, path: string, name: string): void {
    const kind = name === 'code' || name === 'path' ? name : 'value';
    if (shape.enum !== undefined && !shape.enum.includes(text)) this.#tell(kind, path, text, shape.enum.join(', '));
    const idKind = kindsOfIds[name];
    if (idKind !== undefined && !this.#isTestData && idForm(text) !== this.#idForms[idKind])
      return this.#tell('form', path, text, `an id of the form ${this.#idForms[idKind]}`);
    const isWrong =
      (name === 'amount' && !isDecimal(text)) ||
      (name === 'maskedPan' && !/^\d{0,8}[xX*]{4,}\d{0,4}$/.test(text)) ||
      (shape.format === 'local-date' && parseLocalDate(text) === null) ||
      (shape.format === 'currency' && !isCurrency(text)) ||
      (shape.format === 'bic' && !/^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(text)) ||
      text.length < (shape.minLength ?? 0) ||
      (name === 'bban' && /^\d+$/.test(text) && /account$/.test(path.slice(0, -5)) && text.length !== 11) ||
      (ids.test(name) &&
        /\s/.test(text) &&
        !this.#isTestData &&
        name !== 'endToEndIdentification' &&
        idKind !== undefined);
    if (isWrong) this.#tell(name === 'currency' ? 'value' : 'form', path, text, shape.format ?? 'another form');
  }

  /** What habits change in the members of an object. */
  #changed(path: string, details: boolean): Changed {
    if (path === '' && details && this.#quirks.has('no-status-in-details')) return { lacks: ['transactionStatus'] };
    if (this.#isTestData) return {};
    const [, cards, list] = /^(cardT|t)ransactions\.(booked|pending)\[\]$/.exec(path) ?? [];
    if (list === undefined && path !== 'transactionsDetails') return {};
    const isCard = cards === 'cardT';
    const codes = this.#codes(isCard);
    if (list !== 'pending') return isCard ? { ...codes, needs: ['bookingDate'] } : codes;
    const dates = this.#quirks.get('pending-dates');
    const needs = [
      ...(dates === 'booking' || dates === 'both' ? ['bookingDate'] : []),
      ...(dates === 'both' && !isCard ? ['valueDate'] : []),
    ];
    const lacks = [
      ...(needs.includes('bookingDate') ? [] : ['bookingDate']),
      ...(isCard && (dates === 'booking' || dates === 'none') ? ['transactionDate'] : []),
    ];
    if (this.#quirks.has('pending-members')) return { needs, lacks, only: bareMembers };
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
