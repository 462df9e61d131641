import { describe, expect, test } from '@jest/globals';
import { compareAnswers, type Difference } from '../../scripts/drift/compare.ts';
import { distanceOf } from '../../scripts/drift/search.ts';
import { keyOf, meaningOf } from '../../scripts/drift/tell.ts';

/* docs/drift.md: which differences of two answers count, and how much. */

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer?: unknown;
}

function answered({ status = 200, headers = {}, answer }: Answer) {
  return { status, answerHeaders: new Map(Object.entries(headers)), answer, endpoint: '/accounts' };
}

function keysOf(recorded: Answer, replayed: Answer, ...keeps: readonly string[]): string[] {
  return compareAnswers(answered(recorded), answered(replayed), new Set(keeps)).differences.map(keyOf);
}

const uuid = '9b7f4a52-6c0b-4f7a-9d53-0f8d4bb5a001';

describe('members', () => {
  test.each<[what: string, recorded: object, replayed: object, ...keys: string[]]>([
    ['one more', { a: 1, b: { c: 1 } }, { b: {} }, 'extra a', 'extra b.c'],
    ['one less', { b: {} }, { a: 1, b: { c: 1 } }, 'absent b.c', 'absent a'],
    ['another type', { a: '1', b: [], c: null }, { a: 1, b: {}, c: '' }, 'type a', 'type b', 'type c'],
    ['a switch', { a: true, b: true }, { a: false, b: true }, 'value a'],
    ['a word', { currency: 'NOK' }, { currency: 'EUR' }, 'value currency'],
    [
      'a code',
      { tppMessages: [{ code: 'A', path: 'x' }] },
      { tppMessages: [{ code: 'B', path: 'x' }] },
      'code tppMessages[].code',
    ],
    [
      'a path',
      { tppMessages: [{ code: 'A', path: 'x' }] },
      { tppMessages: [{ code: 'A', path: 'y' }] },
      'path tppMessages[].path',
    ],
    ['verbs in another order', { verbs: ['GET', 'PUT'] }, { verbs: ['PUT', 'GET'] }],
    ['other verbs', { verbs: ['GET', 'PUT'] }, { verbs: ['GET'] }, 'verbs verbs'],
    ['a free text', { note: 'a' }, { note: 'b' }],
    [
      'a free text that is empty, or a number',
      { note: 'a', more: 'a' },
      { note: ' ', more: '1' },
      'form note',
      'form more',
    ],
  ])('%s', (_, recorded, replayed, ...keys) => {
    expect(keysOf({ answer: recorded }, { answer: replayed })).toEqual(keys);
  });
});

describe('the form of a value', () => {
  test.each<[name: string, recorded: string, replayed: string, isSame: boolean]>([
    ['paymentId', 'enc!!aB-3', 'enc!!x_99', true],
    ['paymentId', 'abc', 'abcd', false],
    ['paymentId', 'enc!!ab==', 'enc!!abcd', false],
    ['paymentId', 'enc!!abcd', 'xyz!!abcd', false],
    ['paymentId', '1234', 'a234', false],
    ['paymentId', uuid, uuid.replace('9b', '8c'), true],
    ['paymentId', uuid, 'x'.repeat(36), false],
    ['id', 'a', 'ab', false],
    ['consentIds', 'a', 'ab', false],
    ['name', 'Kari', 'Nora', true],
    ['name', 'Kari', 'Ola', false],
    ['bban', '09232911044', '9232911044', false],
    ['iban', 'NO93', 'NO9', false],
    ['validDate', '2027-03-01', '2028-12-31', true],
    ['validDate', '2027-03-01', '01.03.2027', false],
    ['startDateTime', '2027-03-01T12:00:00Z', '2027-03-01T12:00:00+01:00', false],
    ['expiry', '12/27', '12/2027', false],
    ['remittanceInformationUnstructured', 'Kiosken', 'Rema 1000', true],
    ['remittanceInformationUnstructured', 'KIOSKEN', 'Kiosken', false],
    ['remittanceInformationUnstructured', '12.03 Kiosken', 'Kiosken', false],
    ['remittanceInformationUnstructured', '*1234 Kiosken', 'Kiosken', false],
    ['remittanceInformationUnstructured', 'Gebyr    1', 'Gebyr 1', false],
    ['remittanceInformationUnstructured', 'Til: Kari', 'Fra: Kari', false],
    ['remittanceInformationUnstructured', ' ', '1', false],
    ['transactionDetails', 'KIOSKEN', 'Kiosken', false],
    ['amount', '1.00', '20.50', true],
    ['amount', '-1.00', '1.00', true],
    ['amount', '1.00', '1.0', false],
    ['creditLimit', '100', '1.00', false],
  ])('%s %s and %s: %s', (name, recorded, replayed, isSame) => {
    const wanted = isSame ? [] : [`form ${name}`];
    expect(keysOf({ answer: { [name]: recorded } }, { answer: { [name]: replayed } })).toEqual(wanted);
  });
});

describe('sums and days', () => {
  const movement = (amount: unknown) => ({ transactionAmount: { amount } });
  const balance = (amount: unknown) => ({ balanceAmount: { amount } });
  const booked = (bookingDate: string, valueDate = bookingDate) => ({ booked: [{ bookingDate, valueDate }] });
  const pending = (valueDate: string) => ({ pending: [{ valueDate }] });
  test.each<[what: string, recorded: object, replayed: object, plain: string[], kept: string[]]>([
    ['a movement', movement('-1.00'), movement('-2.00'), [], ['value transactionAmount.amount']],
    [
      'a movement the other way',
      movement('-1.00'),
      movement('1.00'),
      ['value transactionAmount.amount'],
      ['value transactionAmount.amount'],
    ],
    ['a balance below zero', balance('-1.00'), balance('1.00'), [], ['value balanceAmount.amount']],
    ['a form', balance('1.0'), balance('1.00'), ['form balanceAmount.amount'], ['form balanceAmount.amount']],
    ['numbers', balance(1), balance(1.5), [], ['value balanceAmount.amount']],
    ['the same numbers', balance(1.5), balance(1.5), [], []],
    ['a number that is no sum', { count: 1 }, { count: 1.5 }, ['value count'], ['value count']],
    ['whole numbers that are no sums', { count: 1 }, { count: 2 }, [], []],
    [
      'a booking date',
      booked('2027-03-01'),
      booked('2027-03-02', '2027-03-01'),
      ['value booked[].bookingDate'],
      ['value booked[].bookingDate'],
    ],
    [
      'a value date',
      booked('2027-03-01'),
      booked('2027-03-01', '2027-03-02'),
      ['value booked[].valueDate'],
      ['value booked[].valueDate'],
    ],
    ['a pending day', pending('2027-03-01'), pending('2027-03-02'), [], []],
  ])('%s, replaced and kept', (_, recorded, replayed, plain, kept) => {
    const [one, other] = [{ answer: recorded }, { answer: replayed }];
    expect([keysOf(one, other), keysOf(one, other, 'amounts')]).toEqual([plain, kept]);
  });
});

describe('lists', () => {
  const item = (bookingDate: string, amount = '-1.00', more: object = {}) => {
    return { bookingDate, transactionAmount: { amount }, ...more };
  };
  const [first, second, third] = ['2027-03-01', '2027-03-02', '2027-03-03'].map((day) => item(day));
  test.each<[what: string, recorded: readonly unknown[], replayed: readonly unknown[], ...keys: string[]]>([
    ['longer', [first, second], [first], 'extra booked[]'],
    ['shorter', [first], [first, second, third], 'absent booked[]', 'absent booked[]'],
    ['two in another order', [first, second], [second, first], 'order booked[]'],
    ['three in another order', [first, second, third], [third, first, second], 'order booked[]'],
    [
      'a day in another order by its sums',
      [item('2027-03-01', '-1.00'), item('2027-03-01', '-2.00')],
      [item('2027-03-01', '-2.00'), item('2027-03-01', '-1.00')],
      'order booked[]',
    ],
    [
      'another order and other sums',
      [first, second],
      [item('2027-03-02', '-7.00'), item('2027-03-01', '-8.00')],
      'order booked[]',
    ],
    [
      'a difference in another order',
      [item('2027-03-01', '-1.00', { x: 1 }), second],
      [second, first],
      'order booked[]',
      'extra booked[].x',
    ],
    [
      'nothing that tells items apart',
      [{ x: true }, { x: false }],
      [{ x: false }, { x: true }],
      'value booked[].x',
      'value booked[].x',
    ],
  ])('%s', (_, recorded, replayed, ...keys) => {
    expect(keysOf({ answer: { booked: recorded } }, { answer: { booked: replayed } })).toEqual(keys);
  });
});

describe('links', () => {
  test.each<[what: string, recorded: string | null, replayed: string | null, isSame: boolean]>([
    ['ids of one form', '/v1/accounts/enc!!ab', '/v1/accounts/enc!!cd', true],
    ['ids of another form', '/v1/accounts/enc!!ab', '/v1/accounts/enc!!cde', false],
    ['another word', '/v1/accounts/enc!!ab', '/v1/cards/enc!!ab', false],
    ['a word for an id', '/v1/accounts/x', '/v1/accounts/enc!!ab', false],
    ['longer', '/v1/accounts', '/v1/accounts/balances', false],
    ['an address and a path', 'https://bank.example/v1/accounts', '/v1/accounts', false],
    ['another host', 'https://bank.example/v1/accounts', 'http://127.0.0.1/v1/accounts', false],
    ['parameters in another order', '/v1/x?a=1&b=2', '/v1/x?b=2&a=1', true],
    ['another value', '/v1/x?limit=1', '/v1/x?limit=2', false],
    ['another parameter', '/v1/x?limit=1', '/v1/x?offset=1', false],
    ['a cursor', '/v1/x?cursor=a', '/v1/x?cursor=bc', true],
    ['missing', '/v1/x', null, false],
    ['one more', null, '/v1/x', false],
  ])('%s', (_, recorded, replayed, isSame) => {
    const of = (href: string | null) => ({ answer: { _links: href === null ? {} : { next: { href } } } });
    const found = keysOf(of(recorded), of(replayed)).map((key) => key.replace('.href', ''));
    expect(found).toEqual(isSame ? [] : ['link _links.next']);
  });

  test('the page of the bank may be anywhere, and its ids are learned', () => {
    const of = (href: string) => answered({ answer: { _links: { scaRedirect: { href } } } });
    const { differences, pairs } = compareAnswers(of('https://bank.example/sca/1'), of('http://127.0.0.1/as/x/2?a=b'));
    expect([differences, pairs.length]).toEqual([[], 1]);
  });

  test('ids are learned from bodies, links and cursors', () => {
    const of = (id: string) =>
      answered({ answer: { paymentId: id, _links: { next: { href: `/v1/x/${id}?cursor=${id}` } } } });
    const { pairs } = compareAnswers(of('enc!!ab'), of('enc!!cd'));
    expect(pairs.map(({ recorded, replayed, path }) => [recorded, replayed, path])).toEqual([
      ['enc!!ab', 'enc!!cd', 'paymentId'],
      ['enc!!ab', 'enc!!cd', '_links.next.href'],
      ['enc!!ab', 'enc!!cd', ''],
    ]);
  });
});

describe('status and headers', () => {
  const refused = (status: number, code?: string): Answer => ({
    status,
    answer: code === undefined ? { a: 1 } : { tppMessages: [{ code }] },
  });
  test.each<[what: string, recorded: Answer, replayed: Answer, ...keys: string[]]>([
    ['a refusal', { answer: { a: 1 } }, refused(403, 'A'), 'status /v1/accounts'],
    ['another refusal', refused(400, 'A'), refused(403, 'B'), 'status /v1/accounts', 'code tppMessages[].code'],
    ['another refusal with the same code', refused(400, 'A'), refused(403, 'A'), 'status /v1/accounts'],
    [
      'another success',
      { status: 200, answer: { a: 1 } },
      { status: 201, answer: {} },
      'status /v1/accounts',
      'extra a',
    ],
    ['a redirection', { status: 200, answer: { a: 1 } }, { status: 300, answer: {} }, 'status /v1/accounts'],
    [
      'the same content type, spelled otherwise',
      { headers: { 'content-type': 'Application/JSON; charset="utf-8"' } },
      { headers: { 'content-type': 'application/json;charset=utf-8' } },
    ],
    [
      'another content type',
      { headers: { 'content-type': 'application/json' } },
      { headers: { 'content-type': 'application/json; charset=utf-8' } },
      'header content-type',
    ],
    ['another location', { headers: { location: '/a' } }, { headers: { location: '/b' } }],
    ['a location less', { headers: { location: '/a' } }, {}, 'header location'],
    ['a header that no client reads', { headers: { server: 'x' } }, {}],
  ])('%s', (_, recorded, replayed, ...keys) => {
    expect(keysOf(recorded, replayed)).toEqual(keys);
  });
});

test.each<
  [what: string, distance: number, ...differences: Pick<Difference, 'kind' | 'path' | 'recorded' | 'replayed'>[]]
>([
  ['nothing', 0],
  ['another status', 20, { kind: 'status', path: '/v1/x', recorded: 200, replayed: 400 }],
  ['another refusal', 10, { kind: 'status', path: '/v1/x', recorded: 400, replayed: 403 }],
  ['another success', 20, { kind: 'status', path: '/v1/x', recorded: 200, replayed: 201 }],
  [
    'an item more and one less',
    40,
    { kind: 'extra', path: 'x[]', recorded: 1, replayed: null },
    { kind: 'absent', path: 'x[]', recorded: null, replayed: 1 },
  ],
  [
    'members and an order',
    3,
    { kind: 'extra', path: 'x', recorded: 1, replayed: null },
    { kind: 'absent', path: 'x[].a', recorded: null, replayed: 1 },
    { kind: 'order', path: 'x[]', recorded: 1, replayed: 2 },
  ],
])(
  'the distance of %s is %i; that of a request without its id is 20 whatever differs',
  (_, distance, ...differences) => {
    const one = { exchange: null as never, answered: null as never, differences };
    expect([distanceOf([{ ...one, isLost: false }]), distanceOf([{ ...one, isLost: true }])]).toEqual([distance, 20]);
  },
);

test.each([
  ['status', 200, 500, 'fault of the sandbox'],
  ['status', 400, 503, 'fault of the sandbox'],
  ['status', 200, 499, 'not carried out'],
  ['status', 399, 400, 'not carried out'],
  ['status', 400, 403, 'new habit'],
  ['status', 403, 200, 'new habit'],
  ['status', 200, 399, 'new habit'],
  ['value', 200, 500, 'new habit'],
] as const)('another %s, %i recorded and %i replayed, is: %s', (kind, recorded, replayed, meaning) => {
  expect(meaningOf({ kind, recorded, replayed })).toBe(meaning);
});
