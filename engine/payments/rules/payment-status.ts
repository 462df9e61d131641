import type { TransactionStatus } from '../../values/transaction-status.ts';
import { osloDate, startOfDay, type Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { isOpenStatus, type ExecutionStatus } from '../../settlement/rules/decide-attempts.ts';

/** Statuses of the interface that this bank never sets; the control plane can force one (rules.md S9b). */
export const forcedStatuses = ['ACTC', 'ACWC', 'ACWP', 'ACCC', 'ACFC'] as const satisfies readonly TransactionStatus[];

export type ForcedStatus = (typeof forcedStatuses)[number];

export function isForcedStatus(text: string): text is ForcedStatus {
  return forcedStatuses.some((status) => status === text);
}

/** The columns of a payment that its due day affects. */
interface DatedStatus {
  readonly status: TransactionStatus;
  /** Null for a standing order, which stays ACSP until its end. */
  readonly execution_date: LocalDate | null;
  readonly forced_status: TransactionStatus | null;
  readonly forced_at: Instant | null;
}

/**
 * A stored payment as it reads at an instant of the bank clock (rules.md S2b): from 00:00 Oslo of its execution date an
 * ACSP single or bulk payment is PDNG, and shows a forced status only if that was forced since. No row is rewritten at
 * midnight: whatever shows a status, or acts on it, must call this.
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
  // A forced status is shown, in later lines too, and the payment keeps its own.
  const own = before.findLast(({ status }) => !isForcedStatus(status));
  if (own?.status !== 'ACSP') return history;
  return [...before, { status: 'PDNG', at, wall: null, cause: dueCause }, ...history.slice(before.length)];
}

/** The cause of a line that the clock alone wrote. */
export const dueCause = 'due';

/** The cause of a status that the control plane forced (rules.md S9b). */
export const forcedCause = 'forced';

/** What a TPP reads while the status lags. */
export interface LaggingStatus {
  /** PATC: an earlier signature is shown. */
  readonly status: 'RCVD' | 'PATC';
  /** When the next signature is shown. */
  readonly until: Instant;
}

/** The lag in ms of bank time, and when the payment was signed, oldest first. */
interface Lag {
  readonly lag: number;
  readonly signedAt: readonly Instant[];
}

/**
 * What a TPP reads at `now` of a payment whose signatures are shown `lag` after their SCA (rules.md Q21). Returns null
 * if its status does not lag, as that of a cancelled payment and a forced one never do.
 */
export function laggingStatus(
  { status, forced_status: forced }: { readonly status: TransactionStatus; readonly forced_status: string | null },
  { lag, signedAt }: Lag,
  now: Instant,
): LaggingStatus | null {
  if (forced !== null || status === 'CANC') return null;
  const shown = signedAt.map((at) => (at + lag) as Instant);
  const until = shown.find((at) => at > now);
  if (until === undefined) return null;
  return { status: shown[0] === until ? 'RCVD' : 'PATC', until };
}

/** From when a TPP reads a line of the history: then, or when the last signature before it is shown. */
export function shownFrom(
  { status, at, cause }: { readonly status: TransactionStatus; readonly at: Instant; readonly cause: string },
  { lag, signedAt }: Lag,
): Instant {
  // RCVD may be as old as the first signature where the clock stands still.
  if (cause === forcedCause || status === 'CANC' || status === 'RCVD') return at;
  const last = signedAt.findLast((signed) => signed <= at);
  return last === undefined ? at : (Math.max(at, last + lag) as Instant);
}

/**
 * The status of a bulk payment after a run that tried items of it, from the statuses of all items (rules.md S9b, S9c).
 * ACSC: all have settled. PART: some have settled; it is final once no item is open. RJCT: all were rejected. ACCP: no
 * item has settled, and some lack funds.
 */
export function bulkStatus(items: ReadonlySet<ExecutionStatus>): TransactionStatus {
  if (items.has('ACSC')) return items.size === 1 ? 'ACSC' : 'PART';
  return hasOpenPart(items) ? 'ACCP' : 'RJCT';
}

/** Whether a run will try a part of a payment with these statuses of items or occurrences. */
export function hasOpenPart(parts: ReadonlySet<ExecutionStatus>): boolean {
  return [...parts].some(isOpenStatus);
}
