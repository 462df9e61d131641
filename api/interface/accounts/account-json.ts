import type { AccountWithBalances } from '../../../engine/settlement/account-balances.ts';
import { accountAddress, accountNumbers } from '../account-reference.ts';
import { balanceList } from './balance-json.ts';
import { link } from '../../pipeline/endpoint.ts';

/** A test BIC: its location code ends in 0 (ISO 9362). */
const bic = 'SBNKNO20';

/** real-api-facts.md 9.1: GET /v1/accounts. */
export function accountList(accounts: readonly AccountWithBalances[]) {
  return { accounts: accounts.map(accountDetails) };
}

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
