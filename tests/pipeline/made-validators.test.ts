import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { SchemaShape } from '../../api/bodies/schema.ts';
import type { madeValidators } from '../../api/pipeline/made-validators.ts';
import type { Violation } from '../../api/pipeline/body-faults.ts';
import { codeOfValidators, validatorOf } from '../../api/pipeline/validators.ts';
import { bodySchemas } from './body-schemas.ts';

/* Validators that a build makes judge as those that ajv compiles at run time do. */

const values = [null, true, -1, 1.5, '', ' ', 'x', 'NOK', '2027-02-30', 'æ😀'.repeat(300), 'a\uD800', [], [1, 1], {}];

/** The code as the build evaluates it. */
function evaluated(schemas: readonly object[]): typeof madeValidators {
  const maker = new Function('require', `return ${codeOfValidators(schemas)}`) as (
    require: NodeJS.Require,
  ) => typeof madeValidators;
  return maker(createRequire(import.meta.url));
}

/** A value with every member of a schema, as an example has it where there is one. */
function wholeOf({ properties, items, anyOf, examples, enum: choices }: SchemaShape): unknown {
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, wholeOf(member)]));
  if (items !== undefined) return [wholeOf(items), wholeOf(items)];
  const inner = anyOf?.find((one) => one.properties ?? one.items);
  return inner === undefined ? (examples?.[0] ?? choices?.[0] ?? 'x') : wholeOf(inner);
}

/** Wrong values in the place of a value, and of each value in it, which then stands alone: a whole one, and one with a member too few or too many. */
function* wrong(value: unknown): Generator {
  yield* [...values, value];
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  if (!isList) yield { ...value, unknown: 1 };
  for (const [name, inner] of Object.entries(isList ? value.slice(0, 1) : value)) {
    if (!isList) yield { ...value, [name]: undefined };
    for (const each of wrong(inner)) yield isList ? [each] : { [name]: each };
  }
}

describe('a validator that is made finds what a compiled one finds', () => {
  const schemas = Object.values(bodySchemas);
  const made = evaluated(schemas);
  const broken = new Set<string>();

  test.each(Object.entries<object>(bodySchemas))('%s', (_name, schema) => {
    const [one, other] = [validatorOf(schema, made), validatorOf(schema, {})];
    expect(['schemaEnv' in one, 'schemaEnv' in other]).toEqual([false, true]);
    let faulty = 0;
    for (const body of wrong(wholeOf(schema))) {
      for (const isOn of [false, true]) {
        const context = { quirks: { has: () => isOn } };
        const results = [one, other].map(
          (validator) => [validator.call(context, body), validator.errors ?? []] as const,
        );
        // Not by expect, which takes minutes for so many.
        if (!isDeepStrictEqual(results[0], results[1])) expect(results[0]).toEqual(results[1]);
        const [found, wanted] = results.map(([, errors]) => errors);
        for (const [index, { keyword, parentSchema }] of (found ?? []).entries()) {
          broken.add(keyword);
          // Refusals are told in the words of the very schema that the program has.
          if (parentSchema !== wanted?.[index]?.parentSchema) throw new Error(`${keyword} is told of another schema`);
        }
        faulty += found?.length ?? 0;
      }
    }
    expect(faulty).toBeGreaterThan(values.length);
  });

  test('and so for every keyword that refuses anything', () => {
    const kinds = ['additionalProperties', 'enum', 'format', 'maxItems', 'maxLength', 'minItems', 'minLength'];
    expect([...broken]).toEqual(
      expect.arrayContaining([...kinds, 'minimum', 'pattern', 'required', 'rules', 'type', 'uniqueItems']),
    );
  });
});

test('a schema that differs from the one that a validator was made of has none', () => {
  const made = evaluated([bodySchemas.snapshot]);
  const longer = { ...bodySchemas.snapshot, minProperties: 2 };
  const faults = (schema: object): readonly Violation[] => {
    const validator = validatorOf(schema, made);
    validator.call({ quirks: new Set() }, { name: 'a' });
    return validator.errors ?? [];
  };
  expect(faults(bodySchemas.snapshot)).toEqual([]);
  expect(faults(longer)).toMatchObject([{ keyword: 'minProperties' }]);
});
