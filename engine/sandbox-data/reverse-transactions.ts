import { assert } from '../values/assert.ts';
import type { Posting } from '../accounts/rules/entry.ts';
import { Refusal } from '../values/fault.ts';
import { isKept } from '../values/money.ts';
import { clearingAccount, type Account } from '../accounts/rows/accounts.ts';
import type { Transaction } from '../ledger/database.ts';
import { insertDirectPosting, markReversed, type MockEntry } from '../accounts/rows/direct-postings.ts';
import { insertPostings, saveBalances } from '../accounts/rows/entries.ts';

/**
 * Takes mock transactions of an account back: a reversal for each, on the same dates, so that no balance of
 * any day remembers them. Both are hidden from then on (rules.md S5). `account` must be as it stands
 * now in this transaction. Refuses a balance that would pass 10^17 minor units (P4).
 */
export async function reverseTransactions(
  tx: Transaction,
  account: Account,
  mocks: readonly MockEntry[],
): Promise<void> {
  if (mocks.length === 0) return;
  const clearing = await clearingAccount(tx, account.currency);
  assert(clearing !== undefined, 'a currency with postings has a clearing account');
  const total = mocks.reduce((sum, { amount }) => sum + amount, 0n);
  const balances = [
    [account.id, withinLimit(account, -total)],
    [clearing.id, withinLimit(clearing, total)],
  ] as const;
  const reversals = new Map<number, number>();
  const postings: Posting[] = [];
  for (const mock of mocks) {
    const { id } = await insertDirectPosting(tx, { kind: 'reversal', details: '{}', reversed_by: null });
    reversals.set(mock.postingId, id);
    postings.push(reversal(mock, id, account.id, clearing.id));
  }
  await insertPostings(tx, postings);
  await saveBalances(tx, new Map(balances));
  await markReversed(tx, reversals);
}

function reversal(mock: MockEntry, directPostingId: number, accountId: number, clearingId: number): Posting {
  const wasCredit = mock.amount > 0n;
  return {
    cause: { directPostingId },
    debtorAccountId: wasCredit ? accountId : clearingId,
    creditorAccountId: wasCredit ? clearingId : accountId,
    amount: wasCredit ? mock.amount : -mock.amount,
    bookingDate: mock.bookingDate,
    valueDate: mock.valueDate,
    awaitsBookingSince: null,
    isFee: false,
    batchId: null,
  };
}

function withinLimit({ balance_minor: before, kind }: Account, amount: bigint): bigint {
  const balance = before + amount;
  if (isKept(balance, kind)) return balance;
  const text = 'Without these transactions a balance would be beyond 10^17 minor units, the most that the bank keeps.';
  throw new Refusal({ code: 'CONFLICT', text });
}
