import { sandboxTransactions, type TransactionWindow } from '../accounts/rows/sandbox-transactions.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireAccount } from './find-sandbox-resource.ts';
import { sandboxTransactionOf, type SandboxTransaction } from '../accounts/sandbox-transaction.ts';

export type { TransactionWindow } from '../accounts/rows/sandbox-transactions.ts';

/**
 * The transactions of an account, mock ones and those of payments, the latest first. Pending ones are filtered and
 * paged like the others (rules.md A9).
 */
export function listSandboxTransactions(
  bank: BankContext,
  accountId: string,
  window: TransactionWindow,
): Promise<SandboxTransaction[]> {
  return bank.ledger.read(async (reader) => {
    const account = await requireAccount(reader, accountId);
    const rows = await sandboxTransactions(reader, account.id, window);
    return rows.map((row) => sandboxTransactionOf(row, account.currency));
  });
}
