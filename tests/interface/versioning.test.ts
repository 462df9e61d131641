import { beforeAll, describe, expect, test } from '@jest/globals';
import { cards, consentedHeaders, purchase, sandboxCards } from '../cards/card-client.ts';
import { testBank } from '../support/test-bank.ts';

/** Every published value, none, none of the header at all, and one that nobody has published. */
const sentValues: readonly (readonly [string, string | null])[] = [
  ['no header', null],
  ['an empty header', ''],
  ['amount-as-string', 'amount-as-string'],
  [
    'cardaccount-switch-originalamount-and-transactionamount',
    'cardaccount-switch-originalamount-and-transactionamount',
  ],
  ['longer-names', 'longer-names'],
  ['groupBatchTransactions', 'groupBatchTransactions'],
  ['cash-account-type-iso', 'cash-account-type-iso'],
  ['all of them', 'longer-names, groupBatchTransactions,cash-account-type-iso,amount-as-string'],
  ['one that is unknown', 'future-fix'],
];

const longName = 'x'.repeat(70);
const bank = testBank('2027-03-24T12:00:00+01:00');
let psu: Record<string, string>;

beforeAll(async () => {
  const account = {
    customerNumber: '13039319955',
    accountName: longName,
    bban: '90412263056',
    currency: 'NOK',
    cashAccountType: 'SVGS',
    balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: 100, currency: 'NOK' } }],
  };
  const made = await bank.signed('POST', '/v1/sandbox/accounts', { body: account });
  const batch = {
    amount: -3,
    currency: 'NOK',
    bookingDate: '2027-03-20',
    valueDate: '2027-03-20',
    entryDetails: [{ amount: -1 }, { amount: -2 }],
  };
  const path = `/v1/sandbox/accounts/${made.body.resourceId}/transactions`;
  await bank.signed('POST', path, { body: [batch] });
  const card = (await bank.signed('GET', sandboxCards)).body[0].resourceId;
  await bank.signed('POST', `${sandboxCards}/${card}/transactions`, { body: [purchase] });
  psu = await consentedHeaders(bank);
});

describe.each(sentValues)(
  'interface, Versioning 3, Versioning 5: E5, H35: every change of x-accept-fix is default; sent: %s',
  (_, value) => {
    const get = (path: string) => bank.signed('GET', path, { headers: { ...psu, 'x-accept-fix': value } });

    test('interface, Versioning 4: amounts are strings, names have up to 70 characters, account types are ISO, batches are grouped', async () => {
      const { status, body } = await get('/v1/accounts?withBalance=true');
      expect(status).toBe(200);
      const account = body.accounts.find(({ bban }: Record<string, string>) => bban === '90412263056');
      expect(account).toMatchObject({ name: longName, cashAccountType: 'SVGS' });
      expect(account.balances[0].balanceAmount).toEqual({ amount: '97.00', currency: 'NOK' });
      const list = await get(`/v1/accounts/${account.resourceId}/transactions`);
      expect(list.body.transactions.booked).toEqual([
        expect.objectContaining({
          transactionAmount: { amount: '-3.00', currency: 'NOK' },
          batchIndicator: true,
          batchNumberOfTransactions: 2,
        }),
      ]);
    });

    test('the amounts of a card are the right way round', async () => {
      const { body } = await get(cards);
      const list = await get(`${cards}/${body.cardAccounts[0].resourceId}/transactions`);
      expect(list.body.cardTransactions.booked[0]).toMatchObject({
        transactionAmount: { amount: '1165.50', currency: 'NOK' },
        originalAmount: { amount: '100.00', currency: 'EUR' },
      });
    });
  },
);

test('interface, Versioning 6: /v1/consents still answers, says that it is deprecated and what replaces it', async () => {
  const [old, successor] = await Promise.all(
    ['/v1/consents', '/v1/bank-offered-consents'].map((path) => bank.signed('POST', path)),
  );
  expect([old?.status, successor?.status]).toEqual([201, 201]);
  expect(Object.keys(old?.body._links)).toEqual(Object.keys(successor?.body._links));
  // RFC 9745: 5 February 2024, 00:00 UTC.
  expect(old?.headers.get('deprecation')).toBe(`@${Date.UTC(2024, 1, 5) / 1000}`);
  expect(old?.headers.get('link')).toBe('</v1/bank-offered-consents>; rel="successor-version"');
  expect(successor?.headers.get('deprecation')).toBeNull();
});

test('interface, Versioning 6: the body of /v1/consents is ignored', async () => {
  const reply = await bank.signed('POST', '/v1/consents', { body: { access: { accounts: [] } } });
  expect(reply.status).toBe(201);
});
