import type { BankContext } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import type { Instant } from '../values/instant.ts';
import type { Payment } from './rows/payments.ts';
import { signaturesOf } from './rows/signable-payments.ts';
import { laggingStatus } from './rules/lagging-status.ts';

/**
 * A payment as its TPP reads it: under the quirk status-lag, as if its status of before the SCA were forced (rules.md Q21, S9b). For
 * answers only: never write it back.
 */
export async function shownPayment(
  { quirks }: Pick<BankContext, 'quirks'>,
  reader: Reader,
  payment: Payment,
  now: Instant,
): Promise<Payment> {
  const lag = quirks.get('status-lag');
  if (lag === undefined || payment.forced_status !== null) return payment;
  const signatures = await signaturesOf(reader, payment.id);
  const signedAt = signatures.map(({ signed_at: at }) => at);
  return { ...payment, forced_status: laggingStatus(payment, { lag, signedAt }, now)?.status ?? null };
}

/** Several payments as their TPP reads them. */
export async function shownPayments(
  bank: Pick<BankContext, 'quirks'>,
  reader: Reader,
  payments: readonly Payment[],
  now: Instant,
): Promise<readonly Payment[]> {
  const shown: Payment[] = [];
  for (const payment of payments) shown.push(await shownPayment(bank, reader, payment, now));
  return shown;
}
