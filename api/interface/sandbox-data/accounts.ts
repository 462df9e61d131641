import type { AnswerValue } from '../../bodies/written.ts';
import {
  createAccount,
  type CreateAccount,
  deleteAccount,
  listSandboxAccounts,
  readSandboxAccount,
  type SandboxAccount,
} from '../../../engine/sandbox-data/customers.ts';
import { formatAmount, formattedAmount, isCurrency } from '../../../engine/values/money.ts';
import { link } from '../../pipeline/endpoint.ts';
import { minorUnitsOf, resource } from './resource.ts';
import { accountNumbers } from '../accounts/accounts.ts';
import { formatValue, memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { accountNamed, bban, iban, norwegianBban, sameAccount } from '../../bodies/account.ts';
import { amountFaults, belowZero, sandboxAmount, sandboxMoney } from '../../bodies/amount.ts';
import { choice, closed, listOf, meaning, optional, type Static, titled } from '../../bodies/schema.ts';
import { cashAccountType, currency, customerNumber, name, productName } from '../../bodies/values.ts';
import { story } from '../../bodies/examples.ts';
import { amount, decimal, resourceId, links, numberMembers, ownNumbers } from '../answer-parts.ts';

/** interface: /v1/sandbox/accounts; real-api-facts.md 10. Amounts are parsed by parseSandboxAmount. */
export const accountBody = titled('SandboxAccount', 'An account that the bank opens.', {
  expected: 'an object with customerNumber, currency and bban or iban',
  examples: [
    {
      customerNumber: story.psu,
      accountName: 'Brukskonto',
      bban: '90412263056',
      currency: 'NOK',
      cashAccountType: 'CACC',
      balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: '10000.00', currency: 'NOK' } }],
    },
  ],
  rules: [accountNamed, sameAccount, norwegianBban, accountAmounts],
}).closed({
  customerNumber: meaning('Whose account it is.', customerNumber),
  accountName: optional(name),
  bban: optional(bban),
  iban: optional(iban),
  currency,
  product: optional(productName),
  cashAccountType: optional(cashAccountType),
  creditLine: optional(meaning('How far the balance may go below zero, by default 0.', sandboxAmount)),
  balances: optional(
    listOf(
      closed({ balanceType: choice('the kind of balance', ['EXPECTED']), balanceAmount: sandboxMoney }),
      'a list with the opening balance',
      {
        maxItems: 1,
      },
    ),
  ),
});

type AccountBody = Static<typeof accountBody>;

/** The credit line is not below zero; the opening balance is in the account's currency. */
function accountAmounts({ creditLine, currency: own, balances }: Members): readonly RuleFault[] {
  const faults = [...amountFaults('creditLine', creditLine, own), ...belowZero('creditLine', creditLine)];
  const items: readonly unknown[] = Array.isArray(balances) ? balances : [];
  items.forEach((item, index) => {
    const held = memberOf(memberOf(item, 'balanceAmount'), 'currency');
    if (typeof held !== 'string' || !isCurrency(held) || typeof own !== 'string' || held === own) return;
    const text = `The balance is in ${held}, the account in ${formatValue(own)}. Send the account's currency.`;
    faults.push({ member: `balances[${index}].balanceAmount.currency`, text });
  });
  return faults;
}

const accountAnswer = titled('AccountOfTestData', 'An account, whoever may read it.', {
  examples: [{ ...ownNumbers, accountName: 'Totalkonto', cashAccountType: 'CACC', creditLine: '0.00' }],
}).closed({
  id: resourceId(story.accountId),
  resourceId: resourceId(story.accountId, 'The same as id.'),
  customerNumber,
  accountName: name,
  ...numberMembers,
  currency,
  product: optional(productName),
  cashAccountType: optional(cashAccountType),
  creditLine: meaning('How far the balance may go below zero.', decimal),
  balances: listOf(
    closed({ balanceType: choice('which balance it is', ['EXPECTED']), balanceAmount: amount }),
    'A list of one balance.',
    {
      minItems: 1,
      maxItems: 1,
    },
  ),
  _links: links(`/v1/sandbox/accounts/${story.accountId}`, ['self', 'transactions']),
});

/** interface: /v1/sandbox/accounts; real-api-facts.md 10. */
export const sandboxAccounts = resource({
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
export function sandboxAccount({ account, customerNumber }: SandboxAccount): AnswerValue<typeof accountAnswer> {
  const { currency } = account;
  const self = `/v1/sandbox/accounts/${account.resource_id}`;
  const balanceAmount = formattedAmount({ minor: account.balance_minor, currency });
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
