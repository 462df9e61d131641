import type { BankContext } from '../bank/bank-context.ts';
import type { Instant } from '../values/instant.ts';

/** Tells which consents were granted or ended, by their keys. */
export function tellConsents(
  bank: BankContext,
  change: 'granted' | 'ended',
  consents: readonly number[],
  at: Instant,
): void {
  for (const id of consents) bank.tell({ kind: 'consent', at, change, consentId: String(id) });
}
