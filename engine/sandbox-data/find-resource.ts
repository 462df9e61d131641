import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { type Account, findAccount } from '../accounts/rows/accounts.ts';
import { type Customer, findCustomer } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';

/** The customer of a path of the sandbox data. Unknown or deleted: RESOURCE_UNKNOWN. */
export async function requireCustomer(reader: Reader, customerId: string): Promise<Customer> {
  const customer = await findCustomer(reader, customerId);
  if (customer !== undefined) return customer;
  const text = `There is no customer ${clip(customerId)}. GET /v1/sandbox/customers lists them, with their customerId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}

/** The account of a path of the sandbox data. Unknown or deleted: RESOURCE_UNKNOWN. */
export async function requireAccount(reader: Reader, accountId: string): Promise<Account> {
  const account = await findAccount(reader, accountId);
  if (account !== undefined) return account;
  const text = `There is no account ${clip(accountId)}. GET /v1/sandbox/accounts lists them, with their resourceId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}
