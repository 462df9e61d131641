import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { eventStream, eventText } from '../../api/control/event-stream.ts';
import { AnswerCheck } from '../support/answer-check.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { bundleType, pemType } from '../../api/control/control-endpoint.ts';
import { controlEndpoints } from '../support/control-endpoints.ts';
import { startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

const now = '2027-03-24T12:00:00+01:00';

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}
interface Content {
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Answer {
  /** Nothing: the answer sends a browser elsewhere. */
  readonly content?: Readonly<Record<string, Content>>;
}
interface Reference {
  readonly $ref: string;
}
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description: string;
  readonly example?: string;
}

const bank = testBank(now);
let document: ApiDocument;

beforeAll(async () => {
  document = (await bank.control('GET', '/sandbox/openapi.json')).body;
});

const title = ({ method, path }: { method: string; path: string }) => `${method} /sandbox${path}`;

describe('each endpoint of the control plane, for its document', () => {
  test.each(controlEndpoints.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
    const { summary = '', answer, answerType, tell, query = {}, path } = endpoint;
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    if (answer === undefined) expect(tell).toBeDefined();
    else if (answerType === bundleType || answerType === pemType)
      expect(answer).toMatchObject({ type: 'string', contentMediaType: answerType });
    // Of an event stream: one of several events.
    else if (answerType !== undefined) expect(answer).toMatchObject({ anyOf: expect.any(Array) });
    else expect(answer).toMatchObject({ type: 'object', additionalProperties: false });
    for (const schema of Object.values(query))
      expect(schema).toMatchObject({ description: expect.stringMatching(/./) });
    const operation = operationAt(`/sandbox${path}`.replaceAll(/:(\w+)/g, '{$1}'), endpoint.method.toLowerCase());
    for (const { description } of parametersOf(operation)) expect(description).toMatch(/^[A-Z].*\.$/s);
    // Only what tells of the bank itself is in its group.
    expect(operation.tags[0] === 'The bank').toBe(path === '/info');
  });
});

function operationAt(path: string, method: string, of = document): Operation {
  return of.paths[path]?.[method] as unknown as Operation;
}

function parametersOf({ parameters = [] }: Operation, of = document): readonly Parameter[] {
  return parameters.map((parameter) => resolved(parameter, 'parameters', of));
}

/** Examples of parameters of paths by name. */
function idsIn({ paths, components }: ApiDocument): ReadonlyMap<string, string | undefined> {
  const own = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => operation['parameters'] ?? []),
  );
  const all = [...own, ...Object.values(Object(components['parameters']))] as readonly Parameter[];
  return new Map(all.filter((parameter) => parameter.in === 'path').map(({ name, example }) => [name, example]));
}

/** The part of the document that it is or refers to. */
function resolved<Part extends object>(part: Part | Reference, kind: string, of = document): Part {
  if (!('$ref' in part)) return part;
  const shared = of.components[kind] as Readonly<Record<string, Part>>;
  const found = shared[part.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`nothing is at ${part.$ref}`);
  return found;
}

test('each answer has one example, which fits its schema', () => {
  const check = new AnswerCheck(document, 'Problem');
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      for (const [status, response] of Object.entries(operationAt(path, method).responses)) {
        for (const [contentType, { examples }] of Object.entries(resolved(response, 'responses').content ?? {})) {
          // No JSON and no text.
          if (contentType === bundleType || contentType === pemType) continue;
          const said = { method: method.toUpperCase(), path: path.replaceAll(/[{}]/g, ''), status: Number(status) };
          const faults = Object.values(examples).map(({ value }) =>
            check.faultOf({ ...said, contentType, body: sentBody(value, contentType) }),
          );
          expect({ ...said, contentType, faults }).toEqual({
            ...said,
            contentType,
            faults: [null],
          });
        }
      }
    }
  }
});

/** As it is sent: JSON, the text of a stream, or an event of one. */
function sentBody(value: unknown, contentType: string): string {
  if (typeof value === 'string') return value;
  if (contentType !== eventStream) return JSON.stringify(value);
  const { id, event, data } = value as { readonly id: string; readonly event: string; readonly data: unknown };
  return eventText(event, data, id);
}

test('P14b: the example that rejects an item fits a bulk payment', async () => {
  const { value } = operationAt('/sandbox/payments/{paymentId}/reject', 'post').requestBody?.content['application/json']
    ?.examples['item-reason'] ?? { value: null };
  expect(value).toMatchObject({ item: 'payments[1]' });
});

describe('the document of a control plane', () => {
  test('no DELETE has a body, and a POST needs one only where it says something', () => {
    for (const { method, path, body } of controlEndpoints) {
      const { requestBody } = operationAt(`/sandbox${path}`.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase());
      const wanted = method === 'POST' || method === 'PUT' || body !== undefined;
      expect([method, path, requestBody?.required]).toEqual([method, path, wanted ? body !== undefined : undefined]);
    }
  });

  test('generated clients: no list of values has one text twice', () => {
    const lists = [...JSON.stringify(document).matchAll(/"enum":(\[[^\]]*\])/g)].map(([, list = '']) =>
      JSON.parse(list),
    );
    expect(lists.length).toBeGreaterThan(20);
    for (const values of lists) expect(new Set(values.map(String)).size).toBe(values.length);
  });

  test('each operation has an id of letters', () => {
    const ids = Object.entries(document.paths).flatMap(([, item]) =>
      Object.values(item).map((told) => told['operationId']),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z]+$/);
  });

  test('the parameters of its paths are the ids of what is there', async () => {
    const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    const paid = await bank.signed('POST', singlePath, { body: singlePayment(), headers: psu });
    const { body: consent } = await bank.control('POST', '/sandbox/consents', {
      tpp: 'PSDNO-FSA-1',
      psu: '13039319955',
    });
    const told: ApiDocument = (await bank.control('GET', '/sandbox/openapi.json')).body;
    const examples = idsIn(told);
    expect(examples.get('paymentId')).toBe(paid.body.paymentId);
    expect(paid.body._links.scaRedirect.href).toContain(examples.get('scaId'));
    expect(examples.get('consentId')).toBe(consent.consentId);
    expect(examples.get('requestId')).toBe(paid.headers.get('x-request-id'));
    await bank.approve(paid.body);
    await bank.advance({ to: '2027-03-31' });
    const { runs } = (await bank.control('GET', '/sandbox/runs')).body;
    const later = idsIn((await bank.control('GET', '/sandbox/openapi.json')).body);
    const { id } = runs.find(({ settled }: { settled: number }) => settled > 0);
    expect(later.get('runId')).toBe(id.replace('/', '-'));
  });

  test.each(['1990-01-01T00:00:00+01:00', '2027-03-27T10:00:00+01:00', '2099-12-31T23:00:00+01:00'])(
    'its answers have dates near the bank clock, and runs on banking days: %s',
    async (start) => {
      await bank.control('POST', '/sandbox/banks', { name: `at-${start.slice(0, 4)}`, now: start, mode: 'frozen' });
      const { status, body } = await bank.control('GET', `/banks/at-${start.slice(0, 4)}/sandbox/openapi.json`);
      expect(status).toBe(200);
      const { content } = body.paths['/sandbox/clock'].get.responses['200'];
      const { now: told, date, lastRun, nextRun } = content['application/json'].examples.example.value;
      expect([told.slice(0, 10), date]).toEqual([start.slice(0, 10), start.slice(0, 10)]);
      for (const { id, at } of [lastRun, nextRun]) expect(at.slice(0, 10)).toBe(id.slice(0, 10));
      if (start.startsWith('2027')) expect([lastRun.id, nextRun.id]).toEqual(['2027-03-24/3', '2027-03-30/1']);
    },
  );

  test('its examples are of days near the bank clock', () => {
    expect(JSON.stringify(document.paths['/sandbox/clock/advance'])).toContain('2027-04-01');
    expect(parametersOf(operationAt('/sandbox/calendar', 'get')).map(({ example }) => example)).toEqual([
      '2027-03-30',
      '2027-03-30',
    ]);
  });

  test('every reference leads somewhere, and every part is used', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(
      ([, kind, name]) => `${kind}/${name}`,
    );
    const { securitySchemes, ...parts } = document.components as Readonly<Record<string, object>>;
    expect(Object.keys(securitySchemes ?? {})).toEqual(['controlToken']);
    const there = Object.entries(parts).flatMap(([kind, named]) => Object.keys(named).map((name) => `${kind}/${name}`));
    expect(new Set(references)).toEqual(new Set(there));
  });

  test('of a named bank it has that address, and neither the banks nor the probes', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'other', now: '2028-06-01', mode: 'frozen' });
    const { body } = await bank.control('GET', '/banks/other/sandbox/openapi.json');
    expect(body.servers).toEqual([{ url: `${bank.address}/banks/other`, description: 'This bank.' }]);
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/sandbox/info', '/sandbox/requests']));
    expect(Object.keys(body.paths).filter((path) => /banks|health|ready/.test(path))).toEqual([]);
    expect(JSON.stringify(body)).toContain('2028-06-04');
  });

  test('with a control token it asks for none, and tells no customer of the bank and no token', async () => {
    const fixtures = join(folder, 'others.json');
    const other = '17867501222';
    writeFileSync(fixtures, readFileSync('fixtures/known-state.json', 'utf8').replaceAll('13039319955', other));
    const texts: string[] = [];
    for (const flags of [[], ['--control-token', 'a-secret-token-of-ours']]) {
      await using started = await startTestBank(now, ['--fixtures', fixtures, ...flags]);
      const { status, body } = await started.control('GET', '/sandbox/openapi.json');
      expect(status).toBe(200);
      texts.push(JSON.stringify(body));
      expect((await started.control('GET', '/sandbox/info')).status).toBe(flags.length === 0 ? 200 : 401);
    }
    const [open = '', guarded = ''] = texts;
    expect(open).toContain(other);
    expect(guarded).not.toContain(other);
    expect(guarded).not.toContain('a-secret-token-of-ours');
  });

  test('A2d: it is not for the page of another site', async () => {
    const { status, headers } = await bank.raw('GET', '/sandbox/openapi.json', { origin: 'https://evil.example' });
    expect([status, headers.get('content-type')]).toEqual([403, 'application/problem+json; charset=utf-8']);
  });
});

test('the examples of a bank name a payment that can come back, and one of the timeline', async () => {
  await using used = await startTestBank(now);
  const pay = async (to: string, on?: string): Promise<string> => {
    const { body } = await used.control('POST', '/sandbox/payments', { from: '09232911044', to, amount: '9.00', on });
    return body.payment.paymentId;
  };
  const outside = await pay('90491105991');
  await pay('74712699947');
  await used.advance({ by: 'P1D' });
  const waiting = await pay('90491105991', '2027-04-06');
  const told = (await used.control('GET', '/sandbox/openapi.json')).body as ApiDocument;
  const exampleOf = (path: string, method: string, wanted: string) =>
    parametersOf(operationAt(path, method, told), told).find(({ name }) => name === wanted)?.example;
  expect([
    exampleOf('/sandbox/payments/{paymentId}/return', 'post', 'paymentId'),
    exampleOf('/sandbox/payments/{paymentId}', 'get', 'paymentId'),
    exampleOf('/sandbox/timeline', 'get', 'payment'),
  ]).toEqual([outside, waiting, waiting]);
});
