import { assert } from '../values/assert.ts';
import { osloDate } from '../values/instant.ts';
import { attemptOf, planSettlement } from '../settlement/rules/settlement.ts';
import { postingsOf } from '../settlement/rules/settlement-postings.ts';
import { addUnbookedExecution } from '../bank/rows/bank-state.ts';
import type { Writer } from '../ledger/database.ts';
import { insertPostings, saveBalances } from '../accounts/rows/entries.ts';
import { openExecutionsOf } from '../settlement/rows/due-executions.ts';
import { saveAttempts } from '../settlement/rows/executions.ts';
import type { Payment } from './rows/payments.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { changeStatus, type StatusChange } from './change-status.ts';

/**
 * Settles the execution of an instant payment at the moment of its authorisation: ACSC, or RJCT when funds lack
 * (rules.md P10). Its entries are pending until the next run books them.
 */
export async function settleInstantly(
  bank: BankContext,
  tx: Writer,
  payment: Payment,
  change: StatusChange,
): Promise<Payment> {
  const { at, cause } = change;
  const { decisions, balances } = planSettlement(await openExecutionsOf(tx, payment.id), { attemptsAllowed: 1 });
  const [decision, ...others] = decisions;
  assert(decision !== undefined && others.length === 0, 'an instant payment has one execution');
  await saveAttempts(tx, [attemptOf(decision)], null);
  await insertPostings(tx, postingsOf(decision, { date: osloDate(at), at }));
  await saveBalances(tx, balances);
  if (decision.outcome !== 'settle') {
    return changeStatus(bank, tx, payment, 'RJCT', {
      ...change,
      cause: `${cause}, rejected at once: ${why(decision)}`,
    });
  }
  await addUnbookedExecution(tx);
  const also = { settled_at: at };
  return changeStatus(bank, tx, payment, 'ACSC', { ...change, cause: `${cause}, settled at once`, also });
}

function why({ available, needed }: { readonly available: bigint; readonly needed: bigint }): string {
  return available < needed ? 'funds lacking' : 'the creditor account holds no more';
}
