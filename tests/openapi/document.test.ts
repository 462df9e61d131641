import { describe, expect, test } from '@jest/globals';
import * as Type from 'typebox';
import { apiDocument, operationId, type Operation } from '../../api/openapi/document.ts';
import { closed, longList, meaning } from '../../api/bodies/schema.ts';
import { currency, date } from '../../api/bodies/values.ts';

const about = {
  title: 'A bank',
  version: '1.0.0',
  description: 'What it is.',
  servers: [{ url: 'http://127.0.0.1:7263/v1', description: 'The bank.' }],
  tags: [{ name: 'Things', description: 'What there is.' }],
};

function operation(own: Partial<Operation>): Operation {
  return {
    method: 'GET',
    path: '/things/:thingId',
    tag: 'Things',
    summary: 'Read a thing',
    parameters: [],
    body: null,
    answers: { 204: { description: 'Done.', content: null } },
    ...own,
  };
}

/** The schema of the one body of a document of one operation, and the schemas of its components. */
function documented(schema: Type.TSchema): { schema: unknown; schemas: unknown } {
  const content = { schema, examples: {} };
  const operations = [operation({ answers: { 200: { description: 'It.', content, name: 'Thing' } } })];
  const document = apiDocument({ about, operations });
  const { responses, schemas } = document.components as {
    responses: { Thing: { content: { 'application/json': { schema: unknown } } } };
    schemas: unknown;
  };
  return { schema: responses.Thing.content['application/json'].schema, schemas };
}

describe('an API document', () => {
  test('has the path with its parameter in braces, and an id for each operation', () => {
    const operations = [operation({}), operation({ method: 'DELETE' })];
    const document = apiDocument({ about, operations });
    expect(document.paths).toMatchObject({
      '/things/{thingId}': { get: { operationId: 'getThingsByThingId' }, delete: { responses: { 204: {} } } },
    });
    expect(operationId({ method: 'POST', path: '/card-accounts/:cardId/x' })).toBe('postCardAccountsByCardIdX');
  });

  test('leaves out keywords of our own; the items of a long list are items', () => {
    const items = closed({ name: Type.String({ description: 'a name', expected: 'one' }) }, { rules: [() => []] });
    const list = longList(items, { description: 'a list', minItems: 1 });
    expect(documented(closed({ list })).schema).toEqual({
      type: 'object',
      required: ['list'],
      description: 'an object with list',
      additionalProperties: false,
      properties: {
        list: {
          type: 'array',
          description: 'a list',
          minItems: 1,
          items: {
            type: 'object',
            required: ['name'],
            description: 'an object with name',
            additionalProperties: false,
            properties: { name: { type: 'string', description: 'a name' } },
          },
        },
      },
    });
  });

  test('collects a schema with a title once, and keeps what it means in each place', () => {
    const schema = closed({ from: meaning('The first day.', date), to: Type.Optional(date) });
    expect(documented(schema)).toMatchObject({
      schema: {
        properties: {
          from: { $ref: '#/components/schemas/Date', description: 'The first day.' },
          to: { $ref: '#/components/schemas/Date' },
        },
      },
      schemas: { Date: { type: 'string', format: 'date', description: 'a plain date, YYYY-MM-DD' } },
    });
  });

  test('lists the words of a format that has a list', () => {
    const { schemas } = documented(closed({ currency }));
    expect(schemas).toMatchObject({ Currency: { type: 'string', enum: expect.arrayContaining(['NOK', 'EUR']) } });
  });

  test('refuses two schemas with one title', () => {
    const one = Type.String({ title: 'Name', minLength: 1 });
    const other = Type.String({ title: 'Name', minLength: 2 });
    expect(() => documented(closed({ one, other }))).toThrow('one schema has the title Name');
  });

  test('collects parameters by name; one of the same name that differs stays where it is', () => {
    const limit = { in: 'query', name: 'limit', description: 'How many.', required: false } as const;
    const small = { ...limit, schema: Type.Integer({ maximum: 10 }) };
    const large = { ...limit, schema: Type.Integer({ maximum: 1000 }), example: 100 };
    const operations = [
      operation({ parameters: [small] }),
      operation({ method: 'DELETE', parameters: [small] }),
      operation({ method: 'PUT', parameters: [large] }),
    ];
    const document = apiDocument({ about, operations });
    const reference = { parameters: [{ $ref: '#/components/parameters/limit' }] };
    expect(document.paths['/things/{thingId}']).toMatchObject({
      get: reference,
      delete: reference,
      put: { parameters: [{ name: 'limit', schema: { maximum: 1000 }, example: 100 }] },
    });
  });
});
