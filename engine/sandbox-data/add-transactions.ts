import { refuseAny } from '../values/bounded-faults.ts';
import { osloDate } from '../values/instant.ts';
import { judgeMockTransaction, type MockTransaction } from './rules/mock-transaction.ts';
import { transactionsOfPostings } from '../accounts/rows/sandbox-transactions.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { requireAccount } from './find-sandbox-resource.ts';
import { postDirectly } from '../accounts/post-directly.ts';
import { sandboxTransactionOf, type SandboxTransaction } from '../accounts/sandbox-transaction.ts';

/**
 * Writes mock transactions to an account, booked from the start, as entries against clearing (rules.md D3). All or none:
 * every fault is told, with its place in the list, and one of them refuses the list (E3).
 */
export function addTransactions(
  bank: BankContext,
  accountId: string,
  wanted: readonly MockTransaction[],
): Promise<SandboxTransaction[]> {
  return bank.ledger.write(async (tx) => {
    let account = await requireAccount(tx, accountId);
    const { currency } = account;
    const today = osloDate(await bankNow(bank, tx));
    const faults = wanted.flatMap((each, index) => judgeMockTransaction(each, { currency, today }, `[${index}]`));
    refuseAny(faults);
    const postings: number[] = [];
    for (const { amount, bookingDate, valueDate, details } of wanted) {
      const movement = {
        kind: 'transaction',
        details: JSON.stringify(details),
        amount,
        bookingDate,
        valueDate,
      } as const;
      postings.push(await postDirectly(bank.ids, tx, account, movement));
      account = { ...account, balance_minor: account.balance_minor + amount };
    }
    const rows = await transactionsOfPostings(tx, account.id, postings);
    return rows.map((row) => sandboxTransactionOf(row, currency));
  });
}
