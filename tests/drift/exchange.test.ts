import { expect, test } from '@jest/globals';
import { type Exchange, exchangeOf } from '../../scripts/drift/exchange.ts';

/* docs/drift.md: which entries of a recording are replayed. */

interface Changes {
  readonly entry?: object;
  readonly request?: object;
  readonly response?: object;
}

/** An entry of a HAR with these changes. */
function entryWith({ entry, request, response }: Changes): object {
  return {
    startedDateTime: '2027-03-01T12:00:00.000Z',
    time: 12,
    request: { method: 'GET', url: 'https://bank.example/v1/accounts', headers: [], ...request },
    response: { status: 200, headers: [], content: { text: '{}' }, ...response },
    ...entry,
  };
}

const refusal = (code: string, text = 'x') => ({
  content: { text: JSON.stringify({ tppMessages: [{ code, text }] }) },
});
const url = (path: string) => ({ request: { url: `https://bank.example${path}` } });
const header = (length: number) => ({ request: { headers: [{ name: 'x', value: 'y'.repeat(length) }] } });
// The head is the address and, for each header, name and value and four signs more.
const room = 12 * 1024 - 'https://bank.example/v1/accounts'.length - 5;

test.each<[what: string, changes: Changes, result: string]>([
  ['a whole one', {}, 'taken'],
  ['below a base path', url('/api-sandbox/v1/accounts'), 'taken'],
  ['another path', url('/v2/accounts'), 'not to the interface'],
  ['a path that the interface does not have', url('/v1/nothing'), 'not to the interface'],
  ['one that it refuses', { ...url('/v1/nothing'), response: { status: 404, ...refusal('NOT_FOUND') } }, 'taken'],
  ['one that it refuses without a code', { ...url('/v1/nothing'), response: { status: 404 } }, 'not to the interface'],
  ['no address', { request: { url: 'x' } }, 'no whole entry'],
  ['no method', { request: { method: 7 } }, 'no whole entry'],
  ['a method that no client sends', { request: { method: 'TRACE' } }, 'no whole entry'],
  ['no time', { entry: { startedDateTime: 'today' } }, 'no whole entry'],
  ['no status', { response: { status: 0 } }, 'no answer'],
  ['status 99', { response: { status: 99 } }, 'no whole entry'],
  ['status 100', { response: { status: 100 } }, 'taken'],
  ['status 499', { response: { status: 499 } }, 'taken'],
  ['status 500', { response: { status: 500 } }, 'the bank was not available'],
  ['status 599', { response: { status: 599 } }, 'the bank was not available'],
  ['status 600', { response: { status: 600 } }, 'no whole entry'],
  ['a body in base64', { response: { content: { text: 'e30=', encoding: 'base64' } } }, 'taken'],
  [
    'a body that is no UTF-8',
    { response: { content: { text: '/w==', encoding: 'base64' } } },
    'a body that is no text',
  ],
  ['a text that is none', { request: { postData: { text: 7 } } }, 'a body that is no text'],
  [
    'a wrong signature',
    { response: { status: 400, ...refusal('SIGNATURE_INVALID') } },
    'refused for its signature, certificate or date',
  ],
  [
    'a wrong role',
    { response: { status: 400, ...refusal('ROLE_INVALID') } },
    'refused for its signature, certificate or date',
  ],
  ['a warning with such a code', { response: { status: 399, ...refusal('ROLE_INVALID') } }, 'taken'],
  ['another refusal', { response: { status: 400, ...refusal('FORMAT_ERROR') } }, 'taken'],
  ['a head that just fits', header(room), 'taken'],
  ['a head that does not', header(room + 1), 'a request larger than a bank takes'],
  ['a body that just fits', { request: { postData: { text: 'x'.repeat(7 * 1024 * 1024) } } }, 'taken'],
  [
    'a body that does not',
    { request: { postData: { text: 'x'.repeat(7 * 1024 * 1024 + 1) } } },
    'a request larger than a bank takes',
  ],
])('an entry with %s is %s', (_, changes, result) => {
  const found = exchangeOf(entryWith(changes), 1);
  expect('why' in found ? found.why : 'taken').toBe(result);
});

test('an exchange has the path from /v1 on, its endpoint, joined headers, and the time of the bank where it is known', () => {
  const headers = [
    { name: 'X-A', value: '1' },
    { name: 'x-a', value: '2' },
    { name: 'TPP-Signature-Certificate', value: 'cert' },
  ];
  const taken = (changes: Changes) => exchangeOf(entryWith(changes), 3) as Exchange;
  const plain = taken({ request: { url: 'https://bank.example/banks/b/v1/accounts/a?limit=1', headers } });
  expect(plain).toMatchObject({
    number: 3,
    target: '/v1/accounts/a?limit=1',
    endpoint: '/accounts/:accountId',
    took: 12,
    tpp: 'cert',
    answer: {},
  });
  expect([plain.headers.get('x-a'), plain.at - plain.sentAt]).toEqual(['1, 2', 0]);
  const other = taken({ entry: { time: -1, _bankTime: '2027-03-02T12:00:00.000Z' }, response: { content: {} } });
  expect([other.took, other.at - other.sentAt, other.answer]).toEqual([0, 86_400_000, undefined]);
});

test.each([
  [{ entry: { startedDateTime: 'yesterday' } }, 'startedDateTime is "yesterday"'],
  [{ response: { status: 'two' } }, 'response.status is "two"'],
  [{ request: { url: '::::' } }, 'request.url is "::::"'],
  [{ request: { method: null } }, 'request.method is null'],
  [url('/v2/accounts'), 'GET https://bank.example/v2/accounts'],
])('DW9: what an entry that is not replayed has wrong: %j', (changes, what) => {
  expect(exchangeOf(entryWith(changes), 1)).toMatchObject({ what });
});
