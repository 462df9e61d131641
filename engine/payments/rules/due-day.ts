import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import { osloDate, startOfDay, type Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** The columns of a payment that its due day affects. */
interface DatedStatus {
  readonly status: TransactionStatus;
  /** Null for a standing order, which stays ACSP until its end. */
  readonly execution_date: LocalDate | null;
  readonly forced_status: TransactionStatus | null;
  readonly forced_at: Instant | null;
}

/**
 * A stored payment as it reads at an instant of the bank clock (rules.md S2b): from 00:00 Oslo of its execution date an ACSP single
 * or bulk payment is PDNG, and shows a forced status only if that was forced since. No row is rewritten at midnight: whatever shows a
 * status, or acts on it, must call this.
 */
export function paymentAt<Payment extends DatedStatus>(payment: Payment, now: Instant): Payment {
  const { status, execution_date: date, forced_status: forced, forced_at: forcedAt } = payment;
  if (statusAt({ status, date }, now) === status || date === null) return payment;
  const isForcedSince = forcedAt !== null && forcedAt >= startOfDay(date);
  return { ...payment, status: 'PDNG', forced_status: isForcedSince ? forced : null };
}

/** The status alone, of a payment or of one transfer of it, as {@link paymentAt} has it. */
export function statusAt<Status extends string>(
  { status, date }: { readonly status: Status; readonly date: LocalDate | null },
  now: Instant,
): Status | 'PDNG' {
  return status === 'ACSP' && date !== null && date <= osloDate(now) ? 'PDNG' : status;
}

/** A line of a payment's history. */
interface HistoryLine {
  readonly status: TransactionStatus;
  readonly at: Instant;
  readonly wall: Instant | null;
  readonly cause: string;
}

/**
 * The history with the moment at which an ACSP payment became due: cause `due`, and no wall time, as nobody acted then
 * (rules.md S2b, S10).
 */
export function historyWithDueDay<Line extends HistoryLine>(
  history: readonly Line[],
  date: LocalDate | null,
  now: Instant,
): readonly HistoryLine[] {
  if (date === null || date > osloDate(now)) return history;
  const at = startOfDay(date);
  const before = history.filter((line) => line.at < at);
  // A forced status is shown, and the payment keeps its own.
  const own = before.findLast(({ cause }) => cause !== forcedCause);
  if (own?.status !== 'ACSP') return history;
  return [...before, { status: 'PDNG', at, wall: null, cause: dueCause }, ...history.slice(before.length)];
}

/** The cause of a line that the clock alone wrote. */
export const dueCause = 'due';

/** The cause of a status that the control plane forced (rules.md S9b). */
export const forcedCause = 'forced';
