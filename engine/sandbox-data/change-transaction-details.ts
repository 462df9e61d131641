import { refuseAny } from '../values/bounded-faults.ts';
import { judgeSameTransaction, type MockTransaction } from './rules/mock-transaction.ts';
import { saveDetails } from '../accounts/rows/direct-postings.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireAccount } from './find-sandbox-resource.ts';
import { requireMockTransaction } from './require-mock-transaction.ts';

const ofPayment =
  'This transaction is that of a settled payment, which says what it tells. Only mock transactions take other details.';

/**
 * Gives a mock transaction its details, those of a batch among them, in the place of those it had (interface: Other
 * operations, a transaction with details). Its amount, currency and dates are the entry's, which never changes (rules.md
 * S5): another one is a FORMAT_ERROR. Unknown: RESOURCE_UNKNOWN; that of a payment: SERVICE_INVALID.
 */
export async function changeTransactionDetails(
  bank: BankContext,
  accountId: string,
  transactionId: string,
  wanted: MockTransaction,
): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const mock = await requireMockTransaction(tx, account, transactionId, ofPayment);
    refuseAny(judgeSameTransaction(wanted, { ...mock, currency: account.currency }));
    await saveDetails(tx, mock.postingId, JSON.stringify(wanted.details));
  });
}
