import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { type Account, findAccount } from './rows/accounts.ts';
import type { Reader } from '../ledger/database.ts';

/** Finds the account of a sandbox-data path. Unknown or deleted: RESOURCE_UNKNOWN. */
export async function requireAccount(reader: Reader, accountId: string): Promise<Account> {
  const account = await findAccount(reader, accountId);
  if (account !== undefined) return account;
  const text = `There is no account ${clip(accountId)}. GET /v1/sandbox/accounts lists them, with their resourceId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}
