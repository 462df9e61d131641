import { beforeEach, expect, test } from '@jest/globals';
import { knownState } from '../lab/bank.ts';
import type { Reply } from '../lab/server.ts';
import { sandboxAccount, sandboxTransaction } from '../pipeline/samples.ts';
import { testBank } from '../support/test-bank.ts';

const base = '/api-sandbox/v1/sandbox';
const customer = { customerNumber: '01078900497', name: 'Test Testperson 1', type: 'private' };

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(async () => {
  expect((await call('POST', '/initialize')).status).toBe(200);
});

/** As the vendor's published scripts call: one X-Request-ID that is no UUID, nothing of a PSU. */
function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const none = { 'x-accept-fix': null, 'tpp-session-id': null, 'tpp-redirect-uri': null, 'psu-ip-address': null };
  const headers = { ...none, 'x-request-id': 'TEST_SCRIPT_REQUEST_ID_1' };
  return bank.signed(method, base + path, { headers, body });
}

async function createdAccount(): Promise<string> {
  await call('POST', '/customers', customer);
  return (await call('POST', '/accounts', sandboxAccount)).body.resourceId;
}

function messages(reply: Reply): string[] {
  return reply.body.tppMessages.map(({ code, path }: Record<string, string>) => `${code} ${path}`);
}

test('interface, Other operations 11: D1: initialize takes an empty body and tells how much is there', async () => {
  await call('POST', '/customers', customer);
  const reply = await call('POST', '/initialize');
  expect([reply.status, reply.body.customers]).toEqual([200, knownState.customers.length]);
  for (const [count, { href }] of Object.entries<{ href: string }>(reply.body._links)) {
    const { body } = await bank.signed('GET', href);
    expect([count, body.length]).toEqual([count, reply.body[count]]);
  }
});

test('D6: the type of a customer is taken in either case and comes back as it was posted; seeded ones in capitals', async () => {
  const seeded = (await call('GET', '/customers')).body;
  expect(new Set(seeded.map(({ customerType }: Record<string, string>) => customerType))).toEqual(
    new Set(['PRIVATE', 'CORPORATE']),
  );
  const types = ['private', 'PRIVATE', 'corporate', 'CORPORATE'];
  for (const [index, type] of types.entries()) {
    const made = await call('POST', '/customers', { customerNumber: `0107890049${index}`, name: 'x', type });
    expect([made.status, made.body.customerType]).toEqual([201, type]);
    expect((await bank.signed('GET', made.body._links.self.href)).body).toEqual(made.body);
  }
  const listed = (await call('GET', '/customers')).body.slice(-4);
  expect(listed.map(({ customerType }: Record<string, string>) => customerType)).toEqual(types);
  // A private customer has an agreement of its own, and needs 11 digits, in either case.
  const owners = (await call('GET', '/agreements')).body.map(({ owner }: Record<string, string>) => owner);
  expect(owners).toEqual(expect.arrayContaining(['01078900490', '01078900491']));
  expect(owners).not.toContain('01078900492');
  for (const type of ['private', 'PRIVATE']) {
    const short = await call('POST', '/customers', { customerNumber: '88888888', name: 'x', type });
    expect([short.status, messages(short)]).toEqual([400, ['FORMAT_ERROR customerNumber']]);
  }
});

test('a list that is longer than its limit leads on by a Link header, page by page to the end', async () => {
  const path = `/accounts/${await createdAccount()}/transactions`;
  const mocks = Array.from({ length: 5 }, (_, index) => ({ ...sandboxTransaction, amount: index + 1 }));
  await call('POST', path, mocks);
  const seen: string[][] = [];
  let query: string | null = `?fromDate=2000-01-01&limit=2`;
  while (query !== null) {
    const { headers, body }: Reply = await call('GET', path + query);
    seen.push(body.map(({ amount }: Record<string, string>) => amount));
    query = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  expect(seen).toEqual([['5.00', '4.00'], ['3.00', '2.00'], ['1.00']]);
});

test('real-api-facts 10: the links lead where they say', async () => {
  await createdAccount();
  const lists = [...(await call('GET', '/customers')).body, ...(await call('GET', '/accounts')).body];
  for (const { _links } of [lists.at(0), lists.at(-1)]) {
    for (const { href, verbs } of Object.values<{ href: string; verbs: string[] }>(_links)) {
      expect((await bank.signed('GET', href)).status).toBe(200);
      expect(verbs).toContain('DELETE');
    }
  }
  expect((await bank.signed('DELETE', lists.at(-1)._links.self.href)).status).toBe(204);
  expect((await bank.signed('DELETE', lists.at(0)._links.self.href)).status).toBe(204);
});

test.each([
  ['GET', '/customers/enc!!nobody=', 403, ['RESOURCE_UNKNOWN undefined']],
  ['DELETE', '/customers/nobody', 403, ['RESOURCE_UNKNOWN undefined']],
  ['GET', '/accounts/enc!!none=', 404, ['RESOURCE_UNKNOWN undefined']],
  ['DELETE', '/accounts/none/transactions', 404, ['RESOURCE_UNKNOWN undefined']],
  ['GET', '/accounts/none/transactions/none', 404, ['RESOURCE_UNKNOWN undefined']],
  ['PUT', '/customers', 405, ['SERVICE_INVALID undefined']],
])('interface, Error codes: %s %s is %d', async (method, path, status, expected) => {
  const reply = await call(method, path);
  expect([reply.status, messages(reply)]).toEqual([status, expected]);
});

test('D3d: a transaction with a later booking date, an empty one or none is pending, and has an id to change and delete it by', async () => {
  const path = `/accounts/${await createdAccount()}/transactions`;
  const { bookingDate: _, ...undated } = sandboxTransaction;
  const later = { ...undated, bookingDate: '2027-03-25', valueDate: '2027-03-26' };
  const added = await call('POST', path, [undated, { ...undated, bookingDate: '' }, later]);
  const shown = [{ bookingStatus: 'pending' }, { bookingStatus: 'pending' }, { bookingDate: '2027-03-25' }];
  expect([added.status, added.body]).toMatchObject([201, shown]);
  expect((await call('POST', path, [{ ...undated, bookingDate: null }])).status).toBe(400);
  const listed = (await call('GET', path)).body as unknown as { transactionId: string }[];
  for (const { transactionId } of listed) {
    const one = `${path}/${encodeURIComponent(transactionId)}`;
    const { bookingDate, valueDate } = (await call('GET', one)).body as unknown as typeof later;
    const told = { ...undated, ...(bookingDate !== undefined && { bookingDate }), valueDate, creditorName: 'Kiosk' };
    expect((await call('POST', one, told)).body).toMatchObject({ transactionId, creditorName: 'Kiosk' });
    expect((await call('DELETE', one)).status).toBe(204);
    expect((await call('GET', one)).status).toBe(403);
  }
  expect([listed.length, (await call('GET', path)).body]).toEqual([3, []]);
});
