import { assert } from '../../core/assert.ts';
import { executionDateWhenSigned } from '../../core/execution-date.ts';
import { Refusal } from '../../core/fault.ts';
import { osloDate, type Instant } from '../../core/instant.ts';
import type { LocalDate } from '../../core/local-date.ts';
import { firstIndexToPay } from '../../core/occurrences.ts';
import { parseInstructedAmount } from '../../core/parse-amount.ts';
import { creditorNumber, type CreditTransferInitiation } from '../../core/payment-initiation.ts';
import { isForeign, isInstant } from '../../core/product.ts';
import { firstRunAfter } from '../../core/settlement-run.ts';
import { occurrencesFrom } from '../../core/standing-order.ts';
import { insertItemExecutions } from '../../ledger/bulk-payments.ts';
import { flag } from '../../ledger/codec.ts';
import type { Transaction } from '../../ledger/database.ts';
import { insertExecutions, type NewExecution } from '../../ledger/executions.ts';
import { foreignTransferOf } from '../../ledger/foreign-transfers.ts';
import { initiationOf } from '../../ledger/payment-initiations.ts';
import { saveNextIndexes, standingOrderOf, updatePayment, type Payment } from '../../ledger/payments.ts';
import type { BankContext } from './bank-context.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { scheduleOfOrder } from './schedule-of-order.ts';
import { settleInstantly } from './settle-instantly.ts';

/** With what was initiated, where that has been read. */
type PaymentToRegister = Payment & { readonly body?: string };

/**
 * A payment that nobody has to sign any more: it is laid out for the settlement runs. Single and bulk: PDNG when due
 * today, else ACSP (rules.md S2, P13). Periodic: ACSP, with the occurrences of its first execution date (R4, R6, P13).
 */
export async function registerPayment(
  bank: BankContext,
  tx: Transaction,
  payment: PaymentToRegister,
  change: StatusChange,
): Promise<Payment> {
  if (payment.service === 'periodic-payments') return registerStandingOrder(bank, tx, payment, change);
  if (payment.service === 'bulk-payments') return registerBulk(bank, tx, payment, change);
  if (isInstant(payment.product)) return registerInstant(bank, tx, payment, change);
  return registerSingle(bank, tx, payment, change);
}

async function registerSingle(
  bank: BankContext,
  tx: Transaction,
  payment: PaymentToRegister,
  change: StatusChange,
): Promise<Payment> {
  const { date, status } = dayOf(bank, payment, change.at);
  const days = { sequence: 0, nominal_date: date, execution_date: date };
  await insertExecutions(tx, [{ ...(await executionOf(tx, payment, change.at)), ...days, status }]);
  return changeStatus(bank, tx, payment, status, change, { authorised_at: change.at, execution_date: date });
}

/** Its day is today, whatever day it is, and it waits for no run (rules.md P10). */
async function registerInstant(
  bank: BankContext,
  tx: Transaction,
  payment: PaymentToRegister,
  change: StatusChange,
): Promise<Payment> {
  const today = osloDate(change.at);
  await updatePayment(tx, payment.id, { authorised_at: change.at, execution_date: today });
  const days = { sequence: 0, nominal_date: today, execution_date: today };
  await insertExecutions(tx, [{ ...(await executionOf(tx, payment, change.at)), ...days, status: 'PDNG' }]);
  return settleInstantly(bank, tx, payment, change);
}

/** Each item waits for the runs by itself, in the order of the body (rules.md S3). */
async function registerBulk(
  bank: BankContext,
  tx: Transaction,
  payment: PaymentToRegister,
  change: StatusChange,
): Promise<Payment> {
  const { date, status } = dayOf(bank, payment, change.at);
  await insertItemExecutions(tx, payment.id, { authorisedAt: change.at, executionDate: date, status });
  return changeStatus(bank, tx, payment, status, change, { authorised_at: change.at, execution_date: date });
}

/** The day on which a payment signed now is executed, and the status that it has till then (rules.md S2, P13). */
function dayOf(
  bank: BankContext,
  payment: Payment,
  now: Instant,
): { readonly date: LocalDate; readonly status: 'PDNG' | 'ACSP' } {
  const today = osloDate(now);
  assert(payment.execution_date !== null, 'a payment that is no standing order has an execution date');
  const date = executionDateWhenSigned(payment.execution_date, today, bank.runs.calendar);
  return { date, status: date === today ? 'PDNG' : 'ACSP' };
}

async function registerStandingOrder(
  bank: BankContext,
  tx: Transaction,
  payment: PaymentToRegister,
  change: StatusChange,
): Promise<Payment> {
  const now = change.at;
  const schedule = scheduleOfOrder(await standingOrderOf(tx, payment.id));
  const index = firstIndexToPay(schedule, osloDate(now), bank.runs.calendar);
  const earliest = firstRunAfter(now, bank.runs).date;
  const { occurrences, nextIndex } = occurrencesFrom(schedule, index, bank.runs.calendar, earliest);
  if (occurrences.length === 0) {
    const text = `Every day of execution had passed by ${osloDate(now)}, when the payment was signed. Initiate a new one.`;
    throw new Refusal({ code: 'EXECUTION_DATE_INVALID', path: 'endDate', text });
  }
  const template = await executionOf(tx, payment, now);
  const executions = occurrences.map(({ index: sequence, nominalDate, executionDate }) => ({
    ...template,
    sequence,
    nominal_date: nominalDate,
    execution_date: executionDate,
    status: 'ACSP' as const,
  }));
  await insertExecutions(tx, executions);
  await saveNextIndexes(tx, [{ paymentId: payment.id, nextIndex }]);
  return changeStatus(bank, tx, payment, 'ACSP', change, { authorised_at: now });
}

/** What every execution of a payment shares. The amount is the debtor account's currency's (rules.md P11). */
async function executionOf(
  tx: Transaction,
  payment: PaymentToRegister,
  authorisedAt: Instant,
): Promise<Omit<NewExecution, 'sequence' | 'nominal_date' | 'execution_date' | 'status'>> {
  const body = JSON.parse(payment.body ?? (await initiationOf(tx, payment.id))) as CreditTransferInitiation;
  const { amount, currency } = body.instructedAmount;
  const parsed = parseInstructedAmount(amount, currency);
  assert(typeof parsed !== 'string', `${amount} was checked at initiation`);
  const foreign = isForeign(payment.product) ? await foreignTransferOf(tx, payment.id) : undefined;
  return {
    payment_id: payment.id,
    authorised_at: authorisedAt,
    debtor_account_id: payment.debtor_account_id,
    creditor_number: creditorNumber(body),
    amount_minor: foreign?.debit_minor ?? parsed.minor,
    attempts: 0,
    is_foreign: flag(foreign !== undefined),
  };
}
