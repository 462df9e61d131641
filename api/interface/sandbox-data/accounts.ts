import type { Told } from '../../bodies/written.ts';
import {
  createAccount,
  type CreateAccount,
  deleteAccount,
  listSandboxAccounts,
  readSandboxAccount,
  type SandboxAccount,
} from '../../../engine/sandbox-data/customers.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import { link } from '../../pipeline/endpoint.ts';
import { accountBody, type AccountBody } from './account-body.ts';
import { minorUnitsOf } from './sandbox-amount.ts';
import { accountNumbers } from '../account-reference.ts';
import { resource } from './resource.ts';
import { accountAnswer } from './sandbox-answers.ts';

/** interface: /v1/sandbox/accounts; real-api-facts.md 10. */
export const accounts = resource({
  path: '/sandbox/accounts',
  id: 'accountId',
  names: 'account',
  summaries: {
    create: 'Create an account',
    list: 'List all accounts',
    read: 'Read an account of the test data',
    remove: 'Delete an account',
  },
  all: 'accounts',
  answer: accountAnswer,
  body: accountBody,
  faultPaths: { CONFLICT: 'bban', RESOURCE_UNKNOWN: 'customerNumber' },
  create: (bank, body) => createAccount(bank, wantedAccount(body)),
  list: listSandboxAccounts,
  read: readSandboxAccount,
  remove: deleteAccount,
  show: sandboxAccount,
});

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
export function sandboxAccount({ account, customerNumber }: SandboxAccount): Told<typeof accountAnswer> {
  const { currency } = account;
  const self = `/v1/sandbox/accounts/${account.resource_id}`;
  const balanceAmount = { amount: formatAmount({ minor: account.balance_minor, currency }), currency };
  return {
    id: account.resource_id,
    resourceId: account.resource_id,
    customerNumber,
    accountName: account.name,
    ...accountNumbers(account),
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
