import type { ReturnReason } from './return-reasons.ts';

/** What every payment to a documented creditor number does (rules.md D1c). */
export type Behaviour =
  | { readonly does: 'return'; readonly reason: ReturnReason; readonly bankingDays: number }
  /** A run rejects it at this attempt; at an earlier one the creditor's bank does not answer. */
  | { readonly does: 'reject'; readonly attempt: 1 | 2; readonly cause: string }
  | { readonly does: 'refuse'; readonly what: 'every initiation' | 'instant payments'; readonly cause: string };

interface TellingNumber {
  /** A BBAN of a clearing number that no bank has, or an IBAN of a bank code of zeros. */
  readonly number: string;
  readonly behaviour: Behaviour;
  /** What a payment to it does, for people. */
  readonly says: string;
}

const blocked = 'the creditor account is blocked';

/** Creditor numbers outside this bank, each with one behaviour. docs/first-payment.md has the same rows. */
export const tellingNumbers: readonly TellingNumber[] = [
  of(
    '99110000002',
    { does: 'return', reason: 'AC04', bankingDays: 1 },
    'settles, and is returned on the next banking day',
  ),
  of(
    '99120000000',
    { does: 'return', reason: 'MS02', bankingDays: 3 },
    'settles, and is returned after three banking days',
  ),
  of('99130000009', { does: 'reject', attempt: 1, cause: blocked }, 'is rejected at its first run'),
  of('99140000007', { does: 'reject', attempt: 2, cause: blocked }, 'is rejected at its second attempt'),
  of('99150000005', { does: 'refuse', what: 'every initiation', cause: blocked }, 'is refused at its initiation'),
  of(
    '99160000003',
    { does: 'refuse', what: 'instant payments', cause: 'the bank of the creditor takes no instant payment now' },
    'is rejected at its signature if it is instant (straks); else it settles',
  ),
  of(
    'DE09000000000000000001',
    { does: 'return', reason: 'AC04', bankingDays: 3 },
    'settles, and is returned after three banking days, less a fee and at the rate of that day',
  ),
  of(
    'SE6800000000000000000001',
    { does: 'return', reason: 'MS02', bankingDays: 5 },
    'settles, and is returned after five banking days, less a fee and at the rate of that day',
  ),
  of('FI7600000000000001', { does: 'reject', attempt: 1, cause: blocked }, 'is rejected at its first run'),
];

function of(number: string, behaviour: Behaviour, says: string): TellingNumber {
  return { number, behaviour, says };
}

const behaviours = new Map(tellingNumbers.map(({ number, behaviour }) => [number, behaviour]));

/** What payments to this number do; undefined for a number that tells nothing. */
export function behaviourOf(number: string): Behaviour | undefined {
  return behaviours.get(number);
}

/** Why no account of this bank may have this number, a BBAN or an IBAN. Null if one may. */
export function tellingRefusal(number: string): string | null {
  const isTelling = behaviours.has(number) || behaviours.has(number.slice(4));
  return isTelling ? 'is of another bank: payments to it show one behaviour (D1c). Write another.' : null;
}

export interface RefusedAttempt {
  readonly reason: string;
  /** Whether the next run asks again. */
  readonly isAskedAgain: boolean;
}

/**
 * Why the bank of a creditor does not take a payment at an attempt. Returns null if it takes it. `isAtOnce`: no run
 * tries it again.
 */
export function refusalAt(number: string, attempt: number, isAtOnce: boolean): RefusedAttempt | null {
  const behaviour = behaviours.get(number);
  if (behaviour?.does === 'reject' && attempt <= behaviour.attempt) {
    const isLast = attempt === behaviour.attempt;
    const reason = isLast ? behaviour.cause : 'the bank of the creditor does not answer';
    return { reason, isAskedAgain: !isLast && !isAtOnce };
  }
  if (behaviour?.does !== 'refuse' || behaviour.what !== 'instant payments' || !isAtOnce) return null;
  return { reason: behaviour.cause, isAskedAgain: false };
}
