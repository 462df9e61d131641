import * as Type from 'typebox';
import type { Country } from '../../engine/values/country.ts';
import { cashAccountTypes } from '../../engine/values/customer-type.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import type { Currency } from '../../engine/values/money.ts';
import { choice, listOf, optional, shortText, text, titled } from './schema.ts';

/* Values of several bodies and answers. */

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

export const requiredName = shortText('a name of 1 to 70 characters', 70, {
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

export const address = titled('Address', 'Where a creditor lives.').closed({
  street: optional(text('a street of at most 70 characters', { maxLength: 70, format: 'clearing-text' })),
  buildingNumber: optional(text('a string', { format: 'clearing-text', examples: ['7'] })),
  postalCode: optional(text('a string', { format: 'clearing-text', examples: ['0150'] })),
  city: optional(addressPart),
  country: Type.Unsafe<Country>({
    title: 'Country',
    description: "one of the interface's country codes",
    type: 'string',
    format: 'country',
    examples: ['NO'],
  }),
});

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

export const roles = listOf(
  Type.Unsafe<'VIEW' | 'REGISTER'>({ description: 'what the PSU may do', type: 'string', enum: ['VIEW', 'REGISTER'] }),
  'a list with VIEW, REGISTER or both, each once',
  {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
  },
);

export const psuContext = choice('the context that the PSU chooses', ['PRIVATE', 'CORPORATE']);

/** Accounts that a PSU grants in a consent. */
export const grantedAccounts = listOf(
  text('the id or number of an account', { format: 'well-formed', minLength: 1, maxLength: 255 }),
  'a list of the accounts that the PSU grants, by id or number; all of them when left out',
  {
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

export const fixturesName = shortText('the name of a set of fixtures', 255);
