import type { Account } from '../../engine/accounts/rows/accounts.ts';

/** BBAN and IBAN of an account, without those that are null. */
export function accountNumbers({ bban, iban }: Pick<Account, 'bban' | 'iban'>) {
  return { ...(bban !== null && { bban }), ...(iban !== null && { iban }) };
}

/** The path of an account in account information. */
export function accountAddress(account: Account): string {
  return `/v1/accounts/${account.resource_id}`;
}
