import { type BankContext, readBank } from '../bank/bank-context.ts';
import { findAccount } from './rows/accounts.ts';
import { placesOfBooked } from './rows/transactions.ts';
import type { Transaction } from './transaction.ts';

/**
 * The place of each booked transaction on its booking date, from 1 for the one that is shown first now, by its number
 * (rules.md Q31). One that is gone by now has none.
 */
export async function placesOnDays(
  bank: BankContext,
  accountId: string,
  booked: readonly Pick<Transaction, 'bookingDate'>[],
): Promise<ReadonlyMap<number, number>> {
  const days = booked.flatMap(({ bookingDate }) => bookingDate ?? []).toSorted();
  const [from = null, to = null] = [days[0], days.at(-1)];
  return readBank(bank, async ({ reader, now }) => {
    const account = await findAccount(reader, accountId);
    return account === undefined ? new Map() : placesOfBooked(reader, account.id, { from, to }, now);
  });
}
