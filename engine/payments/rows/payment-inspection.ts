import { sql, type Selectable } from 'kysely';
import type { Currency } from '../../values/currency.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Flag } from '../../ledger/codec.ts';
import type { Reader } from '../../ledger/database.ts';
import { isBooked } from '../../accounts/rows/entries.ts';
import type { AttemptRow } from '../../settlement/rows/tables.ts';

/** An attempt with its run's instant, and its execution's nominal date and place in the payment. */
export type InspectedAttempt = Selectable<AttemptRow> & {
  readonly at: Instant;
  readonly nominal_date: LocalDate;
  readonly sequence: number;
};

/** Every attempt to settle an execution of a payment, in the order of time; an instant payment's only one is its authorisation. */
export function inspectAttempts(reader: Reader, paymentId: number): Promise<InspectedAttempt[]> {
  return reader
    .selectFrom('attempt')
    .innerJoin('execution', 'execution.id', 'attempt.execution_id')
    .leftJoin('settlement_run as run', (join) =>
      join.onRef('run.date', '=', 'attempt.run_date').onRef('run.number', '=', 'attempt.run_number'),
    )
    .selectAll('attempt')
    .select([
      'execution.nominal_date',
      'execution.sequence',
      sql<Instant>`coalesce(run.at, execution.authorised_at)`.as('at'),
    ])
    .where('execution.payment_id', '=', paymentId)
    .orderBy('at')
    .orderBy('attempt.execution_id')
    .execute();
}

/** One line of a posting, as a person reads it. */
export interface InspectedEntry {
  readonly account_name: string;
  readonly bban: string | null;
  readonly currency: Currency;
  /** Credit positive, debit negative. */
  readonly amount_minor: bigint;
  readonly nominal_date: LocalDate;
  /** Of its execution in the payment. */
  readonly sequence: number;
  readonly booking_date: LocalDate;
  readonly value_date: LocalDate;
  readonly is_booked: Flag;
}

/** Every entry that an execution of a payment posted, the debit first; booked once a run after it has passed (rules.md S6). */
export function inspectEntries(reader: Reader, paymentId: number): Promise<InspectedEntry[]> {
  return reader
    .selectFrom('entry')
    .innerJoin('execution', 'execution.id', 'entry.execution_id')
    .innerJoin('account', 'account.id', 'entry.account_id')
    .select([
      'account.name as account_name',
      'account.bban',
      'account.currency',
      'entry.amount_minor',
      'execution.nominal_date',
      'execution.sequence',
      'entry.booking_date',
      'entry.value_date',
      isBooked.$castTo<Flag>().as('is_booked'),
    ])
    .where('execution.payment_id', '=', paymentId)
    .orderBy('entry.execution_id')
    .orderBy('entry.amount_minor')
    .execute();
}
