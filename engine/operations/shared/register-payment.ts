import { assert } from '../../core/assert.ts';
import { executionDateWhenSigned } from '../../core/execution-date.ts';
import { Refusal } from '../../core/fault.ts';
import { osloDate, type Instant } from '../../core/instant.ts';
import { firstIndexFrom } from '../../core/occurrences.ts';
import { parseInstructedAmount } from '../../core/parse-amount.ts';
import { creditorNumber, type CreditTransferInitiation } from '../../core/payment-initiation.ts';
import { firstRunAfter } from '../../core/settlement-run.ts';
import { occurrencesFrom } from '../../core/standing-order.ts';
import type { Transaction } from '../../ledger/database.ts';
import { insertExecutions, type NewExecution } from '../../ledger/executions.ts';
import { saveNextIndexes, standingOrderOf, updatePayment, type Payment } from '../../ledger/payments.ts';
import type { BankContext } from './bank-context.ts';
import { changeStatus } from './change-status.ts';
import { scheduleOfOrder } from './schedule-of-order.ts';

/**
 * A payment that nobody has to sign any more: it is laid out for the settlement runs. Single: PDNG when due today,
 * else ACSP (rules.md S2, P13). Periodic: ACSP, with the occurrences of its first execution date (R4, R6, P13).
 */
export async function registerPayment(
  bank: BankContext,
  tx: Transaction,
  payment: Payment,
  now: Instant,
  cause: string,
): Promise<Payment> {
  return payment.service === 'periodic-payments'
    ? registerStandingOrder(bank, tx, payment, now, cause)
    : registerSingle(bank, tx, payment, now, cause);
}

async function registerSingle(
  bank: BankContext,
  tx: Transaction,
  payment: Payment,
  now: Instant,
  cause: string,
): Promise<Payment> {
  const today = osloDate(now);
  assert(payment.execution_date !== null, 'a single payment has an execution date');
  const date = executionDateWhenSigned(payment.execution_date, today, bank.runs.calendar);
  const status = date === today ? 'PDNG' : 'ACSP';
  await updatePayment(tx, payment.id, { authorised_at: now, execution_date: date });
  const days = { sequence: 0, nominal_date: date, execution_date: date };
  await insertExecutions(tx, [{ ...executionOf(payment, now), ...days, status }]);
  return changeStatus(bank, tx, payment, status, { at: now, cause });
}

async function registerStandingOrder(
  bank: BankContext,
  tx: Transaction,
  payment: Payment,
  now: Instant,
  cause: string,
): Promise<Payment> {
  const schedule = scheduleOfOrder(await standingOrderOf(tx, payment.id));
  const index = firstIndexFrom(schedule, osloDate(now));
  const earliest = firstRunAfter(now, bank.runs).date;
  const { occurrences, nextIndex } = occurrencesFrom(schedule, index, bank.runs.calendar, earliest);
  if (occurrences.length === 0) {
    const text = `Every day of execution had passed by ${osloDate(now)}, when the payment was signed. Initiate a new one.`;
    throw new Refusal({ code: 'EXECUTION_DATE_INVALID', path: 'endDate', text });
  }
  await updatePayment(tx, payment.id, { authorised_at: now });
  const template = executionOf(payment, now);
  const executions = occurrences.map(({ index: sequence, nominalDate, executionDate }) => ({
    ...template,
    sequence,
    nominal_date: nominalDate,
    execution_date: executionDate,
    status: 'ACSP' as const,
  }));
  await insertExecutions(tx, executions);
  await saveNextIndexes(tx, [{ paymentId: payment.id, nextIndex }]);
  return changeStatus(bank, tx, payment, 'ACSP', { at: now, cause });
}

/** What every execution of a payment shares. */
function executionOf(
  payment: Payment,
  authorisedAt: Instant,
): Omit<NewExecution, 'sequence' | 'nominal_date' | 'execution_date' | 'status'> {
  const body = JSON.parse(payment.initiation) as CreditTransferInitiation;
  const { amount, currency } = body.instructedAmount;
  const parsed = parseInstructedAmount(amount, currency);
  assert(typeof parsed !== 'string', `${amount} was checked at initiation`);
  return {
    payment_id: payment.id,
    authorised_at: authorisedAt,
    debtor_account_id: payment.debtor_account_id,
    creditor_number: creditorNumber(body),
    amount_minor: parsed.minor,
    attempts: 0,
  };
}
