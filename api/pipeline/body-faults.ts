import type { SchemaShape } from '../bodies/schema.ts';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import type { Fault } from '../../engine/values/fault.ts';
import { products } from '../../engine/values/product.ts';
import { nearest } from '../faults/nearest.ts';
import { formatValue } from '../bodies/rule.ts';
import { isBic, maxIbanSent, parseIban } from '../../engine/values/account-number.ts';
import { codePointName, firstBadCharacter, isEmail } from '../../engine/values/text.ts';
import { isCountry } from '../../engine/values/country.ts';
import { isCurrency } from '../../engine/values/money.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { parseInstant } from '../../engine/values/instant.ts';
import { parseLocalDate } from '../../engine/values/local-date.ts';
import { parseRate } from '../../engine/values/price-list.ts';

/** One broken keyword of a schema, as the validator reports it. */
export interface Violation {
  readonly keyword: string;
  /** JSON Pointer to the value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}

const maxName = 100;
const maxList = 400;

/** Formats with a list of values, which a text can name. */
const listedFormats: Readonly<Record<string, readonly string[]>> = { frequency: frequencies };

/**
 * FORMAT_ERROR for a violation, with a dotted path (rules.md E1, E3). `whole` is the name of the root value in texts,
 * such as `The body`.
 */
export function faultOf(violation: Violation, whole = 'It'): Fault {
  const path = memberPathOf(violation);
  const text = violationText(violation, violation.instancePath === '' ? whole : 'It');
  return path === '' ? { code: 'FORMAT_ERROR', text } : { code: 'FORMAT_ERROR', path, text };
}

/**
 * Joins each misspelt member with the required one that it means and that is missing besides: one mistake is one fault
 * (rules.md E3).
 */
export function joinMisspelt(violations: readonly Violation[]): readonly Violation[] {
  const missing = new Map<string, Map<string, Violation>>();
  for (const violation of violations) {
    if (violation.keyword !== 'required') continue;
    const here = missing.get(violation.instancePath) ?? new Map<string, Violation>();
    missing.set(violation.instancePath, here.set(String(violation.params['missingProperty']), violation));
  }
  const joined = new Set<Violation>();
  const told = violations.map((violation) => {
    const { instancePath, params } = violation;
    const here = missing.get(instancePath);
    if (params['additionalProperty'] === undefined || here === undefined) return violation;
    const meant = nearest(unknownIn(params), [...here.keys()]);
    const found = here.get(meant ?? '');
    if (found === undefined) return violation;
    joined.add(found);
    return { ...violation, params: { ...params, meant } };
  });
  return told.filter((violation) => !joined.has(violation));
}

function unknownIn(params: Violation['params']): string {
  return String(params['additionalProperty']).slice(0, maxName);
}

/** `/payments/3/creditorName` becomes `payments[3].creditorName`; a missing or unknown member is named too. */
function memberPathOf({ instancePath, params }: Violation): string {
  const named = params['missingProperty'] ?? params['additionalProperty'] ?? params['member'] ?? '';
  const path = instancePath
    .split('/')
    .slice(1)
    .reduce((whole, segment) => (/^\d+$/.test(segment) ? `${whole}[${segment}]` : joined(whole, segment)), '');
  return joined(path, String(named).slice(0, maxName));
}

function joined(left: string, right: string): string {
  return left === '' || right === '' ? left + right : `${left}.${right}`;
}

function violationText(violation: Violation, it: string): string {
  const { keyword, params, data } = violation;
  const schema: SchemaShape = violation.parentSchema ?? {};
  switch (keyword) {
    case 'rules':
      return String(params['text']);
    case 'format':
      return `${formatValue(data)} is refused: ${formats[String(params['format'])]?.(String(data)) ?? expected(schema)}.`;
    case 'required':
      return `${String(params['missingProperty'])} is missing. Send ${memberExpected(schema, params)}.`;
    case 'additionalProperties':
      return `${formatValue(params['additionalProperty'])} is no member here. ${kidRemedy(schema, params) ?? members(schema, params)}.`;
    case 'type':
      return typeText(data, schema, params, it);
    case 'enum':
      return `${formatValue(data)} is refused: expected one of ${(params['allowedValues'] as unknown[]).join(', ')}, spelled so.`;
    case 'maxLength':
      return `It has ${Array.from(String(data)).length} characters, at most ${params['limit']} fit. Shorten it: ${formatValue(data)}.`;
    case 'minItems':
    case 'minProperties':
      return `${it} is empty: expected ${expected(schema)}.`;
    case 'maxItems':
      return `It has ${(data as readonly unknown[]).length} items, at most ${params['limit']} fit. Send fewer.`;
    case 'uniqueItems':
      return `${sameItems(params)} are the same: expected ${expected(schema)}.`;
    default:
      return `${formatValue(data)} is refused: expected ${expected(schema)}.`;
  }
}

function typeText(data: unknown, schema: SchemaShape, params: Violation['params'], it: string): string {
  if (typeof data === 'number' && params['type'] === 'integer')
    return `${data} is not whole: expected ${expected(schema)}.`;
  const received = typeof data === 'object' ? `${it} is ${kindOf(data)}` : `${formatValue(data)} is ${kindOf(data)}`;
  if (typeof data === 'number' && params['type'] === 'string') {
    const sample = schema.examples?.[0] ?? String(data);
    return `${received}: expected ${phraseOf(schema) ?? 'a string'}. Send it as a string: ${JSON.stringify(sample)}.`;
  }
  return `${received}: expected ${expected(schema)}.`;
}

function sameItems({ i, j }: Violation['params']): string {
  const [first, second] = [Number(i), Number(j)].sort((one, other) => one - other);
  return `Items [${first}] and [${second}]`;
}

const kidMember = 'remittanceInformationStructuredArray';
/** Members that carry a KID in some payment, here or at other banks. */
const kidMembers: readonly unknown[] = ['remittanceInformationStructured', kidMember];

/**
 * Where a KID goes, for a sender of a member that carries one elsewhere (rules.md P6b), or null for another member or
 * body.
 */
function kidRemedy({ properties = {} }: SchemaShape, params: Violation['params']): string | null {
  if (!kidMembers.includes(params['additionalProperty'])) return null;
  if (kidMember in properties)
    return `Leave it out; a KID is carried by ${kidMember}: [{"reference": the KID, "referenceType": "SCOR"}]`;
  if ('payments' in properties) return `Put it into the items: payments[n].${kidMember}`;
  return 'creditorAccount' in properties
    ? `Leave it out; this payment carries no KID. A single ${products.domestic} or ${products.straks} payment, and each item of a bulk payment, carries one in ${kidMember}`
    : null;
}

/**
 * Names the member that is meant, else all members. If they are too long for a text (rules.md E1), names the nearest
 * one.
 */
function members({ properties = {} }: SchemaShape, params: Violation['params']): string {
  if (params['meant'] !== undefined) return `Write ${String(params['meant'])}`;
  const names = Object.keys(properties);
  const all = names.join(', ');
  if (all.length <= maxList) return `Leave it out; the members are ${all}`;
  const hint = nearest(unknownIn(params), names);
  return hint === null
    ? `Leave it out; none of the ${names.length} members is like it`
    : `Leave it out; the nearest of the ${names.length} members is ${hint}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function memberExpected(schema: SchemaShape, params: Violation['params']): string {
  const member = schema.properties?.[String(params['missingProperty'])] ?? {};
  return member.missing ?? expected(member);
}

/** The expected value in words, with the choices or an example. An object is too long for an example. */
function expected(schema: SchemaShape): string {
  const { examples: [example] = [], enum: values, format = '' } = schema;
  const described = phraseOf(schema) ?? 'another value';
  const listed = values ?? listedFormats[format];
  if (listed !== undefined)
    return listed.length === 1 ? JSON.stringify(listed[0]) : `${described}, one of ${listed.join(', ')}`;
  if (example === undefined || typeof example === 'object') return described;
  return `${described}, for example ${JSON.stringify(example)}`;
}

function phraseOf({ expected: phrase, description }: SchemaShape): string | undefined {
  return phrase ?? description;
}

/** Says what is wrong with a string and what to send instead, or null if the string is right. */
type FormatCheck = (text: string) => string | null;

/** The `format` values of the schemas. The code lists are in engine/values. */
export const formats: Readonly<Record<string, FormatCheck>> = {
  currency: (text) =>
    isCurrency(text) ? null : `expected one of the interface's currency codes, in capitals (for example NOK)`,
  country: (text) =>
    isCountry(text) ? null : `expected one of the interface's country codes, two capitals (for example NO)`,
  frequency: (text) =>
    frequencies.some((frequency) => frequency === text) ? null : `expected one of ${frequencies.join(', ')}`,
  iban: (text) => {
    // The schema's maxLength reports a longer one.
    const iban = text.length > maxIbanSent ? null : parseIban(text);
    return typeof iban === 'string' ? `${iban}. Correct it, for example NO9386011117947` : null;
  },
  bic: (text) => (isBic(text) ? null : 'a BIC has 8 or 11 capitals and digits, for example SPTRNO22'),
  'email-address': (text) => (isEmail(text) ? null : 'expected an address such as contact@tpp.example'),
  rate: (text) =>
    parseRate(text) === null
      ? 'expected a decimal number above zero, with at most ten fraction digits (for example 11.8305)'
      : null,
  'local-date': localDateFault,
  'local-date-if-any': (text) => (text === '' ? null : localDateFault(text)),
  'bank-instant': (text) =>
    parseInstant(text) === null
      ? 'expected a date-time with Z or an offset, or a plain date (for example 2027-03-30T05:30:00+02:00)'
      : null,
  'bank-duration': (text) =>
    parseDuration(text) === null
      ? 'expected an ISO 8601 duration in whole numbers, at most a hundred years (for example P3D)'
      : null,
  'day-of-month': dayOfMonthFault,
  'clearing-text': clearingTextFault,
  'said-text': clearingTextFault,
  'well-formed': (text) =>
    text.isWellFormed() ? null : 'it has half of a character (a lone surrogate). Send all of it',
  'bank-code': (text) =>
    isBic(text) || /^[A-Z0-9]{6}$/.test(text)
      ? null
      : 'expected a BIC of 8 or 11 capitals and digits, for example SPTRNO22, or a code of 6',
};

/** rules.md P3: an existing day, never a date-time. */
function localDateFault(text: string): string | null {
  if (parseLocalDate(text) !== null) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'there is no such day. Send one that exists';
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return 'a date-time is not taken here. Send the date alone, YYYY-MM-DD';
  return 'expected a plain date, YYYY-MM-DD (for example 2027-03-30)';
}

/** rules.md R3. Null unless it is one or two digits: the schema's pattern reports the rest. */
function dayOfMonthFault(text: string): string | null {
  if (!/^\d{1,2}$/.test(text)) return null;
  const day = Number(text);
  return day >= 1 && day <= 31 ? null : 'expected a day of the month from 1 to 31 (for example "12")';
}

/** rules.md P8. Null for an empty text: the schema's minLength reports it. */
function clearingTextFault(text: string): string | null {
  if (text !== '' && isBlank(text)) return 'it has white space only. Send a text with at least one other character';
  const bad = firstBadCharacter(text);
  if (bad === null) return null;
  return `character ${bad.index + 1} (${codePointName(bad.character)}) cannot be carried: only the letters, digits and punctuation of ISO 8859-1 reach the payee. Leave it out or replace it`;
}

/**
 * An identifier in the one form in which the bank compares, stores and shows it (rules.md P5d): without the blanks of
 * an IBAN, and in capitals. Any other text stays unchanged.
 */
export function settledIdentifier(format: string | undefined, text: string): string {
  if (format === 'iban') {
    const iban = parseIban(text);
    return typeof iban === 'string' ? text : iban.iban;
  }
  const capitals = text.toUpperCase();
  return (format === 'bic' || format === 'bank-code') && isBic(capitals) ? capitals : text;
}

/** Whether a text consists of white space, no-break spaces included. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
