import {
  createAccount,
  type CreateAccount,
  deleteAccount,
  listSandboxAccounts,
  readSandboxAccount,
  type SandboxAccount,
} from '../../../engine/sandbox-data/accounts.ts';
import { accountBody, type AccountBody } from './account-body.ts';
import { type Call, endpoint, type Endpoint, link } from '../../pipeline/endpoint.ts';
import { minorUnitsOf } from './minor-units.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import { accountAnswer, listOf } from './sandbox-answers.ts';

const common = { role: null, requires: [], body: null } as const;
const path = '/sandbox/accounts';

/** interface: /v1/sandbox/accounts; real-api-facts.md 10. The list is a plain array. */
export const accounts: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    summary: 'Create an account',
    answers: { 201: accountAnswer },
    body: accountBody,
    faultPaths: { CONFLICT: 'bban', RESOURCE_UNKNOWN: 'customerNumber' },
    handle: async ({ bank, body }) => {
      const account = await createAccount(bank, wantedAccount(body));
      return { status: 201, body: sandboxAccount(account) };
    },
  }),
  {
    ...common,
    method: 'GET',
    path,
    summary: 'List all accounts',
    answers: { 200: listOf(accountAnswer, 'accounts') },
    handle: async ({ bank }) => ({ status: 200, body: (await listSandboxAccounts(bank)).map(sandboxAccount) }),
  },
  {
    ...common,
    method: 'GET',
    path: `${path}/:accountId`,
    summary: 'Read an account of the test data',
    answers: { 200: accountAnswer },
    names: 'account',
    handle: async (call) => ({
      status: 200,
      body: sandboxAccount(await readSandboxAccount(call.bank, accountIn(call))),
    }),
  },
  {
    ...common,
    method: 'DELETE',
    path: `${path}/:accountId`,
    summary: 'Delete an account',
    answers: { 204: null },
    names: 'account',
    handle: async (call) => {
      await deleteAccount(call.bank, accountIn(call));
      return { status: 204 };
    },
  },
];

/** The name defaults to the product, then to `Konto`. */
function wantedAccount(body: AccountBody): CreateAccount {
  const { customerNumber, bban, iban, currency, product = null, cashAccountType = null } = body;
  return {
    customerNumber,
    name: body.accountName ?? product ?? 'Konto',
    bban,
    iban,
    currency,
    product,
    cashAccountType,
    creditLine: minorUnitsOf(body.creditLine, currency),
    openingBalance: minorUnitsOf(body.balances?.[0]?.balanceAmount.amount, currency),
  };
}

/**
 * real-api-facts.md 10: POST and GET /v1/sandbox/accounts. The banks' pages use both `id` and `resourceId`. Amounts are
 * decimal strings (rules.md E5: amount-as-string); EXPECTED is the sum of all posted entries.
 */
export function sandboxAccount({ account, customerNumber }: SandboxAccount) {
  const { currency } = account;
  const self = `/v1/sandbox/accounts/${account.resource_id}`;
  const balanceAmount = { amount: formatAmount({ minor: account.balance_minor, currency }), currency };
  return {
    id: account.resource_id,
    resourceId: account.resource_id,
    customerNumber,
    accountName: account.name,
    ...(account.bban !== null && { bban: account.bban }),
    ...(account.iban !== null && { iban: account.iban }),
    currency,
    ...(account.product !== null && { product: account.product }),
    ...(account.cash_account_type !== null && { cashAccountType: account.cash_account_type }),
    creditLine: formatAmount({ minor: account.credit_line_minor, currency }),
    balances: [{ balanceType: 'EXPECTED', balanceAmount }],
    _links: {
      self: link(self, 'GET', 'DELETE'),
      transactions: link(`${self}/transactions`, 'GET', 'POST', 'DELETE'),
    },
  };
}

/** The account id of a path. */
export function accountIn({ params }: Call): string {
  return params['accountId'] ?? '';
}
