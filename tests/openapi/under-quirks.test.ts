import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { quirkNames } from '../../engine/bank/rules/quirk.ts';
import { type ApiDocument, refusalName } from '../../api/openapi/document.ts';
import { contractOf, phaseOf } from '../../api/openapi/contract.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { quirkTexts } from '../golden/banks.ts';
import { quirksIn } from '../lab/quirks.ts';
import { AnswerCheck } from '../support/answer-check.ts';
import { someOf } from '../support/sample.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md E10. That the answers of a bank fit its document is checked of every answer in the tests (tests/support/check-answers.ts). */

const bank = testBank('2027-03-24T12:00:00+01:00');

beforeEach(async () => {
  await bank.reset();
});

async function read(path = '/openapi.json'): Promise<ApiDocument> {
  return (await bank.raw('GET', path)).body as ApiDocument;
}

type Schema = { readonly properties: Readonly<Record<string, unknown>>; readonly required: readonly string[] };

function schema({ components }: ApiDocument, title: string): Schema {
  return (components['schemas'] as Readonly<Record<string, Schema>>)[title] as Schema;
}

describe('E10: the document of a bank is that of its quirks as they are now', () => {
  test('a quirk that is switched changes it, at the bank and at a door', async () => {
    const before = await read();
    expect(schema(before, 'CreditTransfer').required).toContain('transactionStatus');
    await bank.quirks({ 'no-status-in-details': true });
    for (const path of ['/openapi.json', '/sandbox/as/shop/openapi.json']) {
      expect(schema(await read(path), 'CreditTransfer').properties).not.toHaveProperty('transactionStatus');
      expect(schema(await read(path), 'PaymentStatus').required).toContain('transactionStatus');
    }
    await bank.quirks({ 'no-status-in-details': false });
    expect((await read()).components['schemas']).toEqual(before.components['schemas']);
  });

  test('a named bank has that of its own profile', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'bien', profile: 'bien-sparebank' });
    const { properties } = schema(await read('/banks/bien/openapi.json'), 'PendingTransaction');
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['bookingDate', 'valueDate']));
    expect(schema(await read(), 'PendingTransaction').properties).not.toHaveProperty('bookingDate');
  });

  test('its ETag stays until a quirk or an example changes', async () => {
    const first = await bank.raw('GET', '/openapi.json');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    const asked = (path = '/openapi.json') => bank.raw('GET', path, { 'if-none-match': etag });
    expect(await asked()).toMatchObject({ status: 304, body: null });
    expect((await asked('/sandbox/as/shop/openapi.json')).status).toBe(200);
    await bank.quirks({ 'no-next-link': true });
    expect((await asked()).status).toBe(200);
    await bank.quirks({ 'no-next-link': false });
    expect((await asked()).status).toBe(304);
    await bank.advance({ by: 'P1D' });
    expect((await asked()).status).toBe(200);
  });

  test('what follows the clock is described in both forms until its date, then as it is', async () => {
    await bank.quirks({ leaves: '2027-03-26', 'accept-fix-dates': 'amount-as-string:2027-03-25' });
    const typesOf = (document: ApiDocument) => Object.keys(contentOf(document, 404));
    const ahead = await read();
    expect(typesOf(ahead)).toEqual(['application/json', 'text/html']);
    expect(schema(ahead, 'InstructedAmountOrNumber').properties).toMatchObject({ amount: { oneOf: [{}, {}] } });
    expect(ahead.paths['/accounts']?.['get']?.['responses']).toHaveProperty('200');
    await bank.advance({ to: '2027-03-25T12:00:00+01:00' });
    expect(schema(await read(), 'InstructedAmountOrNumber')).toBeUndefined();
    await bank.advance({ to: '2027-03-26T12:00:00+01:00' });
    const gone = await read();
    expect(typesOf(gone)).toEqual(['text/html']);
    expect(gone.paths['/accounts']?.['get']?.['responses']).not.toHaveProperty('200');
  });

  test('days on which no date passes share one document', () => {
    const quirks = quirksIn('leaves=2027-03-26,accept-fix-dates=amount-as-string:P1D');
    const phases = ['2027-03-24', '2027-03-25', '2027-03-26', '2027-03-27'].map((day) =>
      phaseOf(quirks, { today: day as LocalDate, start: '2027-03-24' as LocalDate }),
    );
    expect(phases).toEqual([
      [false, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });
});

function contentOf({ components }: ApiDocument, status: number): object {
  const responses = components['responses'] as Readonly<Record<string, { readonly content: object }>>;
  return responses[`${refusalName}${status}`]?.content ?? {};
}

describe('E10: each quirk declares its form', () => {
  test.each(someOf('shapes', quirkTexts, 3))(
    '%s: its examples fit its schemas, and the document without it stays',
    async (text) => {
      const plain = JSON.stringify(await contractOf(quirksIn(''), null));
      const document = await contractOf(quirksIn(text), null);
      expect(JSON.stringify(await contractOf(quirksIn(''), null))).toBe(plain);
      // The bank puts ids of its own lengths in the place of these.
      expect(exampleFaults(document).filter((fault) => !/"limit":\d+|"pattern":"\^enc!!/.test(fault))).toEqual([]);
    },
  );

  test('all at once', async () => {
    const names = quirkNames.filter((name) => name !== 'pending-filtered');
    const document = await contractOf(quirksIn(names.join()), null);
    expect(Object.keys(schema(document, 'PendingTransaction').properties).toSorted()).toEqual([
      ...['bookingDate', 'remittanceInformationUnstructured', 'remittanceInformationUnstructuredArray'],
      ...['transactionAmount', 'valueDate'],
    ]);
  });
});

/** Faults of the examples of answers. */
function exampleFaults(document: ApiDocument): readonly string[] {
  const check = new AnswerCheck(document, refusalName);
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, { responses }]) =>
      Object.entries(responses as Readonly<Record<string, Answered>>).flatMap(([status, { content = {} }]) =>
        Object.entries(content).flatMap(([contentType, { examples = {} }]) => {
          const answer = { method: verb.toUpperCase(), path: path.replaceAll(/[{}]/g, ''), status: Number(status) };
          const bodies = Object.values(examples).map(({ value }) => JSON.stringify(value));
          return bodies.flatMap((body) => check.faultOf({ ...answer, contentType, body }) ?? []);
        }),
      ),
    ),
  );
}

interface Answered {
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
  >;
}

test('E10, A8c: what the door makes is optional in its document; strict-signing demands the PSU in the other', async () => {
  const demanded = async (path: string) => {
    const { paths, components } = await read(path);
    const shared = components['parameters'] as Readonly<Record<string, { readonly name: string }>>;
    const parameters = (paths['/bank-offered-consents']?.['post']?.['parameters'] ?? []) as readonly object[];
    const whole = parameters.map((part) => ('$ref' in part ? shared[String(part.$ref).split('/').at(-1) ?? ''] : part));
    return whole.flatMap((part) =>
      Reflect.get(part ?? {}, 'required') === true ? Reflect.get(part ?? {}, 'name') : [],
    );
  };
  const door = '/sandbox/as/shop/openapi.json';
  const signed = ['Date', 'Signature', 'TPP-Signature-Certificate'];
  const own = ['X-Request-ID', 'TPP-Redirect-URI'];
  expect([await demanded('/openapi.json'), await demanded(door)]).toEqual([[...own, ...signed], []]);
  await bank.quirks({ 'strict-signing': true });
  expect(await demanded('/openapi.json')).toEqual([...own, 'PSU-IP-Address', ...signed]);
  expect(await demanded(door)).toEqual([]);
});

test('E10: x-rules of an operation are rules of rules.md, and its page leads to them', async () => {
  const numbers = new Set(
    [...readFileSync('docs/spec/rules.md', 'utf8').matchAll(/^- \*\*([A-Z]+\d+[a-z]?) /gm)].map(([, number]) => number),
  );
  const { paths } = await read();
  const named = Object.values(paths).flatMap((verbs) =>
    Object.values(verbs).flatMap((operation) => operation['x-rules'] ?? []),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((number) => !numbers.has(String(number)))).toEqual([]);
  const consents = paths['/bank-offered-consents']?.['post'] as { readonly 'x-rules': readonly string[] };
  expect(consents['x-rules']).toContain('A8c');
  const ofDoor = (await read('/sandbox/as/shop/openapi.json')).paths['/bank-offered-consents']?.['post'];
  expect(ofDoor?.['x-rules']).not.toContain('A8c');
  const page = await bank.raw('GET', '/docs/interface/postBankOfferedConsents');
  expect(String(page.body)).toContain('href="../spec/rules/a8c"');
});
