import { assert } from '../../engine/values/assert.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { storyDays } from '../bodies/examples.ts';
import { isObject, type JsonObject } from './json.ts';

/** What a quirk may change of an API document: its operations by path and verb, and the parts that they share. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  readonly components: JsonObject;
}

/** The time of the bank for which a document is made, for quirks that follow the clock. */
export interface Moment {
  readonly today: LocalDate;
  /** The day on which the clock of the bank started. */
  readonly start: LocalDate;
}

/** Makes another schema, operation or parameter of one. */
export type Change = (part: JsonObject) => JsonObject;

/* Titles of schemas. */
export const accountTransactions = ['BookedTransaction', 'PendingTransaction', 'TransactionInFull'] as const;
export const cardTransactions = ['BookedCardTransaction', 'PendingCardTransaction'] as const;
/** Lists of transactions, of an account and of a card. */
export const pages = ['TransactionReport', 'CardTransactionReport'] as const;
/** Payments as they were sent, when one is read. */
export const payments = [
  ...['CreditTransfer', 'InstantCreditTransfer', 'SepaCreditTransfer', 'CrossBorderCreditTransfer'],
  ...['PeriodicPayment', 'BulkPayment'],
] as const;

export const dateSchema: JsonObject = { type: 'string', format: 'date', examples: [storyDays.today] };

/** Changes the shared schemas of these titles. Throws an assertion for a title that the document does not have. */
export function inSchemas(document: Contract, titles: readonly string[], change: Change): Contract {
  const changed = titles.map((title) => [title, change(schemaOf(document, title))]);
  return withSchemas(document, Object.fromEntries(changed) as JsonObject);
}

/** Changes the operations whose name, such as `GET /accounts/{accountId}`, fits the pattern. */
export function inOperations(document: Contract, names: RegExp, change: Change): Contract {
  const paths = Object.entries(document.paths).map(([path, verbs]) => {
    const changed = Object.entries(verbs).map(([verb, operation]) => {
      return [verb, names.test(`${verb.toUpperCase()} ${path}`) ? change(operation) : operation];
    });
    return [path, Object.fromEntries(changed)];
  });
  return { ...document, paths: Object.fromEntries(paths) as Contract['paths'] };
}

/** Changes the parameter of this name of an operation; other operations keep theirs, shared or not. */
export function inParameter({ components }: Contract, name: string, change: Change): Change {
  const shared = components['parameters'] as JsonObject;
  const own = (part: JsonObject): JsonObject =>
    typeof part['$ref'] === 'string' ? (shared[part['$ref'].replace(/^.*\//, '')] as JsonObject) : part;
  return (operation) => {
    const parameters = (operation['parameters'] as readonly JsonObject[]).map((part) => {
      return own(part)['name'] === name ? change(own(part)) : part;
    });
    return { ...operation, parameters };
  };
}

/**
 * Gives the schemas of `roots` parts of their own: each schema of `titles` is copied under its title and `ending`, and
 * the roots and the copies refer to the copies. What else refers to these titles keeps them.
 */
export function withOwnParts(
  document: Contract,
  roots: readonly string[],
  titles: readonly string[],
  ending: string,
): Contract {
  const refers = (schema: unknown): unknown =>
    JSON.parse(
      titles.reduce(
        (text, title) => text.replaceAll(`"${prefix}${title}"`, `"${prefix}${title}${ending}"`),
        JSON.stringify(schema),
      ),
    );
  const kept = roots.map((title) => [title, refers(schemaOf(document, title))]);
  const copies = titles.map((title) => [`${title}${ending}`, refers(schemaOf(document, title))]);
  return withSchemas(document, Object.fromEntries([...kept, ...copies]) as JsonObject);
}

const prefix = '#/components/schemas/';

/** A shared schema by its title. */
export function schemaOf(document: Contract, title: string): JsonObject {
  const { [title]: schema } = sharedSchemas(document);
  assert(isObject(schema), `the API document has the schema ${title}`);
  return schema;
}

/** Changes the codes that refusals of this status may have. */
export function withCodes(
  document: Contract,
  status: number,
  change: (codes: readonly string[]) => readonly string[],
): Contract {
  const code = (schema: JsonObject): JsonObject => ({ ...schema, enum: change(schema['enum'] as readonly string[]) });
  return inSchemas(document, [`Refusal${status}Message`], at('code', code));
}

/** Adds a page of a gateway to the refusals of this status; `isOnly`: such a refusal has no other form. */
export function withPage(document: Contract, status: number, isOnly: boolean): Contract {
  const responses = document.components['responses'] as JsonObject;
  const name = `Refusal${status}`;
  const { content, ...refusal } = responses[name] as JsonObject;
  const page = { 'text/html': { schema: { type: 'string', description: 'a page of a gateway' } } };
  const shown = { ...refusal, content: isOnly ? page : { ...(content as JsonObject), ...page } };
  return { ...document, components: { ...document.components, responses: { ...responses, [name]: shown } } };
}

function sharedSchemas({ components }: Contract): JsonObject {
  return components['schemas'] as JsonObject;
}

function withSchemas(document: Contract, changed: JsonObject): Contract {
  const schemas = { ...sharedSchemas(document), ...changed };
  return { ...document, components: { ...document.components, schemas } };
}

/** Takes members away from an object. */
export function lacking(...names: readonly string[]): Change {
  return withMembers((name) => !names.includes(name));
}

/** Leaves an object with these members only. */
export function limitedTo(...names: readonly string[]): Change {
  return withMembers((name) => names.includes(name));
}

function withMembers(isKept: (name: string) => boolean): Change {
  return ({ properties, required = [], ...schema }) => {
    const members = Object.entries(properties as JsonObject).filter(([name]) => isKept(name));
    return { ...schema, properties: Object.fromEntries(members), required: (required as string[]).filter(isKept) };
  };
}

/** Adds required members to an object, or gives members another schema. */
export function having(members: JsonObject): Change {
  return (schema) => ({
    ...schema,
    properties: { ...(schema['properties'] as JsonObject), ...members },
    required: [...new Set([...((schema['required'] ?? []) as string[]), ...Object.keys(members)])],
  });
}

/**
 * Changes the schema at a path of members; `[]` is the item of a list: `transactions.booked.[]`. A schema without it
 * stays.
 */
export function at(path: string, change: Change): Change {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? change : at(rest.join('.'), change);
  return (schema) => {
    if (name === '[]') return isObject(schema['items']) ? { ...schema, items: inner(schema['items']) } : schema;
    const { properties } = schema;
    if (!isObject(properties) || !isObject(properties[name])) return schema;
    return { ...schema, properties: { ...properties, [name]: inner(properties[name]) } };
  };
}

/** Adds keywords to a schema, or replaces them. */
export function also(keywords: JsonObject): Change {
  return (schema) => ({ ...schema, ...keywords });
}

/** Changes in this order. */
export function all(...changes: readonly Change[]): Change {
  return (part) => changes.reduce((changed, change) => change(changed), part);
}
