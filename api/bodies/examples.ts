import { localDate } from '../../engine/values/local-date.ts';
import { assert } from '../../engine/values/assert.ts';
import type { AnswerSchema, SchemaShape } from './schema.ts';

/*
 * One small story: the values and dates of the examples in the schemas. An API document replaces them with those
 * of its bank (api/openapi/samples.ts).
 */

/** Customers and accounts of the known state. If one text contains another, the longer text comes first. */
export const story = {
  address: 'http://127.0.0.1:7263',
  psu: '13039319955',
  psuId: '4f0c9d1e-6a57-4c7b-9a43-2f1f3c6f8a10',
  /** The base64 of the SHA-256 hash of the PSU's number. */
  psuHash: '5oMJjdbO6KeeDb5ea5bEEp14FOCxlphEEB2yuDyjyhg=',
  debtorIban: 'NO7809232911044',
  debtorBban: '09232911044',
  creditorBban: '74712699947',
  corporation: '11111111',
  corporateBban: '34110000016',
  accountId: 'enc!!zX9y19We7FlldN1uh4OKoc2LppnvGJ9QqOiZbVB_NQ==',
  cardId: 'enc!!wWtAiZOwzvnQB2eJIYddCa_IDaEtrtO3d9tH1Hmwyg==',
  customerId: 'enc!!dJa97QZwyyVvukXtNBPFQctwEjS9dlyRovBhJBPqHA==',
  agreementId: '10e7288e-71cb-4afc-b652-34acb5ddd07c',
  paymentId: 'enc!!TQch-i2QOR6Jq5MqaphL0mybUGVUXTujqkiqOZuHiA==',
  transactionId: 'enc!!dHhuLTAwMDAwMDAwMDAzNw==',
  paymentPath: '/v1/payments/norwegian-domestic-credit-transfers',
  basketId: 'enc!!OrEy318bRGBwcd5F40-mze7FkAx34i81Z6y8UTbnbQ==',
  scaId: 'OrEy318bRGBwcd5F40-mze7FkAx34i81',
  requestId: '1b3a9c52-6f0e-4a76-9d53-0f5a0d1c7e11',
  /** The name of a TPP at the unsigned door. */
  tppName: 'tpp-of-the-story',
  /** The weekday of the next banking day. */
  weekday: 'Tuesday',
} as const;

/** Days of the story, the earliest first. Examples keep the distance between these days. */
export const storyDays = {
  /** The first booking date of a list of transactions without `dateFrom`. */
  openSince: localDate('2026-12-29'),
  lastBankingDay: localDate('2027-03-24'),
  today: localDate('2027-03-29'),
  nextBankingDay: localDate('2027-03-30'),
};

/** A payment of the story. */
export const storyPayment = {
  instructedAmount: { amount: '100.00', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: story.creditorBban, currency: 'NOK' },
  debtorAccount: { bban: story.debtorBban, currency: 'NOK' },
  remittanceInformationUnstructured: 'Invoice 4711',
};

/**
 * A value that fits the schema. Its own first example comes first; of an object it may have some members only, and the
 * required ones beside them have examples of their own. Optional members without a place in it are left out. A text or
 * a number that may be null is null unless its schema has an example. Throws an assertion for a text without one.
 */
export function exampleOf(schema: AnswerSchema): unknown {
  return valueOf(schema);
}

/** The schema with another example; of an object, with other members in it. */
export function withExample<Schema extends AnswerSchema>(schema: Schema, example: string | object): Schema {
  const { examples: [own] = [] }: SchemaShape = schema;
  return { ...schema, examples: [typeof example === 'string' ? example : { ...Object(own), ...example }] };
}

function valueOf(schema: SchemaShape): unknown {
  const { examples: [own] = [], anyOf, items = schema.longItems, properties, required = [], minimum = 0 } = schema;
  if (properties !== undefined) {
    const given = Object(own) as Readonly<Record<string, unknown>>;
    const shown = Object.entries(properties).filter(([name]) => name in given || required.includes(name));
    return Object.fromEntries(shown.map(([name, member]) => [name, name in given ? given[name] : valueOf(member)]));
  }
  if (own !== undefined) return own;
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (anyOf !== undefined) {
    const [first = {}] = anyOf;
    const isShown = ['examples', 'properties', 'items'].some((keyword) => keyword in first);
    return !isShown && anyOf.some(({ type }) => type === 'null') ? null : valueOf(first);
  }
  if (items !== undefined) return [valueOf(items)];
  if (schema.type === 'boolean') return true;
  assert(schema.type === 'integer', `the schema of "${schema.description}" has an example`);
  return minimum;
}
