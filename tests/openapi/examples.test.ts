import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as Type from 'typebox';
import { localDate } from '../../engine/values/local-date.ts';
import { exampleOf as composed, withExample, story } from '../../api/bodies/examples.ts';
import { closed } from '../../api/bodies/schema.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { daysAround, intoBank, noSamples } from '../../api/openapi/samples.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { calendar } from '../lab/bank.ts';
import { exampleOf, type ExampleRequest, examplesOf, sendExample } from '../support/send-example.ts';
import type { Told } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

/*
 * The examples of requests are sent to a bank, and the example of each answer has no member that the bank's own answer
 * lacks. That it fits its schema is in the tests of the documents, and that the bank's answers do so in all tests.
 */

const domestic = '/payments/norwegian-domestic-credit-transfers';
const psu = story.psu;

const bank = testBank('2027-03-24T12:00:00+01:00');

/** Every path of members: `payments[].amount.currency`. */
function membersOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => membersOf(item).map((path) => `[]${path}`));
  return Object.entries(value).flatMap(([name, member]) => [
    `.${name}`,
    ...membersOf(member).map((path) => `.${name}${path}`),
  ]);
}

/** Members of the example of an answer which the answer does not have; null: the document has no example of it. */
function invented(document: ApiDocument, { method, path }: ExampleRequest, answer: Answer): readonly string[] | null {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Described | undefined;
  const example = operation?.responses[answer.status]?.content?.['application/json']?.examples.example;
  if (example === undefined) return null;
  const there = new Set(membersOf(answer.body));
  return membersOf(example.value).filter((member) => !there.has(member));
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
interface Refused {
  readonly tppMessages: readonly [{ readonly code: string }];
}
interface Described {
  readonly responses: Readonly<Record<string, Response | undefined>>;
}
interface Response {
  readonly content?: Readonly<Record<string, { readonly examples: Readonly<Record<string, { value: unknown }>> }>>;
}

async function read(path: string): Promise<ApiDocument> {
  return (await bank.raw('GET', path)).body as ApiDocument;
}

/** Sends an example through the unsigned door, with ids of earlier answers in the place of `latest`. */
function send(example: ExampleRequest, ids: Readonly<Record<string, string>> = {}) {
  const text = JSON.stringify(example.body) ?? 'null';
  const body: unknown = JSON.parse(text.replace('"latest"', JSON.stringify(ids['paymentId'] ?? 'latest')));
  return sendExample(`${bank.address}/sandbox/as/docs/v1`, {
    ...example,
    params: { ...example.params, ...ids },
    headers: { ...example.headers, 'X-Request-ID': randomUUID() },
    body: body ?? undefined,
  });
}

/** The PSU approves on the page that an answer leads to. */
async function approve({ body }: Answer, number: string = psu): Promise<void> {
  await bank.approve(body as Told, number);
}

/** Ids that an answer tells, by the names of the parameters of paths. */
function idsIn(body: unknown): Readonly<Record<string, string>> {
  const names = /"(paymentId|basketId|transactionId|cardTransactionId)":"([^"]+)"/g;
  return Object.fromEntries([...JSON.stringify(body ?? null).matchAll(names)].map(([, name, id]) => [name, id]));
}

describe('an example is made of a schema', () => {
  const person = closed({ name: Type.String({ examples: ['Kari'] }), age: Type.Optional(Type.Integer()) });

  test.each([
    ['of its required members', person, { name: 'Kari' }],
    ['with the members of its own example', withExample(person, { age: 7 }), { name: 'Kari', age: 7 }],
    ['of one item', Type.Array(person), [{ name: 'Kari' }]],
    ['of the first kind, where several are allowed', Type.Union([person, Type.Boolean()]), { name: 'Kari' }],
    ['null, where a text without an example may be', Type.Union([Type.String(), Type.Null()]), null],
    ['of the least number', Type.Integer({ minimum: 3 }), 3],
  ])('%s', (_, schema, example) => {
    expect(composed(schema)).toEqual(example);
  });

  test('but for a text without an example', () => {
    expect(() => composed(closed({ name: Type.String({ description: 'a name' }) }))).toThrow('"a name" has an example');
  });

  test('and put into a bank: its accounts, and dates as far from its days', () => {
    const { debtorBban, creditorBban } = story;
    const days = daysAround(localDate('2027-06-09'), calendar);
    const samples = { ...noSamples, ...days, debtorBban: creditorBban, creditorBban: debtorBban };
    const here = intoBank(samples, { address: 'https://bank.example' });
    expect(here([`${debtorBban} to ${creditorBban}`, `${story.address}/sca`])).toEqual([
      `${creditorBban} to ${debtorBban}`,
      'https://bank.example/sca',
    ]);
    expect(here(['2027-03-24', '2027-03-29', '2027-04-01', '2027-03-30T05:30:00.000+02:00'])).toEqual([
      '2027-06-08',
      '2027-06-09',
      '2027-06-12',
      '2027-06-10T05:30:00.000+02:00',
    ]);
    const inWinter = intoBank({ ...samples, nextBankingDay: localDate('2027-01-04') }, {});
    expect(inWinter('2027-03-30T05:30:00.000+02:00')).toBe('2027-01-04T05:30:00.000+01:00');
  });
});

describe('C28: the example of each answer has only members that the bank answers', () => {
  test('of the interface', async () => {
    await bank.control('POST', '/sandbox/consents', { tpp: testTppId('docs'), psu });
    const document = await read('/openapi.json');
    expect(document.info['description']).toContain(testTppId('docs'));
    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((verb) => exampleOf(document, verb.toUpperCase(), path)),
    );
    // What is read is made before it, and changed and deleted after it.
    const turns = [
      /^POST (?!.*(initialize|authorisations)$)/,
      /^(PUT|GET)/,
      /authorisations$|^DELETE .*ransactionId$/,
      /^DELETE (?!.*ransactionId$)|initialize$/,
    ];
    const inOrder = turns.flatMap((turn) => all.filter(({ method, path }) => turn.test(`${method} ${path}`)));
    const ids: Record<string, Readonly<Record<string, string>>> = {};
    expect(inOrder).toHaveLength(all.length);
    for (const example of inOrder) {
      const { method, path } = example;
      const service = /^\/((?:\w+-)?payments)\//.exec(path)?.[1] ?? 'payments';
      if (path === '/agreements') await approve(await send(as(engaged, exampleOf(document, 'GET', '/users'))), engaged);
      const isSigned = /\/(status|cancellation-authorisations)$/.test(path);
      const isItsOwn = isSigned || path === '/signing-baskets';
      const own = isItsOwn ? await initiate(document, service, { isSigned }) : (ids[service] ?? {});
      if (path.endsWith('/cancellation-authorisations'))
        await send({ ...example, method: 'DELETE', path: path.replace(/\/[^/]+$/, '') }, own);
      const answer = await send(path === '/agreements' ? as(engaged, example) : example, own);
      const name = `${method} ${path} ${answer.status}`;
      expect({ name, invented: answer.status < 300 ? invented(document, example, answer) : answer.body }).toEqual({
        name,
        invented: answer.status === 204 ? null : [],
      });
      // The example of a payment that is read has the first product.
      const isOther = /^\/payments\/(?!:product|norwegian)/.test(path);
      if (method === 'POST' && !isOther) ids[service] = { ...idsIn(answer.body), ...ids[service] };
    }
  });

  test('C18, C28b: sent from top to bottom to a fresh bank, the document of a door is refused only where an id comes from an answer', async () => {
    await bank.control('POST', '/sandbox/reset', {});
    const document = await read('/sandbox/as/docs/openapi.json');
    const refused: string[] = [];
    let carriedOut = 0;
    for (const [path, item] of Object.entries(document.paths))
      for (const verb of Object.keys(item)) {
        const example = exampleOf(document, verb.toUpperCase(), path);
        const params = { transactionId: 'none', cardTransactionId: 'none', ...example.params };
        const { status, body } = await sendExample(`${bank.address}/sandbox/as/docs/v1`, { ...example, params });
        if (status < 300) carriedOut += 1;
        else refused.push(`${verb} ${path} ${(body as Refused).tppMessages[0].code}`);
      }
    expect(carriedOut).toBeGreaterThanOrEqual(60);
    expect(refused.filter((call) => !/RESOURCE_UNKNOWN$|verification PSU_CREDENTIALS_INVALID$/.test(call))).toEqual([]);
  });

  test('of the control plane', async () => {
    await bank.control('POST', '/sandbox/reset', {});
    await initiate(await read('/openapi.json'), 'payments', { isSigned: true });
    await bank.advance({ by: 'P6D' });
    await bank.control('POST', '/sandbox/consents', { tpp: testTppId('docs'), psu });
    const later = await read('/openapi.json');
    await initiate(later, 'payments', { isSigned: true });
    await initiate(later, 'payments', { isSigned: false });
    await send(exampleOf(later, 'GET', '/accounts'));
    const kept = { name: 'before-each' };
    await bank.control('POST', '/sandbox/snapshots', kept);
    const document = await read('/sandbox/openapi.json');
    const needed: Readonly<Record<string, string>> = {
      'GET /sandbox/faults': '/sandbox/faults',
      'GET /sandbox/forecast': '/sandbox/life',
      'GET /sandbox/life': '/sandbox/life',
      'GET /sandbox/life/:number/truth': '/sandbox/life',
      'DELETE /sandbox/life/:number': '/sandbox/life',
      'DELETE /sandbox/banks/:name': '/sandbox/banks',
      'POST /sandbox/banks/clock/advance': '/sandbox/banks',
      'POST /sandbox/snapshots/:name/restore': '/sandbox/snapshots',
      'DELETE /sandbox/snapshots/:name': '/sandbox/snapshots',
    };
    const faults: unknown[] = [];
    let isAsKept = false;
    for (const [template, item] of Object.entries(document.paths)) {
      // A text that is no JSON, a stream, and a document in which only the beginning is an example.
      if (/\/(bundle|ca|events|openapi.json)$/.test(template)) continue;
      for (const verb of Object.keys(item)) {
        for (const [name, example] of examplesOf(document, verb.toUpperCase(), template)) {
          // Of a bulk payment.
          if (name === 'item-reason') continue;
          if (!isAsKept) await bank.control('POST', `/sandbox/snapshots/${kept.name}/restore`, {});
          const before = needed[`${example.method} ${example.path}`];
          isAsKept = example.method === 'GET' && before === undefined;
          if (before !== undefined) await sendExample(bank.address, exampleOf(document, 'POST', before));
          const params = template.endsWith('/return') ? await settledOutside() : {};
          const answer = await sendExample(bank.address, { ...example, params: { ...example.params, ...params } });
          const said = answer.status < 300 ? invented(document, example, answer) : answer.body;
          if (!(Array.isArray(said) && said.length === 0)) faults.push({ call: `${example.method} ${template}`, said });
          await bank.control('DELETE', '/sandbox/banks/ci-1');
        }
      }
    }
    expect(faults).toEqual([]);
  }, 120_000);
});

/** Only what has settled to another bank comes back. */
async function settledOutside(): Promise<{ readonly paymentId: string }> {
  const money = { from: '09232911044', to: '90491105991', amount: '9.00' };
  const outside = { ...money, text: 'Faktura', on: '2027-03-31' };
  const { body } = await bank.control('POST', '/sandbox/payments', outside);
  await bank.advance({ by: 'P6D' });
  return { paymentId: body.payment.paymentId };
}

/** A PSU of the known state who may act for a corporation. */
const engaged = '18129215603';

function as(number: string, example: ExampleRequest): ExampleRequest {
  return { ...example, headers: { ...example.headers, 'X-PSU-IDENTITY': number } };
}

let amount = 400;

/** Initiates a payment of the service, of another amount each time: it is no duplicate. */
async function initiate(document: ApiDocument, service: string, { isSigned }: { readonly isSigned: boolean }) {
  const example = exampleOf(document, 'POST', domestic.replace('payments', service));
  const other = JSON.stringify(example.body).replaceAll(/"amount":"\d+/g, () => `"amount":"${(amount += 1)}`);
  const initiated = await send({ ...example, body: JSON.parse(other) });
  if (isSigned) await approve(initiated);
  return idsIn(initiated.body);
}
