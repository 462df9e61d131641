import { story } from '../bodies/examples.ts';
import type { Contract } from '../quirks/contract.ts';
import { listed } from '../bodies/rule.ts';
import { isObject, type JsonObject } from '../quirks/json.ts';

/** The operations of a document with examples of answers that fit its schemas, after quirks have changed these. */
export function withFittedExamples({ paths, components }: Contract): Contract['paths'] {
  const schemas = components['schemas'] as JsonObject;
  return JSON.parse(JSON.stringify(paths), (_name, part: unknown) => {
    if (!isObject(part) || !isObject(part['schema']) || !isObject(part['examples'])) return part;
    const { schema, examples } = part;
    const fit = ([name, example]: [string, unknown]) => {
      return [name, { ...(example as JsonObject), value: fitted(schema, (example as JsonObject)['value'], schemas) }];
    };
    return { ...part, examples: Object.fromEntries(Object.entries(examples).map(fit)) as JsonObject };
  }) as Contract['paths'];
}

const values: ReadonlySet<unknown> = new Set(Object.values(story));

/** The value as the schema has it: without members that it does not have, with those that it requires. */
function fitted(given: JsonObject, value: unknown, schemas: JsonObject): unknown {
  const schema = resolved(given, schemas);
  const { properties, items, required, pattern, examples } = schema;
  const sample: unknown = 'const' in schema ? schema['const'] : Array.isArray(examples) ? examples[0] : undefined;
  const [first] = listed(schema['oneOf'] ?? schema['anyOf']) as readonly JsonObject[];
  if (first !== undefined) return fitted(first, value, schemas);
  if (isObject(properties)) {
    const had = isObject(value) ? value : {};
    const shown = Object.entries(properties).flatMap(([name, member]) => {
      const isShown = name in had || (Array.isArray(required) && required.includes(name));
      return isShown ? [[name, fitted(member as JsonObject, had[name], schemas)]] : [];
    });
    return Object.fromEntries(shown) as JsonObject;
  }
  if (isObject(items) && Array.isArray(value)) return value.map((item) => fitted(items, item, schemas));
  // The bank writes its own ids in the place of those of the story.
  if (sample === undefined || values.has(value)) return value;
  const isOfForm =
    typeof value === typeof sample && (typeof pattern !== 'string' || new RegExp(pattern).test(String(value)));
  return isOfForm && !('const' in schema) ? value : sample;
}

function resolved(schema: JsonObject, schemas: JsonObject): JsonObject {
  const { $ref } = schema;
  return typeof $ref === 'string' ? resolved(schemas[$ref.replace(/^.*\//, '')] as JsonObject, schemas) : schema;
}
