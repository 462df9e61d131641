import { expect, test } from '@jest/globals';
import { balanceTypes } from '../../api/interface/accounts/accounts.ts';
import { checkAll } from '../../scripts/drift/check.ts';
import { keyOf } from '../../scripts/drift/difference.ts';
import { type Exchange, exchangeOf } from '../../scripts/drift/exchange.ts';
import { quirksOf, tellDrift } from '../../scripts/drift/tell.ts';

/* What a rule tells of a few answers, and at its bounds what it does not tell: nothing is asked of a bank. */

interface Sent {
  readonly status?: number;
  readonly body?: unknown;
  /** Days since the recording began, by the clock of the bank. */
  readonly day?: number;
  readonly psu?: string;
  readonly requestId?: string;
}

type Call = (number: number) => Exchange;

const day = 86_400_000;
const start = Date.UTC(2027, 2, 1, 8);

/** An exchange: a request to `/v1`, and its answer. */
function call(request: string, answer: unknown, sent: Sent = {}): Call {
  const { status = 200, body, psu = 'psu-1', requestId = '' } = sent;
  const [method = '', target = ''] = request.split(' ');
  return (number) => {
    const at = new Date(start + Math.round((sent.day ?? 0) * day) + number).toISOString();
    const found = exchangeOf(
      {
        startedDateTime: at,
        _bankTime: at,
        request: {
          method,
          url: `https://bank.example/v1${target}`,
          headers: [
            { name: 'PSU-ID', value: psu },
            { name: 'X-Request-ID', value: requestId },
          ],
          ...(body !== undefined && { postData: { text: JSON.stringify(body) } }),
        },
        response: { status, headers: [], content: { text: JSON.stringify(answer) } },
      },
      number,
    );
    if ('why' in found) throw new Error(`${found.why} ${found.what}`);
    return found;
  };
}

/** The kinds of differences of a recording of these calls, each once. */
function toldOf(calls: readonly Call[], on: readonly string[]): string[] {
  const quirks = quirksOf(on);
  if (quirks === null) throw new Error(`these quirks do not go together: ${on.join(', ')}`);
  const exchanges = calls.map((each, at) => each(at + 1));
  const checked = checkAll(exchanges, { quirks, asked: new Map(), guesses: new Map() });
  return [...new Set(checked.flatMap(({ differences }) => differences.map(keyOf)))];
}

type Row = readonly [says: string, key: string, isTold: boolean, calls: readonly Call[], quirks?: readonly string[]];

const refused = (code: string) => ({ tppMessages: [{ category: 'ERROR', code, text: 'x' }] });
const domestic = '/payments/norwegian-domestic-credit-transfers';
const asked = { instructedAmount: { amount: '7.00', currency: 'NOK' }, creditorName: 'x' };
const initiated = (transactionStatus: string, more: object = {}, body: object = asked, psu = 'psu-1') =>
  call(`POST ${domestic}`, { paymentId: 'p1', transactionStatus, ...more }, { status: 201, body, psu });
const read = (transactionStatus: string, more: object = {}) =>
  call(`GET ${domestic}/p1`, { ...asked, transactionStatus, ...more });
const startLink = (collection: string) => ({
  _links: { startAuthorisation: { href: `/v1${domestic}/p1/${collection}`, verbs: ['POST'] } },
});
const warning = (code: string) => ({ tppMessages: [{ category: 'WARNING', code, text: 'x' }] });
const sunday = { ...asked, requestedExecutionDate: '2027-03-07' };

const payments: readonly Row[] = [
  ['fundsAvailable is missing for lack of funds', 'absent fundsAvailable', true, [read('ACCP')]],
  [
    'fundsAvailable is there for lack of funds',
    'absent fundsAvailable',
    false,
    [read('ACCP', { fundsAvailable: false })],
  ],
  ['fundsAvailable is there with funds', 'extra fundsAvailable', true, [read('ACSP', { fundsAvailable: false })]],
  ['a payment settles at once', 'value transactionStatus', true, [initiated('ACSC')]],
  ...['own-accounts-at-once', 'same-bank-at-once'].map((quirk): Row => [
    `a payment settles at once with ${quirk}`,
    'value transactionStatus',
    false,
    [initiated('ACSC')],
    [quirk],
  ]),
  ['ACSP becomes PDNG', 'value transactionStatus', false, [initiated('ACSP'), read('PDNG')]],
  ['PDNG becomes RCVD', 'value transactionStatus', true, [initiated('PDNG'), read('RCVD')]],
  [
    'PDNG becomes RCVD, as the test data were made anew',
    'value transactionStatus',
    false,
    [initiated('PDNG'), call('POST /sandbox/initialize', {}), read('RCVD')],
  ],
  [
    'the status of a payment that nobody signed',
    'status /v1/payments/:product/:paymentId/status',
    true,
    [call(`GET ${domestic}/p1/status`, { transactionStatus: 'RCVD' })],
  ],
  [
    'the status of a payment abroad that nobody signed',
    'status /v1/payments/:product/:paymentId/status',
    false,
    [call('GET /payments/cross-border-credit-transfers/p1/status', { transactionStatus: 'RCVD' })],
  ],
  [
    'the status of a payment that nobody signed, with a lag',
    'status /v1/payments/:product/:paymentId/status',
    false,
    [call(`GET ${domestic}/p1/status`, { transactionStatus: 'RCVD' })],
    ['status-lag=PT26S'],
  ],
  ['one of two has signed', 'link _links.startAuthorisation.href', false, [read('PATC', startLink('authorisations'))]],
  [
    'a settled payment is signed',
    'link _links.startAuthorisation.href',
    true,
    [read('ACSC', startLink('authorisations'))],
  ],
  [
    'a payment that its TPP deletes is signed',
    'link _links.startAuthorisation.href',
    true,
    [initiated('RCVD'), call(`DELETE ${domestic}/p1`, {}, { status: 202 }), read('RCVD', startLink('authorisations'))],
  ],
  [
    'a list has an item more than was sent',
    'extra remittanceInformationStructuredArray[]',
    true,
    [
      initiated('ACSP', {}, { ...asked, remittanceInformationStructuredArray: ['a'] }),
      read('ACSP', { remittanceInformationStructuredArray: ['a', 'b'] }),
    ],
  ],
  [
    'the PSU moved a payment to a banking day',
    'value requestedExecutionDate',
    false,
    [initiated('ACSP', {}, sunday), read('ACSP', { requestedExecutionDate: '2027-03-08' })],
  ],
  [
    'a payment moved to a Saturday',
    'value requestedExecutionDate',
    true,
    [initiated('ACSP', {}, sunday), read('ACSP', { requestedExecutionDate: '2027-03-06' })],
  ],
  [
    'a payment that is signed already has no page',
    'link _links.scaRedirect',
    false,
    [initiated('ACSP', {}, asked, '')],
  ],
  ['a payment that one step signs has no page', 'link _links.scaRedirect', true, [initiated('RCVD', {}, asked, '')]],
  ['a Sunday has no warning', 'absent tppMessages', true, [initiated('RCVD', {}, sunday)]],
  [
    'a Sunday has another warning',
    'code tppMessages[].code',
    true,
    [initiated('RCVD', warning('FORMAT_ERROR'), sunday)],
  ],
  [
    'a Sunday has its warning',
    'code tppMessages[].code',
    false,
    [initiated('RCVD', warning('EXECUTION_DATE_INVALID'), sunday)],
  ],
  ['a payment alone has no link to sign it', 'link _links.startAuthorisation', true, [initiated('RCVD'), read('RCVD')]],
  [
    'a payment in a basket has no link to sign it',
    'link _links.startAuthorisation',
    false,
    [
      initiated('RCVD', { _links: { scaRedirect: {}, startAuthorisation: {} } }),
      call('POST /signing-baskets', { basketId: 'b1' }, { status: 201, body: { paymentIds: ['p1'] } }),
      read('RCVD'),
    ],
  ],
  ...(
    [
      ['the payments of a basket are in another order', 'order', ['p2', 'p1']],
      ['a basket has another payment', 'value', ['p1', 'p3']],
    ] as const
  ).map(([says, kind, paymentIds]): Row => [
    says,
    `${kind} paymentIds[]`,
    true,
    [
      call(
        'POST /signing-baskets',
        { basketId: 'b1', paymentIds },
        { status: 201, body: { paymentIds: ['p1', 'p2'] } },
      ),
    ],
  ]),
];

const consent = call('POST /bank-offered-consents', {}, { status: 201 });
const list = (accounts: readonly object[], when = 0) => call('GET /accounts', { accounts }, { day: when });
const expired = (when: number) => call('GET /accounts', refused('CONSENT_EXPIRED'), { status: 401, day: when });
const one = { resourceId: 'a', bban: '09232911044', name: 'x' };
const two = { resourceId: 'b', bban: '09232911052', name: 'y' };

const balancesOf = (...types: readonly string[]) =>
  call('GET /accounts/a/balances', { balances: types.map((balanceType) => ({ balanceType })) });

const accounts: readonly Row[] = [
  ['an account shows one of its balances', 'value balances[].balanceType', false, [balancesOf('interimAvailable')]],
  [
    'an account shows a balance twice in place of another',
    'value balances[].balanceType',
    true,
    [balancesOf(...Array.from({ length: balanceTypes.length }, () => balanceTypes[0] ?? ''))],
  ],
  ['access ends after 179 days', 'status /v1/accounts', true, [consent, list([one]), expired(179 - 1e-6)]],
  ['access ends after more than 179 days', 'status /v1/accounts', false, [consent, list([one]), expired(179.001)]],
  ['access ends whose consent nobody saw', 'status /v1/accounts', false, [list([one]), expired(10)]],
  [
    'access counts from its first read',
    'status /v1/accounts',
    false,
    [consent, list([one]), list([one], 100), expired(181)],
  ],
  [
    'one of two accounts has another id',
    'changed accounts[].resourceId',
    true,
    [list([one, two]), list([one, { ...two, resourceId: 'c' }])],
  ],
  [
    'all accounts have other ids: the bank is another one',
    'changed accounts[].resourceId',
    false,
    [
      list([one, two]),
      list([
        { ...one, resourceId: 'c' },
        { ...two, resourceId: 'd' },
      ]),
    ],
  ],
];

const again = (requestId: string, psu: string, paymentId: string) =>
  call(`POST ${domestic}`, { paymentId, transactionStatus: 'RCVD' }, { status: 201, body: asked, psu, requestId });
const others = (count: number) => Array.from({ length: count }, () => read('RCVD'));

const refusals: readonly Row[] = [400, 401, 403, 404].map((status) => [
  `a refusal with ${status} has links`,
  'extra _links',
  status === 400 || status === 404,
  [
    call(
      'GET /accounts',
      { ...refused('FORMAT_ERROR'), _links: { scaRedirect: { href: 'https://bank.example/sca/x' } } },
      { status },
    ),
  ],
]);

const repeats: readonly Row[] = [
  ['a repeated call has another answer', 'changed', true, [again('r', 'a', 'p1'), again('r', 'a', 'p2')]],
  ['... after four others', 'changed', true, [again('r', 'a', 'p1'), ...others(4), again('r', 'a', 'p2')]],
  ['... after five others', 'changed', false, [again('r', 'a', 'p1'), ...others(5), again('r', 'a', 'p2')]],
  ['the call of another PSU has another answer', 'changed', false, [again('r', 'a', 'p1'), again('r', 'b', 'p2')]],
];

const booked = (...dates: readonly string[]) =>
  dates.map((each) => {
    const [bookingDate = '', transactionId = bookingDate] = each.split(' ');
    return { transactionId, bookingDate: `2027-02-${bookingDate}` };
  });
/** A page of booked transactions: days of February, with ids if the days do not tell them apart. */
const page = (query: string, dates: readonly string[], links: Readonly<Record<string, string>> = {}, minutes = 0) => {
  const hrefs = Object.entries(links).map(([name, at]) => [name, { href: `/v1/accounts/a/transactions?${at}` }]);
  const transactions = { booked: booked(...dates), _links: Object.fromEntries(hrefs) };
  return call(`GET /accounts/a/transactions?bookingStatus=booked&${query}`, { transactions }, { day: minutes / 1_440 });
};
const onward = 'bookingStatus=booked&dateFrom=2027-01-01&limit=2&cursor=c1';
const [item, next, previous] = ['transactions.booked[]', 'transactions._links.next', 'transactions._links.previous'];

const pages: readonly Row[] = [
  ['two transactions of a day stand beside each other', `order ${item}`, false, [page('', ['02 a', '02 b', '01'])]],
  ['an older transaction comes first', `order ${item}`, true, [page('', ['01', '02'])]],
  ['a page has as many as limit asks for', `extra ${item}`, false, [page('limit=2', ['02', '01'])]],
  ['a page has more than limit asks for', `extra ${item}`, true, [page('limit=2', ['03', '02', '01'])]],
  [
    'a page has more than its bank gives',
    `extra ${item}`,
    true,
    [page('limit=3', ['03', '02', '01'])],
    ['limit-cap=2'],
  ],
  ['a full page links to the next one', `link ${next}`, false, [page('limit=2', ['02', '01'], { next: onward })]],
  ['a page with room links to the next one', `link ${next}`, true, [page('limit=2', ['02'], { next: onward })]],
  ...(['02', '03', '01', '04'] as const).map((date): Row => [
    `the period is 2 to 3 February, a transaction of ${date} February`,
    `value ${item}.bookingDate`,
    date === '01' || date === '04',
    [page('dateFrom=2027-02-02&dateTo=2027-02-03', [date])],
  ]),
  [
    'a full page lacks the link that a client follows',
    `link ${next}`,
    true,
    [page('limit=2', ['03', '02']), page('limit=2&cursor=c1', ['01'])],
  ],
  [
    'a page with room lacks the link to a cursor of another list',
    `link ${next}`,
    false,
    [page('limit=2', ['03']), page('limit=2&cursor=c1', ['01'])],
  ],
  [
    'the next page begins on the last day of the page before',
    `order ${item}`,
    false,
    [page('limit=2', ['03', '02 a'], { next: onward }), page('limit=2&cursor=c1', ['02 b', '01'])],
  ],
  [
    'the next page begins on a later day',
    `order ${item}`,
    true,
    [page('limit=2', ['03', '01'], { next: onward }), page('limit=2&cursor=c1', ['02'])],
  ],
  [
    'half of a page is on the page before, and its link leads to itself',
    `page ${next}`,
    true,
    [page('limit=2', ['03', '02'], { next: onward }), page('limit=2&cursor=c1', ['02', '01'], { next: onward })],
  ],
  [
    'all of a page is on the page before, and its link leads to itself',
    `page ${next}`,
    false,
    [page('limit=2', ['03', '02'], { next: onward }), page('limit=2&cursor=c1', ['03', '02'], { next: onward })],
  ],
  ...[0.9, 1.1].map((minutes): Row => [
    `another offset shows the same ${minutes} minutes later`,
    `page ${item}`,
    minutes < 1,
    [page('limit=2', ['03', '02']), page('limit=2&offset=2', ['03', '02'], {}, minutes)],
  ]),
  [
    'a page without a link has another one behind it',
    `link ${next}`,
    true,
    [page('limit=2', ['03', '02']), page('limit=2&offset=2', ['01'])],
  ],
  [
    'a page without a link overlaps the other one',
    `link ${next}`,
    false,
    [page('limit=2', ['03', '02']), page('limit=2&offset=1', ['02'])],
  ],
  [
    'a transaction is gone between two of a page',
    `absent ${item}`,
    true,
    [page('', ['03', '02', '01']), page('limit=2', ['03', '01'], { next: onward })],
  ],
  ...[
    ['03', '02'],
    ['02', '01'],
  ].map((days): Row => [
    `another transaction of a day at an end of ${days.join(' to ')} February may be on another page`,
    `absent ${item}`,
    false,
    [
      page('', ['03', '02 a', '02 b', '01']),
      page(
        'limit=2',
        days.map((each) => `${each} ${each === '02' ? 'a' : each}`),
        { next: onward },
      ),
    ],
  ]),
  ...['02', '01'].map((date): Row => [
    `a whole list from 1 February lacks one of ${date} February`,
    `absent ${item}`,
    true,
    [page('', ['03', `${date} a`]), page('dateFrom=2027-02-01', ['03'])],
  ]),
  ['a page beyond the end has no link to the one before', `link ${previous}`, false, [page('offset=9', [])]],
  ['a page behind the first has no link to the one before', `link ${previous}`, true, [page('offset=1', ['01'])]],
];

const posts = (members: object) =>
  call(
    'POST /sandbox/accounts/a/transactions',
    {},
    { status: 201, body: { amount: -5, bookingDate: '2027-02-02', ...members } },
  );
const shows = (members: object) => {
  const amount = { transactionAmount: { amount: '-5.00', currency: 'NOK' } };
  return call('GET /accounts/a/transactions', {
    transactions: { booked: [{ ...booked('02')[0], ...amount, ...members }] },
  });
};

const posted: readonly Row[] = [
  ['a posted name is missing', `absent ${item}.creditorName`, true, [posts({ creditorName: 'x' }), shows({})]],
  ...['', null].map((creditorName): Row => [
    `a name that was posted as ${JSON.stringify(creditorName)} is missing`,
    `absent ${item}.creditorName`,
    false,
    [posts({ creditorName }), shows({})],
  ]),
  [
    'a value date is not the posted one',
    `value ${item}.valueDate`,
    true,
    [posts({ valueDate: '2027-02-02' }), shows({ valueDate: '2027-02-03' })],
  ],
  ['a value date was not posted', `extra ${item}.valueDate`, false, [posts({}), shows({ valueDate: '2027-02-03' })]],
  [
    'one of two that were posted alike has another name',
    `value ${item}.creditorName`,
    false,
    [posts({ creditorName: 'x' }), posts({ creditorName: 'y' }), shows({ creditorName: 'z' })],
  ],
  [
    'a posted name is another one',
    `value ${item}.creditorName`,
    true,
    [posts({ creditorName: 'x' }), shows({ creditorName: 'z' })],
  ],
];

test.each([...payments, ...accounts, ...pages, ...refusals, ...posted, ...repeats])(
  'DW4, DW5: %s: %s is told: %s',
  (_says, key, isTold, calls, quirks = []) => {
    const told = toldOf(calls, quirks);
    expect({ told, isTold: told.includes(key) }).toEqual({ told, isTold });
  },
);

test.each([
  ['a refusal with another status is a new quirk', call('GET /accounts', refused('FORMAT_ERROR'), { status: 404 })],
  [
    'an answer that the sandbox refuses was not carried out',
    call(
      `POST ${domestic}`,
      { paymentId: 'p1', transactionStatus: 'RCVD' },
      { status: 201, body: { creditorName: 7 } },
    ),
  ],
])('DW1: %s', async (says, bad) => {
  const options = { quirks: [], source: 'a test', today: '2027-03-01', accepted: new Set<string>() };
  const { differences } = await tellDrift([bad(1)], options);
  const meanings = differences.filter(({ kind }) => kind === 'status').map(({ meaning }) => meaning);
  expect(meanings).toEqual([says.includes('quirk') ? 'new quirk' : 'not carried out']);
});
