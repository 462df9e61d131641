import { Refusal } from '../core/fault.ts';
import { mockEntries } from '../ledger/direct-postings.ts';
import { sandboxTransaction } from '../ledger/sandbox-transactions.ts';
import type { BankContext } from './shared/bank-context.ts';
import { requireAccount } from './shared/find-sandbox-resource.ts';
import { reverseTransactions } from './shared/reverse-transactions.ts';
import { entryOf, transactionUnknown } from './shared/transaction-in-path.ts';

/** Takes one mock transaction back (rules.md S5). Unknown: RESOURCE_UNKNOWN; that of a payment: SERVICE_INVALID. */
export async function deleteTransaction(bank: BankContext, accountId: string, transactionId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const entryId = entryOf(transactionId);
    const mocks = await mockEntries(tx, account.id, entryId);
    if (mocks.length > 0) return reverseTransactions(tx, account, mocks);
    if ((await sandboxTransaction(tx, account.id, entryId)) === undefined) throw transactionUnknown(transactionId);
    const text =
      'This transaction is that of a settled payment and stays. Only mock transactions can be deleted; ' +
      'POST one of the opposite amount to make up for it.';
    throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
  });
}
