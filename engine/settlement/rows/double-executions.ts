import { sql } from 'kysely';
import type { CreditTransferInitiation } from '../../values/credit-transfer.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { keysTable } from '../../ledger/queries.ts';

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
  readonly debtor: { readonly name: string; readonly bban: string | null; readonly iban: string | null };
  readonly debtorAccountId: number;
  readonly creditorAccountId: number;
}

interface UncorrectedRow extends Omit<UncorrectedExecution, 'initiation' | 'debtor' | 'amount'> {
  readonly amount_minor: bigint;
  readonly body: string;
  readonly name: string;
  readonly bban: string | null;
  readonly iban: string | null;
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
