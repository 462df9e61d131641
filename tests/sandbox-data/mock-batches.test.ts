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

const part = {
  creditorName: 'Ola Nordmann',
  creditorAccount: { bban: '90491105991' },
  remittanceInformationUnstructured: 'Salary',
};
const batch = {
  amount: -300,
  currency: 'NOK',
  bookingDate: '2027-03-20',
  valueDate: '2027-03-22',
  entryDetails: [
    { ...part, amount: -100 },
    { ...part, amount: -200 },
  ],
};
const add = (item: object) => bank.signed('POST', `/v1/sandbox/accounts/${account}/transactions`, { body: [item] });
const booked = async () =>
  (await bank.signed('GET', `/v1/accounts/${account}/transactions`, { headers })).body.transactions.booked;
const one = async (id: string) =>
  (await bank.signed('GET', `/v1/accounts/${account}/transactions/${id}`, { headers })).body.transactionsDetails;

describe('interface, Other resources: a mock batch', () => {
  test.each([1e300, 2 ** 31, 0, 1.5])('a batch of %j transfers is refused', async (batchNumberOfTransactions) => {
    const { entryDetails, ...rest } = batch;
    const { status, body } = await add({ ...rest, batchNumberOfTransactions });
    expect([entryDetails.length, status, body.tppMessages[0].path]).toEqual([2, 400, '[0].batchNumberOfTransactions']);
  });

  test.each(['abc', '1.234', 1.5e-7, 2 ** 60])(
    'P4: the amount %j of a part is refused with its path',
    async (amount) => {
      const { status, body } = await add({ ...batch, entryDetails: [{ ...part, amount }] });
      expect([status, body.tppMessages[0]]).toMatchObject([
        400,
        { code: 'FORMAT_ERROR', path: '[0].entryDetails[0].amount' },
      ]);
    },
  );

  test('is one transaction in lists, with how many it stands for; its details have the parts', async () => {
    const added = await add(batch);
    expect([added.status, added.body[0]]).toEqual([
      201,
      expect.objectContaining({ amount: '-300.00', batchIndicator: true, batchNumberOfTransactions: 2 }),
    ]);
    const [listed] = await booked();
    expect(listed).toMatchObject({
      transactionAmount: { amount: '-300.00', currency: 'NOK' },
      bookingDate: '2027-03-20',
      valueDate: '2027-03-22',
      batchIndicator: true,
      batchNumberOfTransactions: 2,
    });
    expect(listed).not.toHaveProperty('entryDetails');
    const { entryDetails, ...shared } = await one(listed.transactionId);
    expect(shared).toEqual(listed);
    expect(entryDetails).toEqual(
      ['-100.00', '-200.00'].map((amount) => ({
        transactionAmount: { amount, currency: 'NOK' },
        creditorName: 'Ola Nordmann',
        creditorAccount: { bban: '90491105991', iban: 'NO6290491105991' },
        remittanceInformationUnstructured: 'Salary',
      })),
    );
  });

  test('the dates of the batch apply to its parts, which have none of their own', async () => {
    await add(batch);
    const [{ transactionId }] = await booked();
    for (const entry of (await one(transactionId)).entryDetails) {
      expect(Object.keys(entry).filter((name) => name.endsWith('Date'))).toEqual([]);
    }
  });

  test('the sandbox lists it without its parts, and reads it with them', async () => {
    const added = await add(batch);
    const path = `/v1/sandbox/accounts/${account}/transactions`;
    const [listed] = (await bank.signed('GET', path)).body;
    expect(listed).not.toHaveProperty('entryDetails');
    const read = await bank.signed('GET', `${path}/${added.body[0].transactionId}`);
    expect(read.body.entryDetails).toHaveLength(2);
  });

  test('its parts need not be told', async () => {
    await add({ ...batch, entryDetails: undefined, batchNumberOfTransactions: 12 });
    const [listed] = await booked();
    expect(listed).toMatchObject({ batchIndicator: true, batchNumberOfTransactions: 12 });
    expect(await one(listed.transactionId)).toEqual(listed);
  });

  test.each([
    ['another number than there are parts', { batchNumberOfTransactions: 3 }, '[0].batchNumberOfTransactions'],
    ['parts that sum to something else', { amount: -301 }, '[0].entryDetails'],
    ['parts of what is no batch', { batchIndicator: false }, '[0].batchIndicator'],
    ['no parts', { entryDetails: [] }, '[0].entryDetails'],
  ])('%s: FORMAT_ERROR', async (_, change, path) => {
    expect(codesOf(await add({ ...batch, ...change }))).toEqual([`FORMAT_ERROR ${path}`]);
    expect(await booked()).toEqual([]);
  });
});

test('interface, Other resources: interface, Other resources: every text that a transaction can have is told as it was given', async () => {
  const texts = {
    creditorId: '90000000',
    mandateId: '42',
    creditorName: 'Strøm AS',
    ultimateCreditor: 'Strøm Norge AS',
    debtorName: 'Kari Nordmann',
    ultimateDebtor: 'Per Nordmann',
    purposeCode: 'OTHR',
    bankTransactionCode: 'PMNT',
    proprietaryBankTransactionCode: 'R_710',
    creditorAgent: 'SPTRNO22',
    debtorAgent: 'DNBANOKK',
    additionalInformation: 'March',
    additionalInformationProprietaryX: 'X-1',
    remittanceInformationUnstructured: 'Invoice 7',
  };
  const dates = { bookingDate: '2027-03-20', valueDate: '2027-03-22' };
  await add({ amount: -21.1, currency: 'NOK', ...dates, ...texts });
  expect(await booked()).toEqual([
    {
      transactionId: expect.any(String),
      ...dates,
      transactionAmount: { amount: '-21.10', currency: 'NOK' },
      ...texts,
      remittanceInformationUnstructuredArray: ['Invoice 7'],
    },
  ]);
});

describe('D3f: a mock transaction with several texts', () => {
  const dated = { amount: -21.1, currency: 'NOK', bookingDate: '2027-03-20', valueDate: '2027-03-22' };
  const member = 'remittanceInformationUnstructuredArray';
  const texts = ['Invoice 7', 'March', 'Til: Strøm AS', 'Betalt: 20.03.27'];

  test.each(['none', 'sr', 'bien'])('shows 1 to 4 texts as they came, under text-forms %s too', async (form) => {
    if (form !== 'none') await bank.quirks({ 'text-forms': form });
    for (const given of [texts, texts.slice(0, 1)]) {
      const { status, body } = await add({ ...dated, debtorName: 'Kari', creditorName: 'Strøm AS', [member]: given });
      expect([status, body[0][member]]).toEqual([201, given]);
      const shown = { [member]: given, remittanceInformationUnstructured: given[0] };
      expect((await booked())[0]).toMatchObject(shown);
      expect(await one(body[0].transactionId)).toMatchObject(shown);
    }
    await bank.quirks({});
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body).toMatchObject({ ok: true });
  });

  test('keeps a text of its own beside them', async () => {
    const { body } = await add({ ...dated, remittanceInformationUnstructured: 'Strøm', [member]: texts });
    expect(await one(body[0].transactionId)).toMatchObject({
      remittanceInformationUnstructured: 'Strøm',
      [member]: texts,
    });
  });

  test.each([[[]], [[...texts, 'five']], [['x'.repeat(141)]], ['Invoice 7']])('refuses %j', async (wrong) => {
    const { status, body } = await add({ ...dated, [member]: wrong });
    expect([status, body.tppMessages[0].path]).toEqual([400, expect.stringContaining(`[0].${member}`)]);
  });
});
