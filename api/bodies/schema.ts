import * as Type from 'typebox';
import type { BodyRule } from './rule.ts';
import { cashAccountTypes } from '../../engine/values/customer-type.ts';
import type { Country } from '../../engine/values/country.ts';
import type { Currency } from '../../engine/values/money.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';

export type { Static } from 'typebox';

/** The schema of a whole body: an object, or a list. */
export interface BodySchema extends Type.TSchema {
  readonly '~kind': 'Object' | 'Array';
  readonly properties?: Readonly<Record<string, Type.TSchema>>;
}

/** The schema of an answer. It refuses members that it does not name, so that a test of it can fail. */
export type AnswerSchema = Type.TSchema;

/** Keywords of our own beside those of JSON Schema. Only `rules` refuses anything. */
interface OwnKeywords {
  /** The expected value in words, for the text of a refusal; left out: the description. */
  readonly expected?: string;
  /** The value to send for a missing member, for the text of a refusal; left out: the expected value. */
  readonly missing?: string;
  /** Rules over several members of an object. */
  readonly rules?: readonly BodyRule[];
  /** The schema that {@link meaning} describes: the document refers to it. */
  readonly general?: Type.TSchema;
}

/** The keywords that our own code reads of a schema. */
export interface SchemaShape extends Omit<OwnKeywords, 'rules'> {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaShape[];
  readonly items?: SchemaShape;
  /** The items of a {@link longList}. */
  readonly longItems?: SchemaShape;
  readonly properties?: Readonly<Record<string, SchemaShape>>;
  readonly patternProperties?: Readonly<Record<string, SchemaShape>>;
  readonly required?: readonly string[];
}

interface ObjectOptions extends OwnKeywords {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly minProperties?: number;
}

/** An object that refuses unknown members by name. `expected` left out: an object with its required members. */
export function closed<Members extends Type.TProperties>(
  members: Members,
  options: ObjectOptions = {},
): Type.TObject<Members> {
  const required = Object.entries(members).filter(([, member]) => !Type.IsOptional(member));
  const expected = `an object with ${required.map(([name]) => name).join(', ')}`.replace(/, ([^,]*)$/, ' and $1');
  return Type.Object(members, { additionalProperties: false, expected, ...options });
}

/** The first member that a body must have; undefined: the body is a list, which is at fault as a whole. */
export function firstRequired({ properties = {} }: BodySchema): string | undefined {
  return Object.entries(properties).find(([, member]) => !Type.IsOptional(member))?.[0];
}

/** A list of any length. api/pipeline/validate-body.ts checks its items one by one, up to 20 faults. */
export function longList<Item extends Type.TSchema>(
  items: Item,
  options: { readonly description: string; readonly minItems: number },
): Type.TUnsafe<Type.Static<Item>[]> {
  return Type.Unsafe({ type: 'array', longItems: items, ...options });
}

/** Schema of a text: what it is, and an example or its keywords. */
export function text(description: string, of: string | Type.TStringOptions = {}): Type.TString {
  return Type.String({ description, ...(typeof of === 'string' ? { examples: [of] } : of) });
}

/** Schema of a whole number: what it is, and its keywords. */
export function integer(description: string, of: Type.TNumberOptions = {}): Type.TInteger {
  return Type.Integer({ description, ...of });
}

/** One of a few values. */
export function choice<const Value extends string | number | boolean>(
  description: string,
  values: readonly Value[],
): Type.TUnsafe<Value> {
  return Type.Unsafe({ description, enum: values });
}

/** A schema with a description of its own for the document; refusals keep the words of the original. */
export function meaning<Schema extends Type.TSchema>(description: string, schema: Schema): Schema {
  const { expected, description: usual }: SchemaShape = schema;
  return { ...schema, description, expected: expected ?? usual, general: schema };
}

/* Values of several bodies. */

export const currency = Type.Unsafe<Currency>({
  title: 'Currency',
  description: "one of the interface's currency codes",
  type: 'string',
  format: 'currency',
  examples: ['NOK'],
});

export const date = Type.Unsafe<LocalDate>({
  title: 'Date',
  description: 'a plain date, YYYY-MM-DD',
  type: 'string',
  format: 'local-date',
  examples: ['2027-03-30'],
});

/** The booking date of a mock transaction (rules.md D3d). */
export const mockBookingDate = Type.Unsafe<LocalDate | ''>({
  description:
    'a plain date, YYYY-MM-DD; after today: the transaction is pending until then; empty: until it is deleted',
  type: 'string',
  format: 'local-date-if-any',
  examples: ['2027-03-20'],
});

export const instant = Type.String({
  title: 'Instant',
  description: 'a date-time with offset, or a plain date',
  format: 'bank-instant',
  examples: ['2027-03-30T05:30:00+02:00'],
});

/** A name that may be empty. */
export const name = Type.String({
  title: 'Name',
  description: 'a name of at most 70 characters',
  maxLength: 70,
  format: 'clearing-text',
});

export const requiredName = text('a name of 1 to 70 characters', {
  minLength: 1,
  maxLength: 70,
  format: 'clearing-text',
});

export const productName = text('a product name of at most 70 characters', { maxLength: 70, format: 'clearing-text' });

export const bankCode = Type.String({
  title: 'BankCode',
  description: 'a BIC of 8 or 11 characters, or a code of 6',
  format: 'bank-code',
  examples: ['SPTRNO22'],
});

export const bic = Type.String({
  title: 'Bic',
  description: 'a BIC of 8 or 11 characters',
  format: 'bic',
  examples: ['SPTRNO22'],
});

const addressPart = text('a string', { format: 'clearing-text' });

export const address = closed(
  {
    street: Type.Optional(text('a street of at most 70 characters', { maxLength: 70, format: 'clearing-text' })),
    buildingNumber: Type.Optional(text('a string', { format: 'clearing-text', examples: ['7'] })),
    postalCode: Type.Optional(text('a string', { format: 'clearing-text', examples: ['0150'] })),
    city: Type.Optional(addressPart),
    country: Type.Unsafe<Country>({
      title: 'Country',
      description: "one of the interface's country codes",
      type: 'string',
      format: 'country',
      examples: ['NO'],
    }),
  },
  { title: 'Address', description: 'Where a creditor lives.' },
);

export const purposeCode = Type.Enum(
  ['INVS', 'SALA', 'IDCP', 'CASH', 'CORT', 'INTC', 'PENS', 'SSBE', 'SUPP', 'TAXS', 'TREA', 'VATX', 'LOAN', 'OTHR'],
  { title: 'PurposeCode', description: 'a purpose code' },
);

export const customerNumber = Type.String({
  title: 'CustomerNumber',
  description: 'a customer number, 1 to 35 digits',
  pattern: '^\\d{1,35}$',
  examples: ['13039319955'],
});

export const customerType = choice('the kind of customer', ['private', 'corporate']);

export const cashAccountType = choice('the kind of account', cashAccountTypes);

export const maskedPan = Type.String({
  title: 'MaskedPan',
  description: 'a card number with at least four of its digits masked, at most 35 characters',
  maxLength: 35,
  pattern: '^\\d{0,8}[xX*]{4,}\\d{0,4}$',
  examples: ['123456******1234'],
});

/** Text of sandbox data. */
export const sandboxText = text('a text of at most 140 characters', { maxLength: 140, format: 'clearing-text' });

export const roles = Type.Array(
  Type.Unsafe<'VIEW' | 'REGISTER'>({ description: 'what the PSU may do', type: 'string', enum: ['VIEW', 'REGISTER'] }),
  {
    description: 'a list with VIEW, REGISTER or both, each once',
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
  },
);

export const psuContext = choice('the context that the PSU chooses', ['PRIVATE', 'CORPORATE']);

/** Accounts that a PSU grants in a consent. */
export const grantedAccounts = Type.Array(
  text('the id or number of an account', { format: 'well-formed', minLength: 1, maxLength: 255 }),
  {
    description: 'a list of the accounts that the PSU grants, by id or number; all of them when left out',
    uniqueItems: true,
  },
);

export const clockMode = choice('whether the bank clock moves by itself', ['running', 'frozen']);

/** A set of fixtures in a body; what is in an object is checked by knownStateOf. */
export const fixtures = Type.Unsafe<string | object>({
  type: ['string', 'object'],
  description:
    'fixtures: their name, as GET /sandbox/info reports it, or a known state itself, as fixtures/known-state.json has it',
  expected: 'the name of a set of fixtures, or a known state as an object',
  minLength: 1,
  maxLength: 255,
});

export const fixturesName = text('the name of a set of fixtures', { minLength: 1, maxLength: 255 });
