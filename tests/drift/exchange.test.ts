import { expect, test } from '@jest/globals';
import { type Exchange, exchangeOf } from '../../scripts/drift/exchange.ts';

/* DW4: which entries of a recording are judged, and why the others are skipped. */

interface Changes {
  readonly request?: object;
  readonly response?: object | null;
}

const url = (path: string, method = 'GET') => ({ request: { method, url: `https://bank.example${path}` } });
const content = (members: object, status = 200) => ({ response: { status, content: members } });

/** An entry of a HAR with these changes. */
function entryWith({ request, response }: Changes): object {
  return {
    request: { method: 'GET', url: 'https://bank.example/v1/accounts', headers: [], ...request },
    response: response === null ? null : { status: 200, headers: [], content: { text: '{}' }, ...response },
  };
}

const initiation = url('/v1/payments/sepa-credit-transfers', 'POST').request;
const refusal = JSON.stringify({ tppMessages: [{ code: 'SYSTEM_ERROR' }] });
const json = [{ name: 'content-type', value: 'application/json' }];

test.each<[what: string, changes: Changes, result: string]>([
  ['a whole one', {}, '/accounts'],
  ['a base path of the bank', url('/psd2/berlin/v1/accounts/'), '/accounts'],
  ['a base path without a version', url('/open-banking/accounts/12/balances'), '/accounts/{accountId}/balances'],
  ['a base path that looks like one of ours', url('/accounts/v1/user'), '/user'],
  ['the test data', url('/v1/sandbox/accounts'), '/sandbox/accounts'],
  ['the unsigned door', url('/banks/b/sandbox/as/shop/v1/accounts'), '/accounts'],
  ['a product', { ...url('/v1/payments/sepa-credit-transfers/12') }, '/payments/{product}/{paymentId}'],
  ['a HEAD', { ...url('/v1/accounts', 'HEAD'), ...content({ size: 300 }) }, '/accounts'],
  ['another path', url('/v1/nothing'), 'GET /v1/nothing is no call of the interface'],
  ['the control plane', url('/sandbox/accounts'), 'GET /sandbox/accounts is no call of the interface'],
  [
    'that of a named bank',
    url('/banks/b/sandbox/consents', 'POST'),
    'POST /banks/b/sandbox/consents is no call of the interface',
  ],
  ['another method', url('/v1/accounts', 'PUT'), 'PUT /v1/accounts is no call of the interface'],
  ['no address', { request: { url: 'x' } }, 'it has no request.url'],
  ['no method', { request: { method: 7 } }, 'it has no request.method'],
  ['no answer', { response: null }, 'it has no answer'],
  ['an aborted answer', { response: { status: 0 } }, 'it has no answer'],
  ['status 600', { response: { status: 600 } }, 'it has no answer'],
  ['a page of a gateway', content({ text: '<html>' }, 502), 'the bank was not available (502)'],
  ['a page of a gateway that is too busy', content({ text: '<html>' }, 429), 'the bank was not available (429)'],
  ['an empty answer of a gateway', content({ text: ' ', size: 1 }, 503), 'the bank was not available (503)'],
  ['a 500 in JSON of another form', content({ text: '{"error":"down"}' }, 500), '/accounts'],
  ...[429, 502, 503, 504].flatMap((status): [string, Changes, string][] =>
    [
      ['of Envoy, a text', 'upstream connect error or disconnect/reset before headers. reset reason: overflow'],
      ['of AWS, JSON', '{"message":"Too Many Requests"}'],
      ['of Kong, JSON', '{"message":"The upstream server is timing out","request_id":"7a"}'],
      ['of Azure, JSON', '{"statusCode":429,"message":"Rate limit is exceeded. Try again in 25 seconds."}'],
      ['of one that answers with a word', '"down"'],
      ['of one that cuts its JSON', '{"message":'],
    ].map(([what = '', text]) => [
      `${status} ${what}`,
      { response: { ...content({ text }, status).response, headers: json } },
      `the bank was not available (${status})`,
    ]),
  ),
  ['a refusal of 429', content({ text: refusal }, 429), '/accounts'],
  ['a 500 with a text', content({ text: 'Internal Server Error' }, 500), '/accounts'],
  ['a JSON text', { response: { headers: json, content: { text: '"ok"' } } }, '/accounts'],
  ['a JSON null', { response: { headers: json, content: { text: 'null' } } }, '/accounts'],
  ['a JSON number', { response: { headers: json, content: { text: '7' } } }, '/accounts'],
  ['a cut 500', content({ text: '{"error":' }, 500), 'the JSON of its answer is cut'],
  ['a refusal of 503', content({ text: refusal }, 503), '/accounts'],
  ['no text of an answer', content({ size: 12 }), 'the body of its answer was not recorded'],
  ['no text, and no size', content({}), 'the body of its answer was not recorded'],
  ['a text of null', content({ text: null, size: 12 }), 'the body of its answer was not recorded'],
  ['an empty text with a size', content({ text: '', size: 12 }), 'the body of its answer was not recorded'],
  ['an answer in another file', content({ _file: 'a.json', size: 12 }), 'the body of its answer is in another file'],
  ['no content at all', content(undefined as never), 'the body of its answer was not recorded'],
  [
    'a 204',
    { ...url('/v1/payments/sepa-credit-transfers/12', 'DELETE'), ...content({ size: 0 }, 204) },
    '/payments/{product}/{paymentId}',
  ],
  [
    'a cut answer',
    { response: { headers: json, content: { text: '{"accounts":[' } } },
    'the JSON of its answer is cut',
  ],
  ['a cut answer of an unknown type', content({ text: ' {"accounts":[' }), 'the JSON of its answer is cut'],
  ['base64', content({ text: 'e30=', encoding: 'base64' }), '/accounts'],
  ['a body that is no UTF-8', content({ text: '/w==', encoding: 'base64' }), 'the body of its answer is no text'],
  ['a request without postData', { request: initiation }, 'the body of its request was not recorded'],
  [
    'a request of a size without its text',
    { request: { ...initiation, bodySize: 9, postData: { text: '' } } },
    'the body of its request was not recorded',
  ],
  [
    'a taken request without a body',
    { request: { ...initiation, bodySize: 0 } },
    'the body of its request was not recorded',
  ],
  [
    'a taken request with a cut body',
    { request: { ...initiation, postData: { text: '{"a":' } } },
    'the body of its request is cut',
  ],
  [
    'a refused request without a body',
    { request: { ...initiation, bodySize: 0 }, response: { status: 400 } },
    '/payments/sepa-credit-transfers',
  ],
  [
    'a request with a form',
    { request: { ...initiation, postData: { params: [] } } },
    'the body of its request was not recorded',
  ],
  [
    'a request with a body',
    { request: { ...initiation, postData: { text: '{}' } } },
    '/payments/sepa-credit-transfers',
  ],
])('an entry with %s: %s', (_, changes, result) => {
  const found = exchangeOf(entryWith(changes), 7);
  expect(found.entry).toBe(7);
  expect('why' in found ? found.why : found.template).toBe(result);
});

test('headers are read by small letters and joined; those of HTTP/2 and broken ones are left out', () => {
  const headers = [
    ...[
      { name: ':path', value: '/' },
      { name: 'Accept', value: 'text/html' },
    ],
    ...[{ name: 'accept', value: '*/*' }, { name: 7, value: 'x' }, null],
  ];
  const { headers: read, query } = exchangeOf(
    entryWith({ request: { headers, url: 'https://bank.example/v1/accounts?withBalance=true' } }),
    1,
  ) as Exchange;
  expect([...read]).toEqual([['accept', 'text/html, */*']]);
  expect(String(query)).toBe('withBalance=true');
});

test('DW4: a type that a browser writes for none is none, and blanks around a value are none of it', () => {
  const untyped = exchangeOf(entryWith({ response: { content: { text: '{}', mimeType: 'x-unknown' } } }), 1);
  expect(untyped).toMatchObject({ mediaType: '' });
  const [name, value] = ['X-Request-ID', ' \t7f1c '];
  const padded = exchangeOf(entryWith({ request: { headers: [{ name, value }] }, response: { headers: json } }), 1);
  expect(padded).toMatchObject({ headers: new Map([['x-request-id', '7f1c']]), mediaType: 'application/json' });
});
