import { sql } from 'kysely';
import { bookStatements, creditorsOfBook, eveningBefore, measuredRun } from '../lab/book.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { at, memoryBank, type OwnBank } from '../lab/bank.ts';

export { eveningBefore };

/** The instant of the run that settles what {@link fillLarge} lays. */
export const largeRun = at(measuredRun);

/** How many payments of {@link fillLarge} are due: a run of some hundred ms. */
export const largeCount = 10_000;

/** A bank without customers, in memory or on a file, on the evening before the large run. */
export function openEmpty(options: Parameters<typeof memoryBank>[1] = {}): Promise<OwnBank> {
  return memoryBank(eveningBefore, { knownState: { customers: [], agreements: [] }, ...options });
}

/** Lays accounts, and payments that are due in the next run, in a bank without customers. */
export async function fillLarge({ ledger }: Pick<Bank, 'ledger'>, due = largeCount): Promise<void> {
  await ledger.write(async (tx) => {
    for (const statement of [...bookStatements({ accounts: 1_000, due, history: 0 }), creditorsOfBook])
      await sql.raw(statement).execute(tx);
  });
}
