import { beforeEach, describe, expect, test } from '@jest/globals';
import { codesOf, consentedHeaders } from '../cards/card-client.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
let headers: Record<string, string>;
let account: string;
beforeEach(async () => {
  await bank.signed('POST', '/v1/sandbox/initialize');
  headers = await consentedHeaders(bank);
  account = (await bank.signed('GET', '/v1/accounts', { headers })).body.accounts[0].resourceId;
});

const plain = { amount: -300, currency: 'NOK', bookingDate: '2027-03-20', valueDate: '2027-03-22' };
const references = [{ reference: '99754667145676221', referenceType: 'SCOR' }];
const parts = [
  { amount: -100, creditorName: 'Ola' },
  { amount: -200, remittanceInformationStructuredArray: references },
];
const path = () => `/v1/sandbox/accounts/${account}/transactions`;
const add = async (item: object) => (await bank.signed('POST', path(), { body: [item] })).body[0];
const tell = (id: string, body: object) => bank.signed('POST', `${path()}/${id}`, { body });
const booked = async () =>
  (await bank.signed('GET', `/v1/accounts/${account}/transactions`, { headers })).body.transactions.booked;
const one = async (id: string) =>
  (await bank.signed('GET', `/v1/accounts/${account}/transactions/${id}`, { headers })).body.transactionsDetails;

describe('interface, Other operations: POST of a mock transaction gives it its details', () => {
  test('those of a batch among them, and the TPP reads them under the same transactionId', async () => {
    const { transactionId } = await add(plain);
    const told = await tell(transactionId, { ...plain, entryDetails: parts });
    expect(told.status).toBe(201);
    expect(told.body).toEqual((await bank.signed('GET', `${path()}/${transactionId}`)).body);
    expect(told.body).toMatchObject({ transactionId, batchNumberOfTransactions: 2 });
    expect((await one(transactionId)).entryDetails).toEqual([
      { transactionAmount: { amount: '-100.00', currency: 'NOK' }, creditorName: 'Ola' },
      { transactionAmount: { amount: '-200.00', currency: 'NOK' }, remittanceInformationStructuredArray: references },
    ]);
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  });

  test('in the place of all it told before', async () => {
    const { transactionId } = await add({ ...plain, creditorName: 'Strøm AS', entryDetails: parts });
    await tell(transactionId, { ...plain, creditorId: '7' });
    expect(await one(transactionId)).toEqual({
      transactionId,
      bookingDate: '2027-03-20',
      valueDate: '2027-03-22',
      transactionAmount: { amount: '-300.00', currency: 'NOK' },
      creditorId: '7',
    });
  });

  test.each([
    ['another amount', { amount: -301 }, ['FORMAT_ERROR amount']],
    [
      'another currency and date',
      { currency: 'EUR', valueDate: '2027-03-21' },
      ['FORMAT_ERROR currency', 'FORMAT_ERROR valueDate'],
    ],
    ['parts of another sum', { entryDetails: [{ amount: -1 }] }, ['FORMAT_ERROR entryDetails']],
    ['a member that there is not', { status: 'booked' }, ['FORMAT_ERROR status']],
  ])('S5: %s is refused, and nothing changes', async (_, change, codes) => {
    const { transactionId } = await add(plain);
    const before = await booked();
    expect(codesOf(await tell(transactionId, { ...plain, ...change }))).toEqual(codes);
    expect(await booked()).toEqual(before);
  });

  test('a list is refused by what one transaction is', async () => {
    const { transactionId } = await add(plain);
    const reply = await tell(transactionId, [plain]);
    expect([reply.status, reply.body.tppMessages[0].text]).toEqual([
      400,
      expect.stringContaining('The body is a list: expected an object with amount, currency'),
    ]);
  });

  test('an unknown one is RESOURCE_UNKNOWN, that of a payment SERVICE_INVALID', async () => {
    const unknown = await tell('enc!!dHhuLTAwMDAwMDAwOTk5OQ==', plain);
    expect([unknown.status, ...codesOf(unknown)]).toEqual([403, 'RESOURCE_UNKNOWN undefined']);
    const body = {
      instructedAmount: { amount: '300.00', currency: 'NOK' },
      debtorAccount: { bban: '09232911044', currency: 'NOK' },
      creditorAccount: { bban: '90491105991', currency: 'NOK' },
      creditorName: 'Company 123',
    };
    const product = '/v1/payments/norwegian-domestic-credit-transfers';
    const made = await bank.signed('POST', product, {
      headers: { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' },
      body,
    });
    await bank.approve(made.body);
    await bank.advance({ runs: 2 });
    const [{ transactionId }] = await booked();
    const paid = await tell(transactionId, plain);
    expect([paid.status, ...codesOf(paid)]).toEqual([405, 'SERVICE_INVALID undefined']);
  });
});

test('interface, Other resources: a mock one may have been exchanged, and have structured references', async () => {
  const told = {
    originalAmount: { amount: -25.5, currency: 'EUR' },
    currencyExchange: [
      {
        sourceCurrency: 'NOK',
        targetCurrency: 'EUR',
        unitCurrency: 'EUR',
        exchangeRate: '11.7647',
        quotationDate: '2027-03-19',
        instructedAmount: { amount: '25.50', currency: 'EUR' },
      },
    ],
    remittanceInformationStructuredArray: references,
  };
  const added = await add({ ...plain, ...told });
  const shown = { ...told, originalAmount: { amount: '-25.50', currency: 'EUR' } };
  expect(added).toMatchObject(shown);
  expect((await booked())[0]).toMatchObject(shown);
});

test.each([
  [
    'more fraction digits than the currency has',
    { originalAmount: { amount: 1.5, currency: 'JPY' } },
    'originalAmount.amount',
  ],
  ['a rate that is a number', { currencyExchange: [{ exchangeRate: 11 }] }, 'currencyExchange[0].exchangeRate'],
  ['no exchange', { currencyExchange: [] }, 'currencyExchange'],
  [
    'a reference of no kind',
    { remittanceInformationStructuredArray: [{ reference: '7' }] },
    'remittanceInformationStructuredArray[0].referenceType',
  ],
])('E3: %s is a FORMAT_ERROR with its path', async (_, change, path_) => {
  const reply = await bank.signed('POST', path(), { body: [{ ...plain, ...change }] });
  expect(codesOf(reply)).toContain(`FORMAT_ERROR [0].${path_}`);
});
