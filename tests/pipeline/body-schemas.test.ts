import { closed } from '../../api/bodies/schema.ts';
import * as Type from 'typebox';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { controlEndpoint } from '../../api/control/control-endpoint.ts';
import { endpoint, type Call, type Endpoint } from '../../api/pipeline/endpoint.ts';
import { bodySchemas, type BodyName } from './body-schemas.ts';
import { bodyFaults } from './faults-of.ts';

const bodies = Object.entries(bodySchemas).map(([name, schema]) => ({ name: name as BodyName, schema }));
const metaschema = new Ajv2020({ strict: false });

/** A schema with every schema inside it; `longItems` are the items of a list that is checked item by item. */
function schemasIn(schema: object): object[] {
  const { properties = {}, items, longItems } = schema as Readonly<Record<string, object | undefined>>;
  const inside: (object | undefined)[] = [...Object.values<object>({ ...properties }), items, longItems];
  return [schema, ...inside.flatMap((each) => (each === undefined ? [] : schemasIn(each)))];
}

describe('the schema of a body', () => {
  test.each(bodies)('$name is JSON Schema 2020-12, the dialect of OpenAPI 3.1', ({ schema }) => {
    expect(metaschema.validateSchema(schema)).toBe(true);
  });

  test.each(bodies)('$name has a title and a description, and so has what is in it a description', ({ schema }) => {
    expect(schema).toMatchObject({ title: expect.any(String), description: expect.stringMatching(/\.$/) });
    for (const each of schemasIn(schema)) {
      const { description, expected } = each as { description?: string; expected?: string };
      expect(description ?? expected).toEqual(expect.stringMatching(/\S/));
    }
  });

  test.each(bodies)('$name: objects refuse unknown members, or say what any member holds', ({ schema }) => {
    for (const each of schemasIn(schema)) {
      const { type, additionalProperties } = each as { type?: unknown; additionalProperties?: unknown };
      if (type === 'object') expect(additionalProperties).not.toBe(undefined);
    }
  });

  test.each(bodies)('$name: its examples pass', ({ name, schema }) => {
    const { examples = [] } = schema as { examples?: readonly unknown[] };
    expect(examples.flatMap((example) => bodyFaults(name, example))).toEqual([]);
  });

  test('titles are told apart', () => {
    const titles = bodies.map(({ schema }) => Reflect.get(schema, 'title'));
    expect(new Set(titles).size).toBe(bodies.length);
  });

  test('every body of the API is among them', () => {
    const api = new URL('../../api/', import.meta.url);
    const texts = readdirSync(api, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(new URL(file, api), 'utf8'));
    const names = texts.flatMap((text) => text.match(/(?<=^export const )\w+(Body|File|Item)(?= = )/gm) ?? []);
    expect(names.length).toBe(bodies.length);
  });
});

test('a handler takes what the schema of its endpoint lets through, or it is no program', () => {
  const common = { role: null } as const;
  const named = ({ body }: Call<{ name: string }>) => Promise.resolve({ status: 200, body: body.name });
  const fits = endpoint('POST /x', { ...common, body: bodySchemas.snapshot, handle: named });
  // @ts-expect-error the schema has no name
  const other = endpoint('POST /x', { ...common, body: bodySchemas['forced-status'], handle: named });
  // @ts-expect-error a list of endpoints takes one with a body from endpoint() only
  const untied: Endpoint = { ...fits, body: bodySchemas.snapshot, handle: named };
  const answer = closed({ name: Type.String() });
  controlEndpoint('POST /x', {
    answer,
    body: bodySchemas.reset,
    // @ts-expect-error the same on the control plane
    handle: (call) => Promise.resolve({ name: call.readBody().name }),
  });
  expect([fits, other, untied].map(({ body }) => Reflect.get(body ?? {}, 'title'))).toEqual([
    'Snapshot',
    'ForcedStatus',
    'Snapshot',
  ]);
});
