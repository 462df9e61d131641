import type { Seeded } from '../lab/seeded.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { productPath, sepaPayment } from '../lab/products.ts';
import type { Recorder } from '../lab/recorder.ts';
import { placesIn } from '../lab/places-in.ts';

/* A client that sends right, wrong and odd requests, as clients under development do. */

const uuid = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const number = '13039319955';
const iban = 'NO6290491105991';

/** Values of headers: right, odd and wrong. An empty one is left out by the unsigned door. */
const headerValues: Readonly<Record<string, readonly string[]>> = {
  'X-Request-ID': [uuid.toUpperCase(), 'x', '', uuid.replaceAll('-', ''), 'a'.repeat(101)],
  'TPP-Session-ID': ['', 'session 2', 'a'.repeat(101), 'session-1'],
  'TPP-Redirect-URI': ['', 'http://localhost:3000/back', 'myapp://back', 'javascript:alert(1)', '/back', 'https://a b'],
  'PSU-IP-Address': ['', '::1', '999.1.1.1', '10.0.0.1, 10.0.0.2', 'localhost'],
  'PSU-Geo-Location': ['', 'GEO:59.91;10.75', 'geo:59.91,10.75', 'GEO:99,10', 'Oslo'],
  'PSU-ID': ['', uuid, 'x'],
  'X-PSU-IDENTITY': ['', number, '12085592767', '130393 19955', '1303931995'],
  'PSU-Context': ['', 'PRIVATE', 'CORPORATE', 'private', 'BOTH'],
  'PSU-Corporate-ID': ['', uuid, 'x'],
  'PSU-HTTP-Method': ['', 'GET', 'get', 'HEAD'],
  'PSU-IP-Port': ['', '443', '0', '99999'],
  'PSU-Device-ID': ['', uuid, '42'],
  'x-accept-fix': ['', 'none', 'longer-names', 'a,,b'],
  Accept: [
    '',
    '*/*',
    'application/json;charset=UTF-8',
    'application/*',
    'text/html',
    'application/xml;q=0.9, */*;q=0.1',
  ],
  'Accept-Language': ['nb', ''],
};

const queries = [
  ...['', '?', '?withBalance=true', '?withBalance=TRUE', '?withBalance=', '?withBalance=true&withBalance=false'],
  ...['?bookingStatus=both', '?bookingStatus=BOTH', '?bookingStatus=booked&limit=0', '?bookingStatus=both&limit=1e2'],
  ...['?bookingStatus=booked&dateFrom=2027-02-30', '?bookingStatus=both&dateFrom=2027-02-01&dateTo=2027-01-01'],
  ...['?bookingStatus=booked&limit=2&limit=3', '?bookingStatus=pending&offset=-1', '?colour=red', '?bookingStatus'],
  ...[
    '?allowLogicalDuplicate=true',
    '?allowLogicalDuplicate=1',
    '?cursor=x&bookingStatus=both',
    '?bookingStatus=both&limit=1001',
  ],
];

/** What replaces a member of a body: undefined leaves it out. */
const odd: readonly unknown[] = [
  ...[undefined, null, '', ' ', 7, -1, 0.5, true, [], {}, [[]], 'x', 'x'.repeat(300), 'æøå', 'a\u0000b', '1e3'],
  ...['100,00', '100.000', '0.00', '-1.00', '999999999999999.99', '2027-02-30', '01.03.2027', '2020-01-01'],
  ...['NKR', 'nok', 'EUR', 'Monthly', 'monthly', 13, [13], ['3']],
  ...[iban, iban.toLowerCase(), 'NO62 9049 1105 991', 'no63 9049 1105 991', 'NO6390491105991', '90491105991'],
  ...['9049.11.05991', '9049 11 05991', '904911059', 'DE89370400440532013000', 'de89 3704 0044 0532 0130 00'],
];

/** The body with some members changed, or with one more. */
function oddBody(random: Seeded, body: object): object {
  const changed = structuredClone(body);
  for (let left = random.below(3); left > 0; left -= 1) {
    const [holder, name] = random.pick(placesIn(changed));
    Reflect.set(holder, random.below(8) === 0 ? 'colour' : name, structuredClone(random.pick(odd)));
  }
  return changed;
}

/** Makes so many calls; every second PSU who is asked approves, and the clock moves now and then. */
export async function askOddly(recorder: Recorder, random: Seeded, calls: number): Promise<void> {
  const ids = ['nothing', 'enc!!x==', '%20', 'latest'];
  let psuId = await recorder.approve(await recorder.call('POST', '/v1/bank-offered-consents'), number);
  const made: string[] = [];
  const { accounts = [] } = await recorder.call('GET', '/v1/accounts', { headers: { 'PSU-ID': psuId } });
  for (const { resourceId } of accounts) ids.push(resourceId);
  const bodies: readonly (readonly [path: string, body: object])[] = [
    [singlePath, singlePayment()],
    [singlePath, singlePayment({ creditorAccount: { iban, currency: 'NOK' } })],
    [periodicPath, periodicPayment()],
    [periodicPath, periodicPayment({ frequency: 'MonthlyVariable', monthsOfExecution: [3, 6] })],
    [bulkPath, bulkPayment([bulkItem('3.00'), bulkItem('4.00')])],
    [productPath('straks'), singlePayment({ instructedAmount: { amount: '5.00', currency: 'NOK' } })],
    [productPath('sepa'), sepaPayment({})],
    ['/v1/signing-baskets', { paymentIds: ['x'] }],
  ];
  for (let call = 0; call < calls; call += 1) {
    const named = random.pick([{ 'PSU-ID': psuId }, { 'X-PSU-IDENTITY': number, 'PSU-Context': 'PRIVATE' }, {}]);
    const headers: Record<string, string> = {
      ...(random.below(4) > 0 && { 'TPP-Session-ID': 'session-1', 'x-accept-fix': 'longer-names' }),
      ...named,
    };
    for (let left = random.below(3); left > 0; left -= 1) {
      const name = random.pick(Object.keys(headerValues));
      headers[name] = random.pick(headerValues[name] ?? []);
    }
    const id = random.pick([...ids, ...made]);
    const payment = random.pick(made.length > 0 ? made : [`${singlePath}/nothing`]);
    const [path, right] = random.pick(bodies);
    const strange = path.replace(/[^/]+$/, random.pick(['sepa-instant', 'x', 'norwegian-domestic-credit-transfer']));
    const body = oddBody(random, right);
    const query = random.below(3) === 0 ? random.pick(queries) : '';
    const [method, target, sent] = random.pick<readonly [method: string, target: string, sent?: object]>([
      ...([path, path, path, path, random.below(4) === 0 ? strange : path] as const).map(
        (each) =>
          ['POST', each, each.endsWith('baskets') && random.below(2) === 0 ? { paymentIds: made } : body] as const,
      ),
      ['GET', '/v1/accounts'],
      ['GET', `/v1/accounts/${id}`],
      ['GET', `/v1/accounts/${id}/balances`],
      ['GET', `/v1/accounts/${id}/transactions?bookingStatus=both`],
      ['GET', `/v1/accounts/${id}/transactions`],
      ['GET', '/v1/card-accounts'],
      ['GET', '/v1/users'],
      ['GET', '/v1/agreements'],
      ['POST', '/v1/bank-offered-consents'],
      ['GET', payment],
      ['GET', `${payment}/status`],
      ['POST', `${payment}/authorisations`],
      ['DELETE', payment],
      ['GET', `${payment.replace(/[^/]+(?=\/[^/]+$)/, 'x')}/status`],
      ['PUT', '/v1/accounts'],
      ['GET', '/v1/sandbox/accounts'],
      ['POST', `/v1/sandbox/accounts/${id}/transactions`, [{ amount: -10, currency: 'NOK', valueDate: '2027-02-01' }]],
    ]);
    const whole = target.includes('?') ? target : target + query;
    const answer = await recorder.call(method, whole, { headers, ...(sent !== undefined && { body: sent }) });
    if (typeof answer?.paymentId === 'string' && method === 'POST') made.push(`${path}/${answer.paymentId}`);
    if (random.below(2) === 0) psuId = (await recorder.approve(answer, number)) || psuId;
    if (random.below(12) === 0) await recorder.control('/clock/advance', random.pick([{ runs: 1 }, { by: 'P1D' }]));
  }
}
