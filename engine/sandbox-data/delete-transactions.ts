import { mockEntries } from '../accounts/rows/direct-postings.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireAccount } from './find-sandbox-resource.ts';
import { reverseTransactions } from './reverse-transactions.ts';

/** Takes back every mock transaction of an account; those of payments stay, because they settled (rules.md S5). */
export async function deleteTransactions(bank: BankContext, accountId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    await reverseTransactions(tx, account, await mockEntries(tx, account.id));
  });
}
