import type { LocalDate } from '../../values/local-date.ts';
import type { Reader } from '../../ledger/database.ts';
import { type Given, prepared } from '../../ledger/queries.ts';
import type { Failure } from '../rules/failure-messages.ts';

const failedOf = prepared((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db
    .selectFrom('execution')
    .leftJoin('attempt', (join) =>
      join.onRef('attempt.execution_id', '=', 'execution.id').onRef('attempt.number', '=', 'execution.attempts'),
    )
    .leftJoin('provoked_rejection as rejected', (join) =>
      join
        .onRef('rejected.payment_id', '=', 'execution.payment_id')
        .onRef('rejected.sequence', '=', 'execution.sequence'),
    )
    .select([
      'execution.sequence',
      'execution.nominal_date',
      'execution.status',
      'attempt.number',
      'attempt.run_date',
      'attempt.run_number',
      'attempt.available_minor',
      'attempt.needed_minor',
      'attempt.reason',
      'rejected.reason as provoked',
    ])
    .where('execution.payment_id', '=', paymentId)
    .where('execution.status', 'in', ['RJCT', 'ACCP', 'CANC'])
    .orderBy('execution.sequence'),
);

/** The executions of a payment that were rejected or cancelled, or lacked funds at their last attempt, by sequence (rules.md S7b, S9c). */
export async function failedExecutions(reader: Reader, paymentId: number): Promise<Failure[]> {
  const rows = await failedOf(reader, { paymentId });
  return rows.map((row) => ({
    sequence: row.sequence,
    nominalDate: row.nominal_date,
    status: row.status as Failure['status'],
    attempt: attemptOf(row),
    rejection: row.reason ?? row.provoked,
  }));
}

interface AttemptColumns {
  readonly number: number | null;
  readonly run_date: LocalDate | null;
  readonly run_number: number | null;
  readonly available_minor: bigint | null;
  readonly needed_minor: bigint | null;
}

function attemptOf(row: AttemptColumns): Failure['attempt'] {
  const { number, run_date: date, run_number: runNumber, available_minor: available, needed_minor: needed } = row;
  if (number === null || available === null || needed === null) return null;
  return { number, run: date === null || runNumber === null ? null : { date, number: runNumber }, available, needed };
}
