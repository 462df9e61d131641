import type { Told } from '../../bodies/written.ts';
import type { Balances } from '../../../engine/accounts/rules/entry.ts';
import type { AccountBalances } from '../../../engine/consents/read-account.ts';
import type { AccountWithBalances } from '../../../engine/settlement/account-balances.ts';
import type { Currency } from '../../../engine/values/currency.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import { accountAddress, accountNumbers } from '../account-reference.ts';
import { link } from '../../pipeline/endpoint.ts';
import { type account, type balance, type balanceReportAnswer, balanceTypes } from './account-answers.ts';

/** A test BIC: its location code ends in 0 (ISO 9362). */
const bic = 'SBNKNO20';

/** One account of real-api-facts.md 9.1, without members that the account has no value for. */
export function accountDetails({ account: own, balances }: AccountWithBalances): Told<typeof account> {
  const self = accountAddress(own);
  return {
    resourceId: own.resource_id,
    ...accountNumbers(own),
    currency: own.currency,
    name: own.name,
    ...(own.product !== null && { product: own.product }),
    ...(own.cash_account_type !== null && { cashAccountType: own.cash_account_type }),
    bic,
    ...(balances !== null && { balances: balanceList(balances, own.currency) }),
    _links: {
      self: link(self, 'GET'),
      balances: link(`${self}/balances`, 'GET'),
      transactions: link(`${self}/transactions?bookingStatus=both`, 'GET'),
    },
  };
}

/** real-api-facts.md 9.2: GET /v1/accounts/{id}/balances. */
export function balanceReport({ account, balances }: AccountBalances): Told<typeof balanceReportAnswer> {
  return {
    account: { ...accountNumbers(account), currency: account.currency },
    balances: balanceList(balances, account.currency),
    _links: { self: link(`${accountAddress(account)}/balances`, 'GET') },
  };
}

/** One item per balance type of rules.md S8. */
function balanceList(balances: Balances, currency: Currency): Told<typeof balance>[] {
  return balanceTypes.map((balanceType) => ({
    balanceAmount: { amount: formatAmount({ minor: balances[balanceType], currency }), currency },
    balanceType,
  }));
}
