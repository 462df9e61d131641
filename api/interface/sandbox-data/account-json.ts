import { formatAmount } from '../../../engine/values/money.ts';
import type { SandboxAccount } from '../../../engine/sandbox-data/sandbox-account.ts';
import { link } from '../../pipeline/links.ts';

/**
 * real-api-facts.md 10: POST and GET /v1/sandbox/accounts. The banks' pages call the id by both names. Amounts are
 * decimal strings, as in every answer (rules.md E5: amount-as-string); EXPECTED is the sum of all posted entries.
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
