import { type BankContext, writeBank, type Writing } from '../bank/bank-context.ts';
import { type Execution, executionsOf } from '../settlement/rows/executions.ts';
import { firstRunAfter } from '../time/rules/settlement-run.ts';
import { bankingDaysAfter, nextOrSame } from '../time/rules/banking-calendar.ts';
import { type Allowed, Refusal } from '../values/fault.ts';
import type { LocalDate } from '../values/local-date.ts';
import { isForeign } from '../values/product.ts';
import type { ReturnReason } from '../values/return-reasons.ts';
import { assert } from '../values/assert.ts';
import { settlementOf } from '../accounts/rows/entries.ts';
import { findAnyPayment } from './read-payment.ts';
import { announceReturn } from './returns.ts';
import type { Payment } from './rows/payments.ts';
import { returnsOf, settledExecutions } from './rows/returns.ts';

/** What comes back and when: an item of a bulk payment by its index, an occurrence by its nominal date, or else the payment. */
export interface WantedReturn {
  readonly reason: ReturnReason;
  readonly item: number | null;
  readonly occurrence: LocalDate | null;
  /** After the booking date. If this and `on` are null, it is 1, abroad 3. */
  readonly bankingDays: number | null;
  readonly on: LocalDate | null;
}

/**
 * Has what settled to an account outside this bank come back (rules.md S12). NOT_FOUND: unknown payment. BAD_REQUEST: an unknown part, a date
 * before the booking, or both ways to say when. STATUS_INVALID: it has not settled, has come back, or stayed inside this bank.
 */
export async function returnPayment(bank: BankContext, paymentId: string, wanted: WantedReturn): Promise<void> {
  await writeBank(bank, async (writing) => {
    const { tx } = writing;
    const payment = await findAnyPayment(writing, paymentId);
    const execution = partOf(payment, await executionsOf(tx, payment.id), wanted);
    const { bookedOn, isInside } = await settledIn(writing, execution);
    if (isInside) throw refused('The money stayed inside this bank: it is returned by another payment.');
    const earlier = await returnsOf(tx, payment.id);
    if (earlier.some(({ execution_id: id }) => id === execution.id))
      throw refused('It is returned already, or about to be.');
    const [settled] = await settledExecutions(tx, [execution.id]);
    assert(settled !== undefined, 'an execution has a payment');
    await announceReturn(writing, settled, { reason: wanted.reason, due: dueOf(writing, payment, bookedOn, wanted) });
  });
}

function refused(text: string): Refusal {
  return new Refusal({ code: 'STATUS_INVALID', text });
}

function wrong(path: string, text: string, allowed: Allowed): Refusal {
  return new Refusal({ code: 'BAD_REQUEST', path, text, allowed });
}

function partOf({ service }: Payment, executions: readonly Execution[], { item, occurrence }: WantedReturn): Execution {
  const settled = executions.filter(({ status }) => status === 'ACSC');
  const isBulk = service === 'bulk-payments';
  const items = settled.map(({ sequence }) => `payments[${sequence}]`).slice(0, 12);
  const dates = settled.map(({ nominal_date: date }) => date).slice(0, 12);
  if (isBulk && item === null) throw wrong('item', 'Name the item of the bulk payment that comes back.', items);
  if (!isBulk && item !== null) throw wrong('item', `The payment is one of ${service}: it has no items.`, []);
  if (service !== 'periodic-payments' && occurrence !== null)
    throw wrong('occurrence', `The payment is one of ${service}: it has no occurrences.`, []);
  if (service === 'periodic-payments' && occurrence === null)
    throw wrong('occurrence', 'Name the occurrence that comes back by its nominal date.', dates);
  const found = executions.find(({ sequence, nominal_date: date }) =>
    isBulk ? sequence === item : occurrence === null || date === occurrence,
  );
  if (found === undefined && isBulk) throw wrong('item', `The payment has no payments[${item}].`, items);
  if (found === undefined && occurrence !== null)
    throw wrong('occurrence', `The payment has no occurrence of ${occurrence}.`, dates);
  if (found?.status === 'ACSC') return found;
  throw refused(`It is ${found?.status ?? 'not signed'}: only what has settled, ACSC, can come back.`);
}

/** When an execution was booked, or will be, and whether its creditor is an account of this bank. */
async function settledIn({ tx }: Writing, { id }: Execution) {
  const settlement = await settlementOf(tx, id);
  assert(settlement !== undefined, 'what has settled has entries');
  return settlement;
}

function dueOf(
  { bank, now }: Writing,
  { product }: Payment,
  bookedOn: LocalDate,
  { bankingDays, on }: WantedReturn,
): LocalDate {
  if (bankingDays !== null && on !== null)
    throw wrong('on', 'Send bankingDays or on, not both.', ['bankingDays', 'on']);
  if (on !== null && on < bookedOn)
    throw wrong('on', `It is booked on ${bookedOn}: it cannot come back on ${on}.`, { from: bookedOn });
  const wanted =
    on === null
      ? bankingDaysAfter(bookedOn, bankingDays ?? (isForeign(product) ? 3 : 1), bank.runs.calendar)
      : nextOrSame(on, bank.runs.calendar);
  const next = firstRunAfter(now, bank.runs).date;
  return wanted < next ? next : wanted;
}
