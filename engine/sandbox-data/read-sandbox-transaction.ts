import { sandboxTransaction } from '../accounts/rows/sandbox-transactions.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { withEntryDetails } from '../accounts/entry-details.ts';
import { requireAccount } from './find-sandbox-resource.ts';
import { sandboxTransactionOf, type SandboxTransaction } from '../accounts/sandbox-transaction.ts';
import { entryOf, transactionUnknown } from '../accounts/transaction-in-path.ts';

/** One transaction of an account, by the transactionId that account information shows. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxTransaction(
  bank: BankContext,
  accountId: string,
  transactionId: string,
): Promise<SandboxTransaction> {
  return bank.ledger.read(async (reader) => {
    const account = await requireAccount(reader, accountId);
    const row = await sandboxTransaction(reader, account.id, entryOf(transactionId));
    if (row === undefined) throw transactionUnknown(transactionId);
    return withEntryDetails(reader, sandboxTransactionOf(row, account.currency), row);
  });
}
