import type { BankContext } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { internalTransfers } from './rows/credit-transfers.ts';
import type { Payment } from './rows/payments.ts';
import { atOnceBy, type AtOnceQuirk } from './rules/at-once.ts';

/**
 * Those of these payments that settle at once if they are authorised now and funds suffice, with the quirk that has it so, by key
 * (rules.md P10b). Reads nothing without such a quirk.
 */
export async function settlingAtOnce(
  { quirks }: Pick<BankContext, 'quirks'>,
  reader: Reader,
  payments: readonly Pick<Payment, 'id'>[],
  now: Instant,
): Promise<ReadonlyMap<number, AtOnceQuirk>> {
  const found = new Map<number, AtOnceQuirk>();
  if (!quirks.has('own-accounts-at-once') && !quirks.has('same-bank-at-once')) return found;
  const transfers = await internalTransfers(
    reader,
    payments.map(({ id }) => id),
  );
  for (const { paymentId, ...transfer } of transfers) {
    const by = atOnceBy(transfer, osloDate(now), quirks);
    if (by !== null) found.set(paymentId, by);
  }
  return found;
}
