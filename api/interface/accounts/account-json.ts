import type { Balances } from '../../../engine/accounts/rules/entry.ts';
import type { AccountBalances } from '../../../engine/consents/read-account.ts';
import type { AccountWithBalances } from '../../../engine/settlement/account-balances.ts';
import type { Currency } from '../../../engine/values/currency.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import { accountAddress, accountNumbers } from '../account-reference.ts';
import { link } from '../../pipeline/endpoint.ts';
import { balanceTypes } from './account-answers.ts';

/** A test BIC: its location code ends in 0 (ISO 9362). */
const bic = 'SBNKNO20';

/** One account of real-api-facts.md 9.1, without members that the account has no value for. */
export function accountDetails({ account, balances }: AccountWithBalances) {
  const self = accountAddress(account);
  return {
    resourceId: account.resource_id,
    ...accountNumbers(account),
    currency: account.currency,
    name: account.name,
    ...(account.product !== null && { product: account.product }),
    ...(account.cash_account_type !== null && { cashAccountType: account.cash_account_type }),
    bic,
    ...(balances !== null && { balances: balanceList(balances, account.currency) }),
    _links: {
      self: link(self, 'GET'),
      balances: link(`${self}/balances`, 'GET'),
      transactions: link(`${self}/transactions?bookingStatus=both`, 'GET'),
    },
  };
}

/** real-api-facts.md 9.2: GET /v1/accounts/{id}/balances. */
export function balanceReport({ account, balances }: AccountBalances) {
  return {
    account: { ...accountNumbers(account), currency: account.currency },
    balances: balanceList(balances, account.currency),
    _links: { self: link(`${accountAddress(account)}/balances`, 'GET') },
  };
}

/** One item per balance type of rules.md S8. */
function balanceList(balances: Balances, currency: Currency) {
  return balanceTypes.map((balanceType) => ({
    balanceAmount: { amount: formatAmount({ minor: balances[balanceType], currency }), currency },
    balanceType,
  }));
}
