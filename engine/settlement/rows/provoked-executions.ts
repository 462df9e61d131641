import { sql } from 'kysely';
import { inParts, readInParts } from '../../values/lists.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { keysTable } from '../../ledger/queries.ts';
import type { CreditTransferInitiation } from '../../values/credit-transfer.ts';
import type { Debtor } from '../../accounts/rules/transaction-details.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** The reasons of a payment's provoked rejections, by the sequence of what is rejected (rules.md P14b). */
export type Rejections = ReadonlyMap<number, string>;

/** The provoked rejections of these payments, by payment; one without any is left out. */
export async function rejectionsOf(
  reader: Reader,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, Rejections>> {
  const found = new Map<number, Map<number, string>>();
  const rows = await readInParts(paymentIds, (some) =>
    reader.selectFrom('provoked_rejection').selectAll().where('payment_id', 'in', keysTable(some)).execute(),
  );
  for (const { payment_id: paymentId, sequence, reason } of rows) {
    found.set(paymentId, (found.get(paymentId) ?? new Map<number, string>()).set(sequence, reason));
  }
  return found;
}

/** Has these parts of a payment rejected for a reason, which replaces an earlier one. */
export async function saveRejections(
  tx: Writer,
  paymentId: number,
  sequences: readonly number[],
  reason: string,
): Promise<void> {
  for (const some of inParts(sequences)) {
    await sql`insert into provoked_rejection (payment_id, sequence, reason)
      select ${paymentId}, value, ${reason} from ${keysTable(some)} where true order by value
      on conflict (payment_id, sequence) do update set reason = excluded.reason`.execute(tx);
  }
}

/** Rejects the executions of a payment that have a provoked rejection, without an attempt. */
export async function rejectMarked(tx: Writer, paymentId: number): Promise<void> {
  const marked = tx.selectFrom('provoked_rejection').select('sequence').where('payment_id', '=', paymentId);
  await tx
    .updateTable('execution')
    .set({ status: 'RJCT' })
    .where('payment_id', '=', paymentId)
    .where('sequence', 'in', marked)
    .execute();
}

/** Stores that these executions were carried out twice, and wait for their correction (rules.md R8b). */
export async function insertDoubleExecutions(tx: Writer, executionIds: readonly number[]): Promise<void> {
  await sql`insert into double_execution (execution_id) select value from ${keysTable(executionIds)}
    order by value`.execute(tx);
}

/** Stores the direct posting that corrected a double execution. */
export async function saveCorrection(tx: Writer, executionId: number, postingId: number): Promise<void> {
  await tx
    .updateTable('double_execution')
    .set({ corrected_by: postingId })
    .where('execution_id', '=', executionId)
    .execute();
}

/** A double execution to correct. The clearing account stands for an account that was closed meanwhile. */
interface UncorrectedExecution {
  readonly id: number;
  /** Minor units. */
  readonly amount: bigint;
  readonly executionDate: LocalDate;
  /** That of both debits. */
  readonly valueDate: LocalDate;
  readonly initiation: CreditTransferInitiation;
  readonly debtor: Debtor;
  readonly debtorAccountId: number;
  readonly creditorAccountId: number;
}

interface UncorrectedRow extends Omit<UncorrectedExecution, 'initiation' | 'debtor' | 'amount'>, Debtor {
  readonly amount_minor: bigint;
  readonly body: string;
}

/** The double executions that no run has corrected, in their order. */
export async function uncorrectedExecutions(reader: Reader): Promise<UncorrectedExecution[]> {
  const { rows } = await sql<UncorrectedRow>`
    select e.id, e.amount_minor, e.execution_date as executionDate, credit.value_date as valueDate, i.body, holder.name,
      debtor.bban, debtor.iban, iif(debtor.closed_at is null, debtor.id, clearing.id) as debtorAccountId,
      iif(creditor.closed_at is null, creditor.id, clearing.id) as creditorAccountId
    from double_execution d join execution e on e.id = d.execution_id
    join payment_initiation i on i.payment_id = e.payment_id
    join entry credit on credit.id = (select max(id) from entry where execution_id = e.id and amount_minor > 0)
    join account creditor on creditor.id = credit.account_id
    join account debtor on debtor.id = e.debtor_account_id
    join customer holder on holder.id = debtor.customer_id
    join account clearing on clearing.kind = 'clearing' and clearing.currency = debtor.currency
    where d.corrected_by is null order by e.id`.execute(reader);
  return rows.map(({ amount_minor: amount, body, name, bban, iban, ...row }) => {
    return { ...row, amount, initiation: JSON.parse(body) as CreditTransferInitiation, debtor: { name, bban, iban } };
  });
}
