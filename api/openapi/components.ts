import { countries } from '../../engine/values/country.ts';
import { currencies } from '../../engine/values/money.ts';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { assert } from '../../engine/values/assert.ts';
import type { AnswerSchema, SchemaShape } from '../bodies/schema.ts';
import { isObject, type JsonObject } from '../quirks/json.ts';

/** An object of the document. */
export type Json = JsonObject;

/** Parts of a document that its operations share, by kind and name. */
type Kind = 'schemas' | 'parameters' | 'responses';

const shownBic = '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$';
const bicPattern = shownBic.replaceAll('A-Z', 'A-Za-z');

/**
 * Our formats as JSON Schema says them. Others keep their name: a format that a tool does not know says nothing to it.
 */
const formats: Readonly<Record<string, Json>> = {
  currency: { enum: currencies },
  country: { enum: countries },
  frequency: { enum: frequencies },
  'local-date': { format: 'date' },
  'email-address': { format: 'email' },
  'bank-duration': { format: 'duration' },
  iban: { pattern: '^[A-Za-z] *[A-Za-z] *\\d *\\d( *[A-Za-z0-9]){11,30}$' },
  bic: { pattern: bicPattern },
  'bank-code': { pattern: `${bicPattern}|^[A-Z0-9]{6}$` },
  'day-of-month': { not: { pattern: '^(00?|3[2-9]|[4-9]\\d)$' } },
};

/** Those of answers: a bank shows in one spelling what it takes in several (rules.md P5d). */
const shownFormats: typeof formats = {
  ...formats,
  iban: {
    description: 'an IBAN in capitals without blanks',
    maxLength: 34,
    pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$',
    format: 'iban',
  },
  bic: { pattern: shownBic },
  'bank-code': { pattern: `${shownBic}|^[A-Z0-9]{6}$` },
};

/** Keywords of ours (api/bodies/schema.ts), which the document leaves out. */
const ownKeywords: ReadonlySet<string> = new Set(['expected', 'missing', 'rules', 'longItems', 'general', 'format']);

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'unevaluatedProperties', 'not']);
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/**
 * Collects what the operations of one document share, each part once. `isWhole`: nothing is shared, and each schema has
 * its parts in itself.
 */
export class Components {
  readonly #isWhole: boolean;
  /** The result for each schema of requests and of answers: most schemas stand in many places. */
  readonly #made = { request: new Map<object, Json>(), answer: new Map<object, Json>() };
  #side: 'request' | 'answer' = 'request';
  readonly #parts: Readonly<Record<Kind, Map<string, Json>>> = {
    schemas: new Map(),
    parameters: new Map(),
    responses: new Map(),
  };

  constructor(isWhole = false) {
    this.#isWhole = isWhole;
  }

  /**
   * The schema as OpenAPI 3.1 has it, without keywords of our own. One with a title becomes a component of that name,
   * and the result refers to it. Two different schemas with one title are a bug, which is thrown.
   */
  schema(schema: AnswerSchema | Json): Json {
    const known = this.#made[this.#side].get(schema);
    if (known !== undefined) return known;
    const made = this.#make(schema);
    this.#made[this.#side].set(schema, made);
    return made;
  }

  /**
   * As {@link schema}, of an answer. Its name begins with `Shown` if a request that was collected before has it too, in
   * more spellings.
   */
  shown(schema: AnswerSchema | Json): Json {
    return this.#of('answer', schema);
  }

  #of(side: 'request' | 'answer', schema: AnswerSchema | Json): Json {
    const before = this.#side;
    this.#side = side;
    const made = this.schema(schema);
    this.#side = before;
    return made;
  }

  #make(schema: AnswerSchema | Json): Json {
    const { title, general, description }: SchemaShape = schema;
    if (isObject(general)) return { ...this.schema(general), description };
    if (this.#isWhole || typeof title !== 'string') return this.#plain(schema);
    const plain = this.#plain(schema);
    let reference = this.shared('schemas', title, plain);
    if (!('$ref' in reference) && this.#side === 'answer') {
      // Throws for another schema.
      this.#of('request', schema);
      reference = this.shared('schemas', `Shown${title}`, plain);
    }
    assert('$ref' in reference, `one schema has the title ${title}`);
    return reference;
  }

  /** A reference to the part of this name; the part itself where the name is taken by another one. */
  shared(kind: Kind, name: string, part: Json): Json {
    const parts = this.#parts[kind];
    const known = parts.get(name);
    if (known === undefined) parts.set(name, part);
    else if (JSON.stringify(known) !== JSON.stringify(part)) return part;
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** The collected parts by name, in alphabetical order. */
  collected(): Json {
    return Object.fromEntries(
      Object.entries(this.#parts).map(([kind, parts]) => [kind, Object.fromEntries([...parts].sort(byName))]),
    );
  }

  #plain(schema: AnswerSchema | Json): Json {
    const { description, expected }: SchemaShape = schema;
    const members = Object.entries(schema).flatMap(([keyword, value]) => this.#keyword(keyword, value));
    const described = description === undefined && typeof expected === 'string' ? { description: expected } : {};
    return withType({ ...described, ...Object.fromEntries(members) });
  }

  #keyword(keyword: string, value: unknown): (readonly [string, unknown])[] {
    if (keyword === 'format') {
      const known = this.#side === 'answer' ? shownFormats : formats;
      return Object.entries(known[String(value)] ?? { format: value });
    }
    if (keyword === 'documented' && isObject(value)) return Object.entries(value);
    if (keyword === 'longItems' && isObject(value)) return [['items', this.schema(value)]];
    // An example of a whole body is told with the operation, with dates of today.
    if (keyword === 'examples') return hasPlainValues(value) ? [[keyword, value]] : [];
    if (keyword.startsWith('~') || ownKeywords.has(keyword)) return [];
    if (single.has(keyword) && isObject(value)) return [[keyword, this.schema(value)]];
    if (lists.has(keyword)) return [[keyword, jsonsIn(value).map((item) => this.schema(item))]];
    if (named.has(keyword) && isObject(value)) {
      const members = Object.entries(value).map(([name, member]) => [
        name,
        isObject(member) ? this.schema(member) : member,
      ]);
      return [[keyword, Object.fromEntries(members)]];
    }
    return [[keyword, value]];
  }
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function jsonsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function hasPlainValues(examples: unknown): boolean {
  return Array.isArray(examples) && examples.every((value) => typeof value !== 'object');
}

/** Words of one type say which, for generators of clients. */
function withType(schema: Json): Json {
  const { enum: words, type } = schema;
  if (type !== undefined || !Array.isArray(words)) return schema;
  const types = new Set(words.map((word: unknown) => typeof word));
  return types.size === 1 ? { type: [...types][0], ...schema } : schema;
}
