import { sandboxTransaction } from '../ledger/sandbox-transactions.ts';
import type { BankContext } from './shared/bank-context.ts';
import { withEntryDetails } from './shared/entry-details.ts';
import { requireAccount } from './shared/find-sandbox-resource.ts';
import { sandboxTransactionOf, type SandboxTransaction } from './shared/sandbox-transaction.ts';
import { entryOf, transactionUnknown } from './shared/transaction-in-path.ts';

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
