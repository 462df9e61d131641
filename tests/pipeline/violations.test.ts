import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exampleOf } from '../../api/bodies/examples.ts';
import type { AnswerSchema, SchemaShape } from '../../api/bodies/schema.ts';
import { formats } from '../../api/pipeline/body-faults.ts';
import { violationsOf } from '../../api/pipeline/violations.ts';
import { scenarioSchema } from '../../api/catalogue/scenario.ts';
import { bodySchemas } from './body-schemas.ts';

/** Another library, which knows JSON Schema and nothing of rules. */
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, validateSchema: false, meta: false });
for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, (text: string) => check(text) === null);
ajv.addVocabulary(['expected', 'missing', 'longItems', 'general', 'documented', 'rules']);

/** Values that some keyword refuses. */
const odd: readonly unknown[] = [
  ...[5, 1.5, -1, 1e9, Infinity, true, null, [], {}, ['a', 'b', 'a'], [{}, 5], { NOK: '1.00', x: 1 }],
  ...['', ' ', 'x', 'NOK', '2027-02-30', '1'.repeat(36), '\u{1F3E6}'.repeat(70), 'x'.repeat(9_000)],
];

/** Each value with one part of it changed, taken away or added. */
function* changesOf(value: unknown): Generator<unknown> {
  yield* odd;
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  const parts: [string, unknown][] = Object.entries(value);
  const made = (changed: readonly (readonly [string, unknown])[]): unknown =>
    isList ? changed.map(([, part]) => part) : Object.fromEntries(changed);
  for (const [index, [name, part]] of parts.entries()) {
    yield made(parts.toSpliced(index, 1));
    for (const change of changesOf(part)) yield made(parts.toSpliced(index, 1, [name, change]));
  }
  yield made([...parts, ['a/b~c', 'x']]);
  if (parts[0] !== undefined) yield made([...parts, [`${parts[0][0]}s`, parts[0][1]], ['toString', 1]]);
}

/** An example with every optional member. */
function wholeOf(schema: SchemaShape): unknown {
  const { properties, patternProperties = {}, items = schema.longItems } = schema;
  if (items !== undefined) return [wholeOf(items)];
  const named = Object.values(patternProperties).map((member) => ['NOK', wholeOf(member)] as const);
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, wholeOf(member)] as const);
  if (properties !== undefined || named.length > 0) return Object.fromEntries([...members, ...named]);
  const isShown = ['examples', 'enum', 'anyOf', 'const'].some((keyword) => keyword in schema);
  return isShown ? exampleOf(schema) : 'x';
}

/** As {@link violationsOf} names it: `/payments/3/a~1b` is `payments[3].a/b`. */
function dotted(pointer: string): string {
  const names = pointer.split('/').slice(1);
  return names
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('')
    .replace(/^\./, '');
}

/** What both name beside keyword and path. */
function named(params: Readonly<Record<string, unknown>>): unknown {
  return params['missingProperty'] ?? params['additionalProperty'] ?? null;
}

test.each(Object.entries({ ...bodySchemas, scenario: scenarioSchema }))(
  '%s: ajv finds the same violations in the same order in a whole example after any change',
  (_, schema) => {
    const example = wholeOf(schema as AnswerSchema);
    const validate = ajv.compile(schema);
    let refused = 0;
    for (const value of [example, ...changesOf(example)]) {
      const ours = violationsOf(schema, value, new Set());
      const own = ours.filter(({ keyword }) => keyword !== 'rules');
      refused += own.length;
      validate(value);
      const theirs = (validate.errors ?? []).map((one) => [one.keyword, dotted(one.instancePath), named(one.params)]);
      expect(own.map(({ keyword, path, params }) => [keyword, path, named(params)])).toEqual(theirs);
    }
    expect(refused).toBeGreaterThan(odd.length);
  },
);
