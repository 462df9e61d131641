import type { Balances } from '../../../engine/accounts/rules/balances.ts';
import type { Currency } from '../../../engine/values/currency.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import type { AccountBalances } from '../../../engine/consents/read-account.ts';
import { accountAddress, accountNumbers } from '../account-reference.ts';
import { link } from '../../pipeline/endpoint.ts';

const balanceTypes = ['openingBooked', 'interimBooked', 'interimAvailable', 'expected'] as const;

/** real-api-facts.md 9.2: GET /v1/accounts/{id}/balances. */
export function balanceReport({ account, balances }: AccountBalances) {
  return {
    account: { ...accountNumbers(account), currency: account.currency },
    balances: balanceList(balances, account.currency),
    _links: { self: link(`${accountAddress(account)}/balances`, 'GET') },
  };
}

/** One item per balance type of rules.md S8. */
export function balanceList(balances: Balances, currency: Currency) {
  return balanceTypes.map((balanceType) => ({
    balanceAmount: { amount: formatAmount({ minor: balances[balanceType], currency }), currency },
    balanceType,
  }));
}
