import type { Instant } from '../../engine/values/instant.ts';
import type { HarEntry } from '../../scripts/drift/har.ts';
import { entryOf } from '../../scripts/drift/har-file.ts';

/*
 * A recording of our own making: what docs/spec/real-api-facts.md tells of the answers of a bank in 2022 (its facts of recorded traffic,
 * R), with values of ours.
 */

const product = '/v1/payments/norwegian-domestic-credit-transfers';
const id = (kind: string, length: number): string => `enc!!${kind.padEnd(length - 6, 'Aq7_-x')}=`;
const payment = id('payment', 69);
const account = id('account', 49);
const scaRedirect = {
  href: 'https://bank.example/tap/3201/?route_secesb_id=1&flow=psd2&state=6ba7b810-9dad-41d1-80b4-00c04fd430c8&context=PRIVATE',
  verbs: ['GET'],
};
const link = (href: string, ...verbs: string[]): object => ({ href, verbs });
const self = `${product}/${payment}`;
const unsigned = {
  self: link(self, 'GET', 'DELETE'),
  status: link(`${self}/status`, 'GET'),
  startAuthorisation: link(`${self}/authorisations`, 'POST'),
};
const signed = { self: link(self, 'GET'), status: link(`${self}/status`, 'GET') };
const order = {
  instructedAmount: { amount: '11.00', currency: 'NOK' },
  creditorName: 'Ola Normann',
  creditorAccount: { bban: '95360573002', currency: 'NOK' },
  creditorAddress: { country: 'NO' },
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
  remittanceInformationUnstructured: 'Husleie',
  requestedExecutionDate: '2027-03-01',
};
const own = { bban: '09232911044', iban: 'NO7809232911044' };
const list = `/v1/accounts/${account}/transactions?bookingStatus=both&dateFrom=2027-02-01&limit=499&offset=0`;
const sum = (amount: string): object => ({ amount, currency: 'NOK' });
const balance = (balanceType: string): object => ({ balanceAmount: sum('18000.00'), balanceType });

type Call = readonly [minutes: number, method: string, target: string, status: number, answer: object, body?: object];

const calls: readonly Call[] = [
  [0, 'POST', '/v1/bank-offered-consents', 201, { _links: { scaRedirect } }],
  [
    2,
    'GET',
    '/v1/accounts',
    200,
    {
      accounts: [
        {
          resourceId: account,
          ...own,
          currency: 'NOK',
          name: 'Brukskonto',
          product: 'Brukskonto',
          cashAccountType: 'Current',
          bic: 'BANKNO22',
          _links: {
            self: link(`/v1/accounts/${account}`, 'GET'),
            balances: link(`/v1/accounts/${account}/balances`, 'GET'),
            transactions: link(`/v1/accounts/${account}/transactions?bookingStatus=both`, 'GET'),
          },
        },
      ],
    },
  ],
  [
    3,
    'GET',
    `/v1/accounts/${account}/balances`,
    200,
    {
      account: { ...own, currency: 'NOK' },
      balances: [balance('closingBooked'), balance('expected'), balance('openingBooked'), balance('interimAvailable')],
      _links: { self: link(`/v1/accounts/${account}/balances`, 'GET') },
    },
  ],
  [
    4,
    'GET',
    list,
    200,
    {
      account: own,
      transactions: {
        booked: [
          {
            transactionId: id('transaction', 241),
            bookingDate: '2027-02-12',
            valueDate: '2027-02-12',
            transactionAmount: sum('-21.10'),
            remittanceInformationUnstructured: 'KIOSKEN',
            remittanceInformationUnstructuredArray: ['KIOSKEN'],
            proprietaryBankTransactionCode: 'R_710',
          },
        ],
        pending: [],
        _links: { self: link(list, 'GET') },
      },
    },
  ],
  [
    5,
    'GET',
    '/v1/card-accounts',
    404,
    { tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN', text: 'No cards' }] },
  ],
  [
    6,
    'POST',
    product,
    201,
    {
      paymentId: payment,
      transactionStatus: 'RCVD',
      transactionFees: sum('0.00'),
      transactionFeeIndicator: true,
      _links: unsigned,
    },
    order,
  ],
  [7, 'GET', self, 200, { ...order, paymentId: payment, _links: unsigned }],
  [8, 'GET', `${self}/status`, 200, { paymentId: payment, transactionStatus: 'RCVD', _links: unsigned }],
  [9, 'POST', `${self}/authorisations`, 201, { scaStatus: 'started', _links: { scaRedirect } }],
  [11, 'GET', `${self}/status`, 200, { paymentId: payment, transactionStatus: 'PDNG', _links: signed }],
];

/** The calls as a proxy of somebody else would write them: a Monday at noon, no bank clock, no certificate. */
export function vendorSamples(): HarEntry[] {
  return calls.map(([minutes, method, target, status, answer, body], at) => {
    const sent = {
      'X-Request-ID': `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      'TPP-Redirect-URI': 'https://tpp.example/callback?state=abc',
      'TPP-Session-ID': '9b7f4a52-6c0b-4f7a-9d53-0f8d4bb5a001',
      'PSU-IP-Address': '192.0.2.10',
      'PSU-Context': 'PRIVATE',
      ...(at > 0 && { 'PSU-ID': '5f0c9c1e-94a0-4d7c-8d0e-0a4f2f6b7a10' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const entry = entryOf({
      startedAt: Date.UTC(2027, 2, 1, 11, minutes) as Instant,
      took: 80,
      method,
      url: `https://bank.example/api${target}`,
      rawHeaders: Object.entries(sent).flat(),
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      status,
      answerHeaders: ['Content-Type', 'application/json', 'X-Request-ID', sent['X-Request-ID']],
      answer: Buffer.from(JSON.stringify(answer)),
    });
    if (typeof entry === 'string') throw new Error(entry);
    return entry;
  });
}
