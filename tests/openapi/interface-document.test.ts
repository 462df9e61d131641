import { readFileSync } from 'node:fs';
import { tellingNumbers } from '../../engine/values/numbers-with-a-meaning.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type ApiDocument, refusalName } from '../../api/openapi/document.ts';
import { endpoints } from '../../api/interface/index.ts';
import { headerRows } from '../../api/pipeline/request-headers.ts';
import { exampleOf, sendExample } from '../support/send-example.ts';
import { AnswerCheck } from '../support/answer-check.ts';
import { testBank } from '../support/test-bank.ts';

interface Media {
  readonly schema: object;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Shown {
  readonly name?: string;
  readonly example?: unknown;
  readonly schema: { readonly examples?: unknown };
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

const bank = testBank('2027-03-27T12:00:00+01:00');
let document: ApiDocument;
let operations: { readonly name: string; readonly path: string; readonly verb: string; readonly told: Described }[];

// Saturday before Easter: the next banking day is Tuesday 30 March 2027.
beforeAll(async () => {
  document = await read('/openapi.json');
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, told]) => {
      return { name: `${verb.toUpperCase()} ${path}`, path, verb, told: told as unknown as Described };
    }),
  );
});

async function read(path: string): Promise<ApiDocument> {
  const answer = await bank.raw('GET', path);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return answer.body as ApiDocument;
}

/** Every value of a key of this name, anywhere. */
function all(name: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([key, value]) => [...(key === name ? [value] : []), ...all(name, value)]);
}

function at(pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((found, name) => (found as Readonly<Record<string, unknown>>)[name], document);
}

function resolved<Part extends { readonly $ref?: string }>(part: Part): Part {
  return part.$ref === undefined ? part : (at(part.$ref) as Part);
}

test('E10, DW6: every answer has X-Request-ID; answers show IBANs and BICs in the one spelling that banks write', () => {
  const answers = operations.flatMap(({ name, told }) =>
    Object.entries(told.responses).map(([status, part]) => ({ name: `${name} ${status}`, part: resolved(part) })),
  );
  expect(answers.length).toBeGreaterThan(500);
  const lacking = answers.filter(({ part }) => !Object.hasOwn(Object(part).headers ?? {}, 'X-Request-ID'));
  expect(lacking.map(({ name }) => name)).toEqual([]);
  const patternOf = (name: string): RegExp =>
    new RegExp(String((at(`#/components/schemas/${name}`) as { readonly pattern?: string }).pattern), 'u');
  const spellings = ['NO9386011117947', 'no9386011117947', 'NO93 8601 1117 947', ' NO9386011117947'];
  expect(spellings.map((text) => patternOf('Iban').test(text))).toEqual([true, true, true, false]);
  expect(spellings.map((text) => patternOf('ShownIban').test(text))).toEqual([true, false, false, false]);
  expect(['DNBANOKK', 'dnbanokk'].map((text) => patternOf('ShownBic').test(text))).toEqual([true, false]);
  expect(
    all(
      '$ref',
      operations.map(({ told }) => told.requestBody),
    ).filter((ref) => /Shown/.test(String(ref))),
  ).toEqual([]);
});

describe('the document of the interface', () => {
  test('each reference leads to a part of the document', () => {
    const references = all('$ref', document) as string[];
    expect(references.length).toBeGreaterThan(500);
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\/components\//);
      expect(at(reference)).toEqual(expect.anything());
    }
  });

  test('its schemas are JSON Schema 2020-12, without keywords of ours', () => {
    const metaschema = new Ajv2020({ strict: false });
    for (const schema of Object.values(document.components['schemas'] as object)) {
      expect(metaschema.validateSchema(schema as object)).toBe(true);
    }
    const text = JSON.stringify(document);
    for (const own of ['"expected":', '"missing":', '"rules":', '"longItems":', '"general":', '"~']) {
      expect(text).not.toContain(own);
    }
  });

  test('has every endpoint, an endpoint with a body once for each product', () => {
    const wanted = endpoints.flatMap(({ method, path, body, products = [] }) => {
      const paths =
        body === null || products.length === 0 ? [path] : products.map((name) => path.replace(':product', name));
      return paths.map((each) => `${method} ${each.replaceAll(/:(\w+)/g, '{$1}')}`);
    });
    expect(operations.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
  });

  test('each operation has an id of its own, a summary, a group and parameters with words', () => {
    const ids = operations.map(({ told }) => told.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const groups = document.tags.map(({ name }) => name);
    for (const { name, path, told } of operations) {
      expect({ name, summary: told.summary }).toEqual({ name, summary: expect.stringMatching(/^\S.{5,}/) });
      expect(groups).toContain(told.tags[0]);
      const parameters = told.parameters.map(resolved);
      for (const parameter of parameters) expect(parameter).toMatchObject({ description: expect.stringMatching(/\S/) });
      const inPath = parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => `{${parameter.name}}`);
      expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  test('has every header whose form the bank checks, and requires what the bank requires', () => {
    const periodic = operations.find(({ name }) => name.startsWith('POST /periodic-payments/'));
    const headers = (periodic?.told.parameters ?? []).map(resolved).filter((parameter) => parameter.in === 'header');
    expect(headers.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...headerRows.map(({ name }) => name),
        // Every one of the interface document, also those that the bank takes as they are.
        ...[
          'PSU-User-Agent',
          'PSU-Accept',
          'PSU-Accept-Charset',
          'PSU-Accept-Encoding',
          'PSU-Accept-Language',
          'ASPSP-ID',
        ],
        'Date',
        'Digest',
        'Signature',
        'TPP-Signature-Certificate',
      ]),
    );
    const required = headers.filter((parameter) => Reflect.get(parameter, 'required') === true);
    expect(required.map(({ name }) => name)).toEqual([
      'X-Request-ID',
      'x-accept-fix',
      'TPP-Session-ID',
      'TPP-Redirect-URI',
      'PSU-IP-Address',
      ...['Date', 'Digest', 'Signature', 'TPP-Signature-Certificate'],
    ]);
  });

  test('is an OpenAPI 3.1 document by the published schema', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../data/openapi/schema-3.1.json', import.meta.url), 'utf8'),
    ) as object;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    validate(document);
    expect(validate.errors).toBe(null);
    validate({ ...document, paths: { accounts: {} } });
    expect(validate.errors).not.toBe(null);
  });

  test('each example of a request fits its schema, and each body has one, and those of creditor numbers with a meaning', () => {
    const { schemas } = document.components;
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(
      { components: { schemas } },
      'document',
    );
    const bodies = operations.flatMap(({ name, told }) =>
      Object.values(told.requestBody?.content ?? {}).map((media) => ({ name, ...media })),
    );
    expect(bodies).toHaveLength(17);
    const numbers = new Set(tellingNumbers.map(({ number }) => number));
    for (const { name, schema, examples } of bodies) {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object);
      const [first, ...others] = Object.keys(examples);
      expect([first, others.filter((each) => !numbers.has(each))]).toEqual(['example', []]);
      const errors = Object.values(examples).filter(({ value }) => !validate(value));
      expect({ name, errors }).toEqual({ name, errors: [] });
    }
  });

  test('each example of an answer fits its schema, and each body has one', () => {
    const check = new AnswerCheck(document, refusalName);
    for (const { name, path, verb, told } of operations) {
      for (const [status, response] of Object.entries(told.responses)) {
        for (const [contentType, { examples }] of Object.entries(resolved(response).content ?? {})) {
          const answer = {
            method: verb.toUpperCase(),
            path: path.replaceAll(/[{}]/g, ''),
            status: Number(status),
            contentType,
          };
          const faults = Object.values(examples).map(({ value }) =>
            check.faultOf({ ...answer, body: JSON.stringify(value) }),
          );
          expect({ name, status, faults }).toEqual({ name, status, faults: [null] });
        }
      }
    }
  });

  test('its dates are told from the clock of the bank', async () => {
    const payment = exampleOf(document, 'POST', '/payments/norwegian-domestic-credit-transfers');
    expect(payment.body).toMatchObject({ requestedExecutionDate: '2027-03-30' });
    await bank.advance({ to: '2027-05-14' });
    const later = exampleOf(await read('/openapi.json'), 'POST', '/payments/norwegian-domestic-credit-transfers');
    expect(later.body).toMatchObject({ requestedExecutionDate: '2027-05-18' });
    const door = `${bank.address}/sandbox/as/docs/v1`;
    expect(await sendExample(door, later)).toMatchObject({ status: 201, body: { transactionStatus: 'RCVD' } });
  });

  test('the address of an example list is of the days of its transactions', async () => {
    const text = JSON.stringify((await read('/openapi.json')).paths);
    // 90 days before today, and the last banking day.
    expect(text.match(/transactions\?bookingStatus=both&dateFrom=[\d-]+/g)).toEqual([
      'transactions?bookingStatus=both&dateFrom=2027-02-13',
      'transactions?bookingStatus=both&dateFrom=2027-02-13',
    ]);
    expect(new Set(text.match(/"(booking|transaction)Date":"[\d-]+/g)?.map((found) => found.slice(-10)))).toEqual(
      new Set(['2027-05-13']),
    );
  });

  test('generated clients: no variable of a server has a description, and no list of values has one text twice', async () => {
    const variables = (await read('/sandbox/as/shop/openapi.json')).servers.flatMap((one) =>
      Object.values(one.variables ?? {}),
    );
    expect(variables.map((variable) => Object.keys(variable))).toEqual([['default']]);
    const lists = all('enum', document) as unknown[][];
    expect(lists.length).toBeGreaterThan(20);
    for (const values of lists) expect(new Set(values.map(String)).size).toBe(values.length);
  });

  test('a named bank has its own, with its own address', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'other', now: '2030-01-02T12:00:00+01:00' });
    const other = await read('/banks/other/openapi.json');
    expect(other.servers.map(({ url }) => url)).toEqual([`${bank.address}/banks/other/v1`]);
    const payment = exampleOf(other, 'POST', '/payments/sepa-credit-transfers');
    expect(payment.body).toMatchObject({ requestedExecutionDate: '2030-01-03' });
    expect(await sendExample(`${bank.address}/banks/other/sandbox/as/docs/v1`, payment)).toMatchObject({ status: 201 });
  });

  test('the door of a TPP has its own, without what the door makes and without headers that contradict its example', async () => {
    const ofDoor = await read('/sandbox/as/shop/openapi.json');
    expect(ofDoor.servers).toMatchObject([
      { url: `${bank.address}/sandbox/as/{tpp}/v1`, variables: { tpp: { default: 'shop' } } },
    ]);
    const { parameters } = ofDoor.components as { parameters: Record<string, { example?: unknown }> };
    const made = ['X-Request-ID', 'Date', 'Digest', 'Signature', 'TPP-Signature-Certificate', 'PSU-Corporate-ID'];
    expect(made.filter((name) => name in parameters)).toEqual([]);
    expect(parameters).toMatchObject({ 'X-PSU-IDENTITY': {}, 'PSU-Context': {}, 'TPP-Redirect-URI': {} });
    expect(Object.keys(ofDoor.paths).toSorted()).toEqual(Object.keys(document.paths).toSorted());
    expect((await bank.raw('GET', '/sandbox/as/not_a_name/openapi.json')).status).toBe(400);
    expect((await bank.raw('POST', '/sandbox/as/shop/openapi.json')).status).toBe(404);
  });

  test('headers that exclude each other have no example together', () => {
    const { parameters } = document.components as { parameters: Record<string, Shown> };
    for (const { name, told } of operations) {
      const shown = told.parameters.map(({ $ref, ...own }) =>
        $ref === undefined ? (own as Shown) : parameters[$ref.split('/').at(-1) ?? ''],
      );
      const sent = shown
        .filter((one) => one?.example !== undefined || one?.schema.examples !== undefined)
        .map((one) => one?.name);
      for (const pair of [
        ['PSU-ID', 'X-PSU-IDENTITY'],
        ['PSU-Corporate-ID', 'PSU-Context'],
      ])
        expect({ name, pair, both: pair.every((header) => sent.includes(header)) }).toEqual({
          name,
          pair,
          both: false,
        });
    }
  });

  test('HEAD is answered without a body, another method is not offered', async () => {
    expect(await bank.raw('HEAD', '/openapi.json')).toMatchObject({ status: 200, body: null });
    expect((await bank.raw('POST', '/openapi.json')).status).toBe(404);
  });
});
