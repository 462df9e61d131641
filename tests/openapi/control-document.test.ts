import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { singlePath, singlePayment } from '../support/bodies.ts';
import { bundleType } from '../../api/control/control-endpoint.ts';
import { controlEndpoints } from '../support/control-endpoints.ts';
import { startTestBank, type TestBank } from '../support/server.ts';

const now = '2027-03-24T12:00:00+01:00';

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, object>>;
}
interface Content {
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
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

let bank: TestBank;
let document: ApiDocument;

beforeAll(async () => {
  bank = await startTestBank(now);
  document = (await bank.control('GET', '/sandbox/openapi.json')).body;
});
afterAll(() => bank.stop());

const title = ({ method, path }: { method: string; path: string }) => `${method} /sandbox${path}`;

describe('each endpoint of the control plane, for its document', () => {
  test.each(controlEndpoints.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
    const { summary = '', answer, answerType, tell, query = {}, path } = endpoint;
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    if (answer === undefined) expect(tell).toBeDefined();
    else if (answerType === bundleType) expect(answer).toMatchObject({ type: 'string', contentMediaType: bundleType });
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

function operationAt(path: string, method: string): Operation {
  return document.paths[path]?.[method] as unknown as Operation;
}

function parametersOf({ parameters = [] }: Operation): readonly Parameter[] {
  const shared = document.components['parameters'] as Readonly<Record<string, Parameter>>;
  return parameters.map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    const found = shared[parameter.$ref.split('/').at(-1) ?? ''];
    if (found === undefined) throw new Error(`nothing is at ${parameter.$ref}`);
    return found;
  });
}

/** The bank that the calls of the document are sent to, with something of each kind, and its ids for the paths. */
async function bankToCall(): Promise<{ readonly called: TestBank; readonly ids: Readonly<Record<string, string>> }> {
  const called = await startTestBank(now);
  const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
  const other = { requestedExecutionDate: '2027-04-15' };
  const signed = await called.signed('POST', singlePath, { body: singlePayment(other), headers: psu });
  await called.approve(signed.body._links.scaRedirect.href);
  const { headers, body } = await called.signed('POST', singlePath, { body: singlePayment(), headers: psu });
  const consent = await called.control('POST', '/sandbox/consents', { tpp: 'PSDNO-FSA-987654321', psu: '12085592767' });
  const ids = {
    paymentId: signed.body.paymentId,
    scaId: new URL(body._links.scaRedirect.href).pathname.split('/').at(-1) ?? '',
    consentId: consent.body.consentId,
    runId: '2027-04-15/1',
    requestId: headers.get('x-request-id') ?? '',
  };
  return { called, ids };
}

/** Calls that need another one before them. */
const before: Readonly<Record<string, readonly [method: string, path: string, body: object]>> = {
  'DELETE /sandbox/snapshots/{name}': ['POST', '/sandbox/snapshots', { name: 'before-the-salaries' }],
  'POST /sandbox/snapshots/{name}/restore': ['POST', '/sandbox/snapshots', { name: 'before-the-salaries' }],
  'GET /sandbox/runs/{runId}': ['POST', '/sandbox/clock/advance', { to: '2027-04-16' }],
  'DELETE /sandbox/banks/{name}': ['POST', '/sandbox/banks', { name: 'ci-1' }],
};

/** Examples that fit another payment than a single one that waits for its signature. */
const ofAnotherPayment = ['item-reason'];

test('each call of the document, with each of its examples, is answered as it says', async () => {
  const seen: string[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      const operation = operationAt(path, method);
      // It has no end: tests/hosting/event-streams.test.ts reads it.
      if (path === '/sandbox/events') continue;
      // It is no JSON: tests/hosting/bundle-file.test.ts reads it.
      if (path === '/sandbox/bundle') continue;
      const { examples } = operation.requestBody?.content['application/json'] ?? {
        examples: { none: { value: null } },
      };
      for (const [name, { value }] of Object.entries(examples)) {
        if (ofAnotherPayment.includes(name)) continue;
        const { called, ids } = await bankToCall();
        const first = before[`${method.toUpperCase()} ${path}`];
        if (first !== undefined) expect((await called.control(...first)).status).toBe(200);
        const answer = await called.control(method.toUpperCase(), target(path, operation, ids), value);
        seen.push(`${method} ${path} ${name} ${answer.status}`);
        expect({ path, name, status: answer.status, body: answer.body }).toMatchObject({ path, name, status: 200 });
        expect(Object.keys(operation.responses)).toContain('200');
        await called.stop();
      }
    }
  }
  expect(seen.length).toBeGreaterThanOrEqual(controlEndpoints.length - 2);
}, 120_000);

test('P14b: the example that rejects an item fits a bulk payment', async () => {
  const { value } = operationAt('/sandbox/payments/{paymentId}/reject', 'post').requestBody?.content['application/json']
    ?.examples['item-reason'] ?? { value: null };
  expect(value).toMatchObject({ item: 'payments[1]' });
});

function target(path: string, operation: Operation, ids: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { in: place, name, example } of parametersOf(operation)) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(example ?? ids[name] ?? ''));
    else if (example !== undefined) query.set(name, example);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

describe('the document of a control plane', () => {
  test('its examples are of days near the bank clock', () => {
    expect(JSON.stringify(document.paths['/sandbox/clock/advance'])).toContain('2027-03-27');
    expect(parametersOf(operationAt('/sandbox/calendar', 'get')).map(({ example }) => example)).toEqual([
      '2027-03-25',
      '2027-03-25',
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
    const folder = mkdtempSync(join(tmpdir(), 'sandbank-document-'));
    const fixtures = join(folder, 'others.json');
    const other = '17867501222';
    writeFileSync(fixtures, readFileSync('fixtures/known-state.json', 'utf8').replaceAll('13039319955', other));
    const texts: string[] = [];
    for (const flags of [[], ['--control-token', 'secret-token']]) {
      const started = await startTestBank(now, ['--fixtures', fixtures, ...flags]);
      const { status, body } = await started.control('GET', '/sandbox/openapi.json');
      expect(status).toBe(200);
      texts.push(JSON.stringify(body));
      expect((await started.control('GET', '/sandbox/info')).status).toBe(flags.length === 0 ? 200 : 401);
      await started.stop();
    }
    rmSync(folder, { recursive: true });
    const [open = '', guarded = ''] = texts;
    expect(open).toContain(other);
    expect(guarded).not.toContain(other);
    expect(guarded).not.toContain('secret-token');
  });

  test('A2d: it is not for the page of another site', async () => {
    const { status, headers } = await bank.raw('GET', '/sandbox/openapi.json', { origin: 'https://evil.example' });
    expect([status, headers.get('content-type')]).toEqual([403, 'application/problem+json; charset=utf-8']);
  });
});
