import { assert } from '../../engine/values/assert.ts';
import type { AnswerSchema, SchemaShape } from './schema.ts';

/**
 * A value that fits the schema. Its own first example comes first; of an object it may have some members only, and the
 * required ones beside them have examples of their own. Optional members without a place in it are left out. A text or a
 * number that may be null is null unless its schema has an example. Throws an assertion for a text without one.
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
