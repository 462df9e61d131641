import type { Quirks } from '../../bank/rules/quirk.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** A domestic single payment to an account of this bank, in that account's currency. */
export interface InternalTransfer {
  /** The date in its body; null: none was asked for. */
  readonly requested: LocalDate | null;
  /** Whether one customer holds both accounts. */
  readonly isOwn: boolean;
  readonly hasReference: boolean;
}

/** The quirk by which a transfer settles when it is authorised (rules.md P10b). */
export type AtOnceQuirk = 'own-accounts-at-once' | 'same-bank-at-once';

/** The quirk by which a transfer that is authorised today settles at once (rules.md P10b); null: a run carries it out. */
export function atOnceBy(
  { requested, isOwn, hasReference }: InternalTransfer,
  today: LocalDate,
  quirks: Quirks,
): AtOnceQuirk | null {
  if (requested !== null && requested > today) return null;
  if (isOwn && quirks.has('own-accounts-at-once')) return 'own-accounts-at-once';
  const inside = quirks.get('same-bank-at-once');
  return inside === undefined || (inside === 'without-kid' && hasReference) ? null : 'same-bank-at-once';
}
