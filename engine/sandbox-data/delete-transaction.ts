import type { BankContext } from '../bank/bank-context.ts';
import { requireAccount } from './find-sandbox-resource.ts';
import { requireMockTransaction } from './require-mock-transaction.ts';
import { reverseTransactions } from './reverse-transactions.ts';

const ofPayment =
  'This transaction is that of a settled payment and stays. Only mock transactions can be deleted; ' +
  'POST one of the opposite amount to make up for it.';

/** Takes one mock transaction back (rules.md S5). Unknown: RESOURCE_UNKNOWN; that of a payment: SERVICE_INVALID. */
export async function deleteTransaction(bank: BankContext, accountId: string, transactionId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const mock = await requireMockTransaction(tx, account, transactionId, ofPayment);
    await reverseTransactions(tx, account, [mock]);
  });
}
