import type { Account } from '../../engine/accounts/rows/accounts.ts';

/** The numbers by which an account is named; one that it lacks is left out. */
export function accountNumbers({ bban, iban }: Pick<Account, 'bban' | 'iban'>) {
  return { ...(bban !== null && { bban }), ...(iban !== null && { iban }) };
}

/** The path of an account in account information. */
export function accountAddress(account: Account): string {
  return `/v1/accounts/${account.resource_id}`;
}
