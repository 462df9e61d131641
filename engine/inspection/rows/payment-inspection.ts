import { sql, type Selectable } from 'kysely';
import type { Currency } from '../../values/currency.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Flag } from '../../ledger/queries.ts';
import type { Reader } from '../../ledger/database.ts';
import { isBooked } from '../../accounts/rows/entries.ts';
import type { AttemptRow } from '../../settlement/rows/tables.ts';

/** An attempt with its instant, and the nominal date and sequence of its execution. */
export type InspectedAttempt = Selectable<AttemptRow> & {
  readonly at: Instant;
  readonly nominal_date: LocalDate;
  readonly sequence: number;
};

/** Every settlement attempt of a payment's executions, in order of time; an instant payment is attempted at its authorisation. */
export function inspectAttempts(reader: Reader, paymentId: number): Promise<InspectedAttempt[]> {
  return reader
    .selectFrom('attempt')
    .innerJoin('execution', 'execution.id', 'attempt.execution_id')
    .innerJoin('payment', 'payment.id', 'execution.payment_id')
    .leftJoin('settlement_run as run', (join) =>
      join.onRef('run.date', '=', 'attempt.run_date').onRef('run.number', '=', 'attempt.run_number'),
    )
    .selectAll('attempt')
    .select([
      'execution.nominal_date',
      'execution.sequence',
      sql<Instant>`coalesce(run.at, payment.authorised_at)`.as('at'),
    ])
    .where('execution.payment_id', '=', paymentId)
    .orderBy('at')
    .orderBy('attempt.execution_id')
    .execute();
}

/** An entry with the facts of its account and its execution. */
export interface InspectedEntry {
  readonly account_id: number;
  readonly account_name: string;
  readonly bban: string | null;
  readonly currency: Currency;
  /** Credit positive, debit negative. */
  readonly amount_minor: bigint;
  readonly nominal_date: LocalDate;
  /** Index of the execution's item in a bulk payment, else 0. */
  readonly sequence: number;
  readonly booking_date: LocalDate;
  readonly value_date: LocalDate;
  readonly is_booked: Flag;
}

/** Every entry of a payment's executions as it is at `now`, the debit of each execution first (rules.md S6). */
export function inspectEntries(reader: Reader, paymentId: number, now: Instant): Promise<InspectedEntry[]> {
  return reader
    .selectFrom('entry')
    .innerJoin('execution', 'execution.id', 'entry.execution_id')
    .innerJoin('account', 'account.id', 'entry.account_id')
    .select([
      'entry.account_id',
      'account.name as account_name',
      'account.bban',
      'account.currency',
      'entry.amount_minor',
      'execution.nominal_date',
      'execution.sequence',
      'entry.booking_date',
      'entry.value_date',
      isBooked(now).$castTo<Flag>().as('is_booked'),
    ])
    .where('execution.payment_id', '=', paymentId)
    .orderBy('entry.execution_id')
    .orderBy('entry.amount_minor')
    .execute();
}
