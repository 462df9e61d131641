import { WireIds, type IdKind } from '../../api/quirks/encrypted-ids.ts';
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

/** A list item or an object that quirks show with other members: which it must have beside those of the schema, and which not. */
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
  readonly quirks: Quirks;
  /** An id of each kind, as the bank shows them. */
  readonly ids: Readonly<Record<IdKind, string>>;
  /** The answer shows a payment whole. */
  readonly isDetails: boolean;
  /** It is one of `/v1/sandbox`, which quirks do not change. */
  readonly isTestData: boolean;
  readonly found: Findings;
}

/** Ids of each kind, as a bank with these quirks shows them. */
export function idsShown(quirks: Quirks): Checking['ids'] {
  const wire = new WireIds('0'.repeat(64), quirks);
  return {
    transaction: wire.showIn(0, sampleIds.transaction),
    payment: wire.show('payment', sampleIds.payment),
    resource: wire.show('resource', sampleIds.resource),
  };
}

/** Holds an answer against the schema of its endpoint, as the quirks that are on show it (docs/spec/rules.md Q, DW2). */
export function checkShape(schema: AnswerSchema, answer: unknown, checking: Checking): void {
  walk(schema as Shape, answer, '', '', checking);
}

function walk(shape: Shape, value: unknown, path: string, name: string, of: Checking): void {
  if (shape.anyOf !== undefined) return walkNearest(shape.anyOf, value, path, name, of);
  const [wanted, own] = [shape.type ?? 'any', typeOf(value)];
  if (wanted !== 'any' && wanted !== own && !(wanted === 'integer' && Number.isInteger(value)))
    return of.found.tell('type', path, value, `a value of the type ${wanted}`);
  if (own === 'object') checkMembers(shape, membersOf(value), path, of);
  else if (own === 'array') checkItems(shape, itemsOf(value), path, name, of);
  else if (own === 'string') checkText(shape, String(value), path, name, of);
  else if (name === 'transactionFeeIndicator' && of.quirks.has('fee-indicator') && value !== true)
    of.found.tell('value', path, value, true);
}

/** Of several schemas the one that the value is nearest to. */
function walkNearest(shapes: readonly Shape[], value: unknown, path: string, name: string, of: Checking): void {
  const tried = shapes.map((shape) => {
    const found = new Findings();
    walk(shape, value, path, name, { ...of, found });
    return found.all;
  });
  of.found.take(tried.toSorted((one, other) => one.length - other.length)[0] ?? []);
}

function checkMembers(shape: Shape, members: Members, path: string, of: Checking): void {
  const isLinks = path.endsWith('_links');
  const { needs = [], lacks = [], only } = changedBy(path, of);
  const allowed = (name: string): boolean =>
    (Object.hasOwn(shape.properties ?? {}, name) || needs.includes(name)) &&
    !lacks.includes(name) &&
    (only === undefined || only.includes(name) || needs.includes(name));
  for (const name of new Set([...(shape.required ?? []), ...needs]))
    if (!Object.hasOwn(members, name) && allowed(name))
      of.found.tell(isLinks ? 'link' : 'absent', at(path, name), null, 'a member that the sandbox always shows');
  for (const [name, value] of Object.entries(members)) {
    if (!allowed(name)) of.found.tell(isLinks ? 'link' : 'extra', at(path, name), value);
    else if (/Date$/.test(name) && needs.includes(name))
      checkText({ format: 'local-date' }, String(value), at(path, name), name, of);
    else walk(shape.properties?.[name] ?? {}, value, at(path, name), name, of);
  }
  if (!of.isTestData && /(?:Amount|Fees|Limit|Fee)$/.test(path) && !path.endsWith('instructedAmount'))
    checkDecimals(members, path, of.found);
}

function checkDecimals({ amount, currency }: Members, path: string, found: Findings): void {
  if (typeof amount !== 'string' || typeof currency !== 'string' || !isDecimal(amount) || !isCurrency(currency)) return;
  if (decimals(amount) !== minorUnits(currency))
    found.tell('form', at(path, 'amount'), amount, `${minorUnits(currency)} decimals`);
}

function checkItems(shape: Shape, items: readonly unknown[], path: string, name: string, of: Checking): void {
  const place = `${path}[]`;
  const references = of.quirks.get('structured-references') ?? 'objects';
  if (name === 'remittanceInformationStructuredArray' && references !== 'objects' && !of.isTestData) {
    const isJoined = (item: unknown): boolean => /^reference: [^,]*, \w+: /.test(String(item));
    for (const item of items)
      if (typeof item !== 'string' || isJoined(item) !== (references === 'joined'))
        of.found.tell('type', place, item, `a text, as structured-references=${references} has it`);
    return;
  }
  if (name === 'verbs') return;
  for (const item of items) walk(shape.items ?? shape.longItems ?? {}, item, place, name, of);
  const maxItems = of.quirks.has('text-forms') && shape.maxItems === 1 ? 2 : shape.maxItems;
  if (items.length < (shape.minItems ?? 0)) of.found.tell('absent', place, items, `${shape.minItems} items`);
  if (maxItems !== undefined && items.length > maxItems)
    of.found.tell('extra', place, items[maxItems], `${maxItems} items`);
}

function checkText(shape: Shape, text: string, path: string, name: string, { ids, isTestData, found }: Checking): void {
  const kind = name === 'code' || name === 'path' ? name : 'value';
  if (shape.enum !== undefined && !shape.enum.includes(text)) found.tell(kind, path, text, shape.enum.join(', '));
  const idKind = isTestData ? undefined : kindsOfIds[name];
  if (idKind !== undefined && idForm(text) !== idForm(ids[idKind]))
    return found.tell('form', path, text, idWords(ids[idKind]));
  const isAlone = /account$/.test(path.slice(0, -'.bban'.length));
  const isRight =
    (formats[shape.format ?? '']?.(text) ?? true) &&
    (namedForms[name]?.(text) ?? true) &&
    text.length >= (shape.minLength ?? 0) &&
    !(name === 'bban' && isAlone && /^\d+$/.test(text) && text.length !== 11) &&
    !(idKind !== undefined && /\s/.test(text));
  if (!isRight) found.tell(name === 'currency' ? 'value' : 'form', path, text, shape.format ?? 'another form');
}

/** What quirks change in the members of an object. */
function changedBy(path: string, { quirks, isDetails, isTestData }: Checking): Changed {
  if (path === '' && isDetails && quirks.has('no-status-in-details')) return { lacks: ['transactionStatus'] };
  if (isTestData) return {};
  const [, cards, list] = /^(cardT|t)ransactions\.(booked|pending)\[\]$/.exec(path) ?? [];
  if (list === undefined && path !== 'transactionsDetails') return {};
  const isCard = cards === 'cardT';
  const codes = codesShown(isCard, quirks);
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

function codesShown(isCard: boolean, quirks: Quirks): Changed {
  const codes = quirks.get('bank-codes');
  const [iso, proprietary] = ['bankTransactionCode', 'proprietaryBankTransactionCode'];
  if (codes === undefined) return {};
  if (isCard) return codes === 'proprietary' ? {} : { lacks: [proprietary] };
  if (codes === 'iso') return { needs: [iso], lacks: [proprietary] };
  return { lacks: codes === 'none' ? [iso, proprietary] : [iso] };
}

function at(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function typeOf(value: unknown): string {
  return value === null || value === undefined ? 'nothing' : Array.isArray(value) ? 'array' : typeof value;
}
