import { Refusal } from '../values/fault.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import type { Reader } from '../ledger/database.ts';
import { mockEntries, type MockEntry } from '../accounts/rows/direct-postings.ts';
import { sandboxTransaction } from '../accounts/rows/sandbox-transactions.ts';
import { entryOf, transactionUnknown } from '../accounts/transaction-in-path.ts';

/** The mock transaction of a path. Unknown: RESOURCE_UNKNOWN; that of a payment: SERVICE_INVALID, with this text. */
export async function requireMockTransaction(
  reader: Reader,
  account: Account,
  transactionId: string,
  ofPayment: string,
): Promise<MockEntry> {
  const entryId = entryOf(transactionId);
  const [mock] = await mockEntries(reader, account.id, entryId);
  if (mock !== undefined) return mock;
  if ((await sandboxTransaction(reader, account.id, entryId)) === undefined) throw transactionUnknown(transactionId);
  throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text: ofPayment });
}
