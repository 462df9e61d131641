import { type BankContext, writeBank, type Writing } from '../bank/bank-context.ts';
import { type Execution, executionsOf } from '../settlement/rows/executions.ts';
import { lastExecutionDate } from '../time/rules/occurrences.ts';
import { firstRunAfter } from '../time/rules/settlement-run.ts';
import { bankingDaysAfter, nextOrSame } from '../time/rules/banking-calendar.ts';
import { Refusal } from '../values/fault.ts';
import type { LocalDate } from '../values/local-date.ts';
import { isForeign } from '../values/product.ts';
import type { ReturnReason } from '../values/return-reasons.ts';
import { assert } from '../values/assert.ts';
import { settlementOf } from '../accounts/rows/entries.ts';
import { executionOf, maxNamedParts, type PaymentPart, wrongMember } from './payment-part.ts';
import { findAnyPayment } from './read-payment.ts';
import { insertReturnOf } from './book-returns.ts';
import type { Payment } from './rows/payments.ts';
import { returnsOf, settledExecutions } from './rows/returns.ts';

/** What comes back and when. */
export interface WantedReturn extends PaymentPart {
  readonly reason: ReturnReason;
  /** After the booking date. If this and `on` are null, it is 1, abroad 3. */
  readonly bankingDays: number | null;
  readonly on: LocalDate | null;
}

/**
 * Has what settled to an account outside this bank come back (rules.md S12). NOT_FOUND: unknown payment. BAD_REQUEST:
 * an unknown part, a date before the booking or after the bank clock, or both ways to say when. STATUS_INVALID: it has
 * not settled, has come back, or stayed inside this bank.
 */
export async function returnPayment(bank: BankContext, paymentId: string, wanted: WantedReturn): Promise<void> {
  await writeBank(bank, async (writing) => {
    const { tx } = writing;
    const payment = await findAnyPayment(writing, paymentId);
    const execution = settledPart(payment, await executionsOf(tx, { paymentId: payment.id }), wanted);
    const { bookedOn, isInside } = await settledIn(writing, execution);
    if (isInside) throw wrongStatus('The money stayed inside this bank: it is returned by another payment.');
    const earlier = await returnsOf(tx, { paymentId: payment.id });
    if (earlier.some(({ execution_id: id }) => id === execution.id))
      throw wrongStatus('It is returned already, or about to be.');
    const [settled] = await settledExecutions(tx, [execution.id]);
    assert(settled !== undefined, 'an execution has a payment');
    await insertReturnOf(writing, settled, {
      reason: wanted.reason,
      due: dayOfReturn(writing, payment, bookedOn, wanted),
    });
  });
}

function wrongStatus(text: string): Refusal {
  return new Refusal({ code: 'STATUS_INVALID', text });
}

/** The execution that comes back. */
function settledPart(payment: Payment, executions: readonly Execution[], { item, occurrence }: PaymentPart): Execution {
  const found = executionOf(payment, executions, { item, occurrence });
  const settled = executions.filter(({ status }) => status === 'ACSC').slice(0, maxNamedParts);
  const items = settled.map(({ sequence }) => `payments[${sequence}]`);
  const dates = settled.map(({ nominal_date: date }) => date);
  if (payment.service === 'bulk-payments' && item === null)
    throw wrongMember('item', 'Name the item of the bulk payment that comes back.', items);
  if (payment.service === 'periodic-payments' && occurrence === null)
    throw wrongMember('occurrence', 'Name the occurrence that comes back by its nominal date.', dates);
  if (found === undefined && item !== null) throw wrongMember('item', `The payment has no payments[${item}].`, items);
  if (found === undefined && occurrence !== null)
    throw wrongMember('occurrence', `The payment has no occurrence of ${occurrence}.`, dates);
  if (found?.status === 'ACSC') return found;
  throw wrongStatus(`It is ${found?.status ?? payment.status}: only what has settled, ACSC, can come back.`);
}

/** When an execution was booked, or will be, and whether its creditor is an account of this bank. */
async function settledIn({ tx }: Writing, { id }: Execution) {
  const settlement = await settlementOf(tx, id);
  assert(settlement !== undefined, 'what has settled has entries');
  return settlement;
}

function dayOfReturn(
  { bank, now }: Writing,
  { product }: Payment,
  bookedOn: LocalDate,
  { bankingDays, on }: WantedReturn,
): LocalDate {
  if (bankingDays !== null && on !== null)
    throw wrongMember('on', 'Send bankingDays or on, not both.', ['bankingDays', 'on']);
  const possible = { from: bookedOn, to: lastExecutionDate };
  if (on !== null && (on < bookedOn || on > lastExecutionDate))
    throw wrongMember(
      'on',
      `It is booked on ${bookedOn}, and the bank clock ends on ${lastExecutionDate}: it cannot come back on ${on}.`,
      possible,
    );
  const wanted =
    on === null
      ? bankingDaysAfter(bookedOn, bankingDays ?? (isForeign(product) ? 3 : 1), bank.schedule.calendar)
      : nextOrSame(on, bank.schedule.calendar);
  if (wanted > lastExecutionDate)
    throw wrongMember('bankingDays', `The bank clock ends on ${lastExecutionDate}, before ${wanted}.`, possible);
  const next = firstRunAfter(now, bank.schedule.booking).date;
  return wanted < next ? next : wanted;
}
