import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { psuHeaders } from '../lab/server.ts';
import { search as searchIn } from '../../engine/inspection/list-payments.ts';
import { anyText } from '../support/any-text.ts';
import { cpuTimeDuring } from '../support/cpu-time.ts';
import { fillLarge, largeCount, openEmpty } from '../support/large-run.ts';
import { testBank } from '../support/test-bank.ts';

/* GET /sandbox/search (docs/spec/control-plane.md C11). */

interface Result {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
  readonly href: string;
}

const nora = '13039319955';
const bank = testBank('2027-03-24T12:00:00+01:00');
/** Payments so far: a payment of the same amount would be a duplicate. */
let paid = 0;

async function search(q: string): Promise<Result[]> {
  const { status, body } = await bank.control('GET', `/sandbox/search?q=${encodeURIComponent(q)}`);
  expect([q, status]).toEqual([q, 200]);
  return body.results;
}

async function pay(creditorName: string, requestId: string = randomUUID()): Promise<string> {
  const headers = { ...psuHeaders(nora), 'x-request-id': requestId };
  paid += 1;
  const body = singlePayment({ creditorName, instructedAmount: { amount: `${paid}.00`, currency: 'NOK' } });
  return (await bank.signed('POST', singlePath, { headers, body })).body.paymentId;
}

test('a payment is found by its id, the beginning of it as the pages show it, and by its payee, the newest first', async () => {
  const first = await pay('Blåbær & Ål AS');
  const second = await pay('Nordlys BLÅBÆR');
  const href = `${bank.address}/console/payments/${encodeURIComponent(first)}`;
  const own = { kind: 'payment', id: first, label: 'To Blåbær & Ål AS, from Test Testperson 3', href };
  expect(await search(first)).toEqual([own]);
  expect(await search(first.slice('enc!!'.length, 14))).toEqual([own]);
  expect((await search('blåbær')).map(({ id }) => id)).toEqual([second, first]);
  expect(await search('& ål')).toEqual([own]);
  expect((await fetch(href)).status).toBe(200);
});

test('C11: a payment is found by its amount as people write it, by its day and by its status', async () => {
  const ids = async (q: string) => (await search(q)).filter(({ kind }) => kind === 'payment').map(({ id }) => id);
  const headers = { 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };
  const amounts = ['7654321.00', '7654321.50'];
  const body = (amount: string) =>
    singlePayment({ instructedAmount: { amount, currency: 'NOK' }, requestedExecutionDate: '2027-11-25' });
  const [whole, half] = await Promise.all(
    amounts.map(
      async (amount) => (await bank.signed('POST', singlePath, { headers, body: body(amount) })).body.paymentId,
    ),
  );
  for (const q of ['7654321', '7 654 321']) expect([q, (await ids(q)).sort()]).toEqual([q, [whole, half].sort()]);
  for (const q of ['7654321.00', '7 654 321,0']) expect([q, await ids(q)]).toEqual([q, [whole]]);
  for (const q of ['7 654 321,50', '7654321.5', '7654321,500']) expect([q, await ids(q)]).toEqual([q, [half]]);
  expect([await ids('7654321,05'), await ids('765432'), await ids('654321')]).toEqual([[], [], []]);
  const bulk = bulkPayment([bulkItem('7654399.00'), bulkItem('1.00')], { requestedExecutionDate: '2027-11-24' });
  const { body: made } = await bank.signed('POST', bulkPath, { headers, body: bulk });
  expect(await ids('7654399')).toEqual([made.paymentId]);
  expect((await ids('2027-11-25')).sort()).toEqual([whole, half].sort());
  expect(await ids('2027-11-26')).toEqual([]);
  expect((await ids('rcvd')).slice(1, 3).sort()).toEqual([whole, half].sort());
  expect(await ids('RJCT')).toEqual([]);
});

test('C11, C8: an amount is found as the lists show it and as forms take it', async () => {
  const made = async (amount: string) => {
    const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' }, requestedExecutionDate: '2027-11-30' });
    return (await bank.initiates(singlePath, body, nora)).paymentId;
  };
  const [half, whole] = [await made('8001000.50'), await made('8001000.00')];
  const ids = async (q: string) => (await search(q)).filter(({ kind }) => kind === 'payment').map(({ id }) => id);
  const halves = [
    '8,001,000.50',
    '8.001.000,50',
    '8001000.50 NOK',
    'nok 8 001 000,5',
    '-8001000.50',
    '−8,001,000.50 NOK',
  ];
  for (const q of halves) expect([q, await ids(q)]).toEqual([q, [half]]);
  const both = ['kr 8001000', 'kr. 8 001 000,-', '8001000,', '8 001 000 NOK', '8001000 kr'];
  for (const q of both) expect([q, await ids(q)]).toEqual([q, [whole, half]]);
  const none = ['8001000.50 EUR', '8,001,000.05 NOK', '8.001.000.50', 'kr', '8,00,1000', 'kr 8001000 NOK'];
  for (const q of none) expect([q, await ids(q)]).toEqual([q, []]);
});

test('an account is found by its number, as it is written too, by its name and by its owner', async () => {
  for (const q of ['09232911044', '0923 29 11044', '0923.29', 'NO7809232911044']) {
    const [account] = (await search(q)).filter(({ kind }) => kind === 'account');
    expect([q, account?.id, account?.href]).toEqual([q, '09232911044', `${bank.address}/console/accounts/09232911044`]);
  }
  expect(await search('to nøkler')).toEqual([
    { kind: 'account', id: '34330000017', label: 'Driftskonto, To Nøkler AS', href: expect.any(String) },
    { kind: 'person', id: '33333333', label: 'To Nøkler AS', href: expect.any(String) },
  ]);
});

test('C11b: a person is found by name and by number, and no identity number is in the answer', async () => {
  for (const q of ['Test Testperson 3', nora]) {
    const results = await search(q);
    const people = results.filter(({ kind }) => kind === 'person');
    expect(people.map(({ id, label }) => [id, label])).toEqual([['***********', 'Test Testperson 3']]);
    expect(JSON.stringify(results)).not.toContain(nora);
    const page = await (await fetch(people[0]?.href ?? '')).text();
    expect(page).toContain('Test Testperson 3');
  }
  const name = `Nora ${nora}`;
  await pay(name);
  const payments = (await search('Nora 1303')).filter(({ kind }) => kind === 'payment');
  expect(payments.map(({ label }) => label)).toEqual(['To Nora ***********, from Test Testperson 3']);
});

test('a request is found by the beginning of its id', async () => {
  const id = `Ordre-${randomUUID()}`;
  await pay('Request AS', id);
  expect(await search(id.slice(0, 12).toLowerCase())).toEqual([
    { kind: 'request', id, label: `POST ${singlePath}`, href: `${bank.address}/console/requests/${id}` },
  ]);
});

test('`limit` says how many of each kind', async () => {
  for (let count = 0; count < 7; count += 1) await pay('Mange AS');
  const countOf = async (limit: string) => {
    const { body } = await bank.control('GET', `/sandbox/search?q=Mange${limit}`);
    return body.results.filter(({ kind }: Result) => kind === 'payment').length;
  };
  expect([await countOf(''), await countOf('&limit=6'), await countOf('&limit=100')]).toEqual([5, 6, 7]);
  expect((await bank.control('GET', '/sandbox/search?q=a&limit=101')).status).toBe(400);
});

test('a named bank finds its own, at its own address', async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'other' });
  const { body } = await bank.control('GET', '/banks/other/sandbox/search?q=09232911044');
  expect(body.results[0].href).toBe(`${bank.address}/banks/other/console/accounts/09232911044`);
});

test('a blank finds nothing; without q, with a longer one or another parameter it is 400', async () => {
  expect(await search('  ')).toEqual([]);
  for (const query of ['', '?q=', `?q=${'x'.repeat(201)}`, '?q=x&kind=payment', '?q=a&q=b']) {
    const { status } = await bank.control('GET', `/sandbox/search${query}`);
    expect([query, status]).toEqual([query, query === '?q=' ? 200 : 400]);
  }
  expect(await search('x'.repeat(200))).toEqual([]);
  const { body } = await bank.control('GET', '/sandbox/search');
  for (const what of ['an id', 'an account number', 'a name', 'an amount', 'a day', 'a status'])
    expect(body.detail).toContain(what);
});

test('whatever is searched for, at most twenty are found and nothing fails', async () => {
  const special = fc.constantFrom(
    '*',
    '?',
    '[',
    ']',
    '^',
    '-',
    '\0',
    "'",
    '"',
    '%',
    'ß',
    'İ',
    '\ud83d',
    '💥',
    'a',
    '0',
  );
  const texts = fc.oneof(
    anyText({ maxLength: 60 }),
    fc.array(special, { maxLength: 60 }).map((all) => all.join('')),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (q) => {
      const { status, body } = await bank.control('GET', `/sandbox/search?${new URLSearchParams({ q })}`);
      expect(status).toBe(200);
      expect(body.results.length).toBeLessThanOrEqual(20);
    }),
    { numRuns: 100 },
  );
  expect(await search('*')).toEqual([]);
  expect(await search('[a-z]')).toEqual([]);
});

test(`with ${largeCount} payments it takes less than 200 ms of processor time`, async () => {
  await using large = await openEmpty();
  await fillLarge(large);
  for (const q of ['a', 'enc!!', 'nothing of this name', '09232911044']) {
    const taken = await cpuTimeDuring(async () => void (await searchIn(large, q, 5)));
    expect([q, taken < 200]).toEqual([q, true]);
  }
});
