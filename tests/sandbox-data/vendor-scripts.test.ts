import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

interface ScriptedAccount {
  readonly accountName: string;
  readonly bban: string;
  readonly iban: string;
  readonly currency: string;
  readonly product: string;
  readonly cashAccountType: string;
  readonly expected: number;
}

interface ScriptedCustomer {
  readonly customerNumber: string;
  readonly name: string;
  readonly type: 'private' | 'corporate';
  readonly accounts: readonly ScriptedAccount[];
}

const scripts = JSON.parse(readFileSync(new URL('../data/vendor-scripts.json', import.meta.url), 'utf8')) as {
  readonly customers: readonly ScriptedCustomer[];
  readonly card: object;
  readonly cardTransactions: readonly object[];
  readonly agreement: { readonly name: string; readonly roles: readonly string[] };
};
const base = '/api-sandbox/v1/sandbox';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeAll(async () => {
  for (const { customerId } of (await call('GET', '/customers')).body) {
    expect((await call('DELETE', `/customers/${customerId}`)).status).toBe(204);
  }
  expect((await call('GET', '/customers')).body).toEqual([]);
});

/** As the scripts call: one X-Request-ID that is no UUID, nothing of a PSU. */
function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const none = { 'x-accept-fix': null, 'tpp-session-id': null, 'tpp-redirect-uri': null, 'psu-ip-address': null };
  const headers = {
    ...none,
    'x-request-id': '__INSERT_X_REQUEST_ID__',
    'content-type': 'application/json; charset=UTF-8',
  };
  return bank.signed(method, base + path, { headers, body });
}

test('D8: there are ten scripts, each for a customer', () => {
  expect(scripts.customers.map(({ type }) => type)).toEqual([
    ...Array<string>(6).fill('private'),
    ...Array<string>(4).fill('corporate'),
  ]);
  expect(scripts.customers.flatMap(({ accounts }) => accounts)).toHaveLength(41);
});

test.each(scripts.customers)('D8: every call of the script for $customerNumber is 201', async (customer) => {
  const { customerNumber, name, type, accounts } = customer;
  const made = await call('POST', '/customers', { customerNumber, name, type });
  expect(made.status).toBe(201);
  // What the vendor's own test looks for in the answer, to the letter.
  const wanted = `"customerNumber":"${customerNumber}","customerType":"${type}","customerName":"${name}"`;
  expect(JSON.stringify(made.body)).toContain(wanted);
  for (const { expected, ...account } of accounts) {
    const balanceAmount = { amount: expected, currency: account.currency };
    const body = { customerNumber, ...account, creditLine: 0, balances: [{ balanceType: 'EXPECTED', balanceAmount }] };
    const opened = await call('POST', '/accounts', body);
    expect([account.bban, opened.status]).toEqual([account.bban, 201]);
    expect(opened.body).toMatchObject({ ...account, customerNumber, creditLine: '0.00' });
    expect(opened.body.balances[0].balanceAmount.amount).toBe(`${expected}.00`);
  }
  if (type === 'corporate') return;
  const opened = await call('POST', '/card-accounts', { customerNumber, ...scripts.card });
  expect(opened.status).toBe(201);
  expect(opened.body.balances).toEqual([
    {
      balanceType: 'EXPECTED',
      balanceAmount: { amount: '0.00', currency: 'NOK' },
      referenceDate: '2020-01-01',
      lastChangeDateTime: '2019-10-14T13:55:45.494Z',
      lastCommittedTransaction: 'test',
    },
  ]);
});

test('D8: so are the scripts with places to fill: an agreement, and the transactions of a card', async () => {
  const [person, corporation] = [scripts.customers[0], scripts.customers[6]];
  const { name, roles } = scripts.agreement;
  const account = { iban: corporation?.accounts[0]?.iban };
  const engagements = [{ customer: person?.customerNumber, account, roles }];
  const agreement = { owner: corporation?.customerNumber, name, engagements };
  expect((await call('POST', '/agreements', agreement)).status).toBe(201);
  const [card] = (await call('GET', '/card-accounts')).body;
  const path = `/card-accounts/${card.resourceId}`;
  expect((await call('POST', `${path}/transactions`, scripts.cardTransactions)).status).toBe(201);
  // Two purchases, of 100.00 and 1000.00.
  expect((await call('GET', path)).body.balances[0].balanceAmount.amount).toBe('-1100.00');
});
