import type { Ids } from '../bank/ids.ts';
import type { Writer } from '../ledger/database.ts';
import { Refusal } from '../values/fault.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import { type AccountMovement, directPosting, ensureClearing, hasRoom, postInOrder } from './post-directly.ts';
import type { Account } from './rows/accounts.ts';
import { insertDirectPosting, markReversed, openingEntries } from './rows/direct-postings.ts';
import { insertPostings, saveBalances } from './rows/entries.ts';
import type { Posting } from './rules/entry.ts';

/**
 * Posts the past of an account from a day on, and keeps its balance: its opening balance moves to the day before and is made so that the past
 * ends at the balance of today. Later opening balances are reversed. `account` must be the current row in this transaction. CONFLICT if a
 * balance would pass its limit on the way (rules.md P4).
 */
export async function postPast(
  ids: Ids,
  tx: Writer,
  account: Account,
  movements: readonly AccountMovement[],
  from: LocalDate,
): Promise<void> {
  const net = movements.reduce((sum, { amount }) => sum + amount, 0n);
  const clearing = await ensureClearing(ids, tx, account.currency);
  if (!hasRoom(account, net) || !hasRoom(account, -net) || !hasRoom(clearing, -net) || !hasRoom(clearing, net)) {
    throw new Refusal({ code: 'CONFLICT', text: 'With this past a balance would be beyond what the bank keeps.' });
  }
  const day = addDays(from, -1);
  const openings = await openingEntries(tx, account.id, day);
  const opened = openings.reduce((sum, { amount }) => sum + amount, 0n);
  const postings: Posting[] = [];
  const reversals = new Map<number, number>();
  const post = async (
    kind: 'opening' | 'reversal',
    amount: bigint,
    dates: { bookingDate: LocalDate; valueDate: LocalDate },
  ) => {
    const { id } = await insertDirectPosting(tx, { kind, details: '{}', reversed_by: null });
    postings.push(directPosting(id, { amount, ...dates }, account.id, clearing.id));
    return id;
  };
  for (const { postingId, amount, bookingDate, valueDate } of openings) {
    reversals.set(postingId, await post('reversal', -amount, { bookingDate, valueDate }));
  }
  if (opened !== net) await post('opening', opened - net, { bookingDate: day, valueDate: day });
  await insertPostings(tx, postings);
  await markReversed(tx, reversals);
  await postInOrder(tx, clearing.id, movements, new Map());
  await saveBalances(
    tx,
    new Map([
      [account.id, account.balance_minor],
      [clearing.id, clearing.balance_minor],
    ]),
  );
}
