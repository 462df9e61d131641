import type { BankContext } from '../bank/bank-context.ts';
import type { BankStateRow } from '../bank/rows/tables.ts';
import type { Reader } from '../ledger/database.ts';
import { earliestBooking } from '../accounts/rows/reservations.ts';
import { firstDueDay, paymentsDueOn } from '../payments/rows/due-payments.ts';
import { dueCause } from '../payments/rules/due-day.ts';
import type { SettlementRun } from '../time/rules/settlement-run.ts';
import { osloDate, startOfDay, type Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';

/** A day on which payments are due or reservations are booked, and its midnight. */
interface DueDay {
  readonly date: LocalDate;
  readonly at: Instant;
}

/** The rest of an advance. */
interface Ahead {
  readonly goal: Instant;
  readonly run: SettlementRun | null;
  /** The earliest execution date of an open execution, or null. */
  readonly earliestDue: LocalDate | null;
}

/**
 * The next day, up to `goal` and to the next run, on which ACSP payments become PDNG and that was not announced yet (rules.md S2b), or on
 * which a reservation is booked (D3d); else null.
 */
export async function nextDueDay(
  reader: Reader,
  { due_told: after }: BankStateRow,
  { goal, run, earliestDue }: Ahead,
): Promise<DueDay | null> {
  const through = osloDate(run !== null && run.at < goal ? run.at : goal);
  const isNoneDue = earliestDue === null || earliestDue > through || (after !== null && after >= through);
  const due = isNoneDue ? null : await firstDueDay(reader, { after, through });
  const booking = await earliestBooking(reader);
  const date = booking === null || booking > (due ?? through) ? due : booking;
  return date === null ? null : { date, at: startOfDay(date) };
}

/** Announces the payments that are due from this midnight on. Writes no row: the advance stores that the day was announced. */
export async function tellDueDay(bank: BankContext, reader: Reader, { date, at }: DueDay): Promise<void> {
  const wanted = bank.wanted('payment');
  if (wanted === 0) return;
  const due = await paymentsDueOn(reader, date, wanted);
  if (due.leftOut > 0) bank.tell({ kind: 'left out', at, count: due.leftOut });
  for (const paymentId of due.last) {
    bank.tell({ kind: 'payment', at, paymentId, status: 'PDNG', cause: dueCause });
  }
}
