import { isObject, type JsonObject } from '../../api/quirks/json.ts';
import { formats } from '../../api/pipeline/body-faults.ts';
import { assert } from '../../engine/values/assert.ts';
import { isEmail, words } from '../../engine/values/text.ts';
import { parseLocalDate } from '../../engine/values/local-date.ts';

/** Where a value does not fit its schema. */
export interface Misfit {
  /** The path without the places in lists: `accounts[].name`. */
  readonly member: string;
  readonly kind: 'lost' | 'added' | 'type' | 'value';
  /** What the document asks for there, in words. */
  readonly document: string;
  /** What stands there. Undefined means nothing. */
  readonly bank: unknown;
}

/** The formats of documents. One that nobody checks says nothing. */
const ownFormats: Readonly<Record<string, (text: string) => boolean>> = {
  ...Object.fromEntries(Object.entries(formats).map(([name, wrongIn]) => [name, (text) => wrongIn(text) === null])),
  date: (text) => parseLocalDate(text) !== null,
  email: isEmail,
  uri: (text) => URL.canParse(text),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
};

/** What keywords of one type of values ask for, in words before the keyword's own value, and whether a value has it. */
const limits: Readonly<Record<string, readonly [type: string, words: string, fits: Limit]>> = {
  minLength: ['string', 'characters, at least', (text, least) => Array.from(text as string).length >= Number(least)],
  maxLength: ['string', 'characters, at most', (text, most) => Array.from(text as string).length <= Number(most)],
  pattern: ['string', 'the pattern', (text, pattern) => new RegExp(String(pattern), 'u').test(String(text))],
  format: ['string', 'the format', (text, format) => ownFormats[String(format)]?.(String(text)) ?? true],
  minimum: ['number', 'at least', (number, least) => Number(number) >= Number(least)],
  maximum: ['number', 'at most', (number, most) => Number(number) <= Number(most)],
  minItems: ['array', 'items, at least', (list, least) => listOf(list).length >= Number(least)],
  maxItems: ['array', 'items, at most', (list, most) => listOf(list).length <= Number(most)],
  uniqueItems: ['array', 'different items:', (list) => new Set(listOf(list).map(toJson)).size === listOf(list).length],
};
const toJson = (value: unknown): string => JSON.stringify(value);

type Limit = (value: unknown, wanted: unknown) => boolean;

/** Keywords that are judged, and those that only readers need. An unknown one would be overlooked. */
export const keywords: ReadonlySet<string> = new Set([
  ...Object.keys(limits),
  ...words(['$ref allOf anyOf oneOf not if then else type enum const items required properties additionalProperties']),
  ...words(['title description examples example default deprecated']),
]);

/** Judges values by the schemas of one document (JSON Schema 2020-12, as far as API documents of this bank use it). */
export class SchemaJudge {
  readonly #document: object;
  readonly #resolved = new Map<string, JsonObject>();

  constructor(document: object) {
    this.#document = document;
  }

  /** Where the value does not fit; none: it fits. Throws an assertion for an unknown keyword. */
  misfits(schema: unknown, value: unknown, member = ''): readonly Misfit[] {
    const found: Misfit[] = [];
    this.#judge(schema, value, member, found);
    return found;
  }

  /** What a reference leads to, or the part itself. */
  resolved(part: unknown): JsonObject {
    const own = isObject(part) ? part : {};
    const { $ref: reference } = own;
    if (typeof reference !== 'string') return own;
    let target = this.#resolved.get(reference);
    if (target === undefined) {
      const names = reference.split('/').slice(1);
      target = this.resolved(
        names.reduce((at: unknown, name) => (isObject(at) ? at[name] : undefined), this.#document),
      );
      this.#resolved.set(reference, target);
    }
    return target;
  }

  #judge(schema: unknown, value: unknown, member: string, found: Misfit[]): void {
    if (schema === false) found.push({ member, kind: 'added', document: 'nothing', bank: value });
    if (!isObject(schema)) return;
    const [type, start] = [typeOf(value), found.length];
    const tell = (kind: Misfit['kind'], document: string) => void found.push({ member, kind, document, bank: value });
    const types = listOf(schema['type'] ?? type);
    const isOfType = types.includes(type) || (types.includes('integer') && Number.isInteger(value));
    if (!isOfType) return tell('type', types.join(' or '));
    for (const [keyword, wanted] of Object.entries(schema)) {
      const [ofType, asks, fits] = limits[keyword] ?? [];
      assert(keywords.has(keyword) || keyword.startsWith('x-'), `drift judges the keyword ${keyword}`);
      if (ofType === type && fits?.(value, wanted) === false) tell('value', `${asks} ${String(wanted)}`);
      else if (keyword === 'enum' && !listOf(wanted).includes(value)) tell('value', `one of ${String(wanted)}`);
      else if (keyword === 'const' && value !== wanted) tell('value', JSON.stringify(wanted));
      else if (keyword === 'not' && this.misfits(wanted, value).length === 0) tell('value', 'another one');
      else if (keyword === '$ref') this.#judge(this.resolved(schema), value, member, found);
      else if (keyword === 'allOf') for (const part of listOf(wanted)) this.#judge(part, value, member, found);
      else if (keyword === 'anyOf' || keyword === 'oneOf') found.push(...this.#nearest(listOf(wanted), value, member));
      else if (keyword === 'items' && type === 'array')
        for (const item of listOf(value)) this.#judge(wanted, item, `${member}[]`, found);
    }
    if (isObject(value)) this.#members(schema, value, member, found);
    if (schema['if'] === undefined) return;
    // What holds of some values only may repeat what was found already.
    const told = new Set(found.slice(start).map((one) => `${one.member} ${one.kind}`));
    const branch = this.misfits(schema['if'], value).length === 0 ? schema['then'] : schema['else'];
    found.push(...this.misfits(branch, value, member).filter((one) => !told.has(`${one.member} ${one.kind}`)));
  }

  #members(schema: JsonObject, value: JsonObject, member: string, found: Misfit[]): void {
    const { required = [], properties = {}, additionalProperties } = schema;
    const at = (name: string): string => (member === '' ? name : `${member}.${name}`);
    for (const name of listOf(required).map(String))
      if (!Object.hasOwn(value, name))
        found.push({ member: at(name), kind: 'lost', document: 'always there', bank: undefined });
    const own = properties as JsonObject;
    for (const [name, part] of Object.entries(value))
      this.#judge(Object.hasOwn(own, name) ? own[name] : additionalProperties, part, at(name), found);
  }

  /** The fewest misfits of several schemas. A schema of another type is farther than any of the same type. */
  #nearest(schemas: readonly unknown[], value: unknown, member: string): readonly Misfit[] {
    const all = schemas.map((schema) => this.misfits(schema, value, member));
    const distance = (found: readonly Misfit[]): number =>
      found.length + (found[0]?.member === member && found[0].kind === 'type' ? 1_000 : 0);
    return all.toSorted((one, other) => distance(one) - distance(other))[0] ?? [];
  }
}

/** The type of a value, as JSON Schema names it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}
