import { postCorrection, post } from '../accounts/post.ts';
import { detailsOfPayment, type TransactionDetails } from '../accounts/rules/transaction-details.ts';
import { balancesByKey } from '../accounts/rows/accounts.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import type { SettlementRun } from '../time/rules/settlement-run.ts';
import { askedDays } from './rows/executions.ts';
import { insertDoubleExecutions, saveCorrection, uncorrectedExecutions } from './rows/double-executions.ts';
import { planSettlement, postingsOf, type DueExecution, type SettlementDecision } from './rules/settlement.ts';
import { type Runs, valueDates } from './settle-due.ts';

/** Whether the fault double-execution may execute it again (rules.md R8b): an occurrence of a standing order, or a domestic single payment. */
export function mayDouble({ execution, outcome }: SettlementDecision): boolean {
  return outcome === 'settle' && !execution.isBulkItem && execution.foreign === null;
}

/**
 * Posts settled executions of a run a second time, as far as funds suffice (rules.md R8b): the same accounts, amounts and dates, without an
 * attempt and without a status; single payments only if they were signed before their day. The next run corrects them. Returns how many.
 */
export async function executeTwice(
  bank: BankContext,
  tx: Writer,
  { next }: Pick<Runs, 'next'>,
  settled: readonly DueExecution[],
): Promise<number> {
  const asked = await askedDays(
    tx,
    settled.map(({ paymentId }) => paymentId),
  );
  const early = settled.filter(({ isOccurrence, paymentId, executionDate }) => {
    return isOccurrence || (asked.get(paymentId)?.signed ?? executionDate) < executionDate;
  });
  const accounts = early.flatMap(({ debtor, creditor }) => [debtor.id, creditor.id]);
  const plan = planSettlement(early, { moved: await balancesByKey(tx, accounts) });
  const doubled = plan.decisions.filter(({ outcome }) => outcome === 'settle');
  if (doubled.length === 0) return 0;
  const values = await valueDates(bank, tx, doubled);
  await post(
    tx,
    doubled.flatMap((decision) => postingsOf(decision, { next, values })),
    plan.balances,
  );
  await insertDoubleExecutions(
    tx,
    doubled.map(({ execution }) => execution.id),
  );
  return doubled.length;
}

/**
 * Corrects what an earlier run executed twice: one more credit to the debtor and one more debit of the creditor, booked by this run, whatever
 * funds the creditor has left (rules.md R8b). Returns how many.
 */
export async function correctDoubles(tx: Writer, { date }: Pick<SettlementRun, 'date'>): Promise<number> {
  const doubles = await uncorrectedExecutions(tx);
  for (const { id, initiation, debtor, executionDate, debtorAccountId, creditorAccountId, ...moved } of doubles) {
    const { creditorName, creditorAccount, debtorName, debtorAccount } = detailsOfPayment(initiation, debtor);
    // The payee pays it back.
    const details: TransactionDetails = {
      remittanceInformationUnstructured: `Correction: the payment of ${executionDate} was executed twice`,
      ...(debtorName !== undefined && { creditorName: debtorName }),
      ...(debtorAccount !== undefined && { creditorAccount: debtorAccount }),
      ...(creditorName !== undefined && { debtorName: creditorName }),
      ...(creditorAccount !== undefined && { debtorAccount: creditorAccount }),
    };
    const posting = await postCorrection(tx, {
      ...moved,
      details,
      from: creditorAccountId,
      to: debtorAccountId,
      bookingDate: date,
    });
    await saveCorrection(tx, id, posting);
  }
  return doubles.length;
}
