import { type BankContext, readBank } from '../bank/bank-context.ts';
import { assert } from '../values/assert.ts';
import { requireAccount } from './customer-accounts.ts';
import { placesOfBooked } from './rows/transactions.ts';
import type { Transaction } from './transaction.ts';

/** The place of each booked transaction on its booking date, from 1 for the one that is shown first now, by its number (rules.md Q31). */
export async function placesOnDays(
  bank: BankContext,
  accountId: string,
  booked: readonly Pick<Transaction, 'bookingDate'>[],
): Promise<(transactionNumber: number) => number> {
  const days = booked.flatMap(({ bookingDate }) => bookingDate ?? []).toSorted();
  const [from = null, to = null] = [days[0], days.at(-1)];
  const places = await readBank(bank, async ({ reader, now }) =>
    placesOfBooked(reader, (await requireAccount(reader, accountId)).id, { from, to }, now),
  );
  return (number) => {
    const place = places.get(number);
    assert(place !== undefined, 'a transaction that is shown is booked');
    return place;
  };
}
