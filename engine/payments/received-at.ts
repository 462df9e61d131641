import type { Row } from '../ledger/database.ts';
import type { Reading, Writing } from '../bank/bank-context.ts';
import { isBankingDay } from '../time/rules/banking-calendar.ts';
import { fixingFrom } from '../time/rules/cut-offs.ts';
import { Refusal } from '../values/fault.ts';
import { type Instant, osloDate, startOfDay } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { isForeign, isInstant } from '../values/product.ts';
import { awaitsSignature } from '../values/transaction-status.ts';
import { runsOfPayment } from '../settlement/runs-of-payment.ts';
import { runThatTakes, valueDateOf, whenReceived } from '../time/rules/settlement-run.ts';
import { shownDate } from './rules/payment-dates.ts';
import { accountByKey } from '../accounts/rows/accounts.ts';
import { foreignRow, foreignTransferOf, updateForeignTransfer, internalTransfers } from './rows/credit-transfers.ts';
import type { Payment } from './rows/payments.ts';
import { priceForeignTransfer, pricesAt } from './rules/foreign-transfer.ts';
import { atOnceBy, type AtOnceQuirk } from './rules/payment-status.ts';

/** When a payment that is authorised at an instant counts as received. */
interface ReceivedTime {
  readonly receivedAt: Instant;
  /** The cut-off that it missed on that day, `14:00`. */
  readonly cutOff: string | null;
  /** When its rate is fixed, which is when it is received. Null if it has no rate, or keeps it. */
  readonly fixing: Instant | null;
}

/**
 * When a payment that is authorised at this moment counts as received (rules.md T4d, T4f): at this moment, or after the cut-off of its day
 * at the beginning of the next banking day; one that is exchanged at the next fixing of its execution date or later.
 */
export async function receivedTime(
  reading: Reading,
  { id, product }: Pick<Payment, 'id' | 'product'>,
  executionDate: LocalDate | null,
): Promise<ReceivedTime> {
  const { bank, reader, now: at } = reading;
  const { cutOffRules, calendar } = bank.runs;
  const runs = await runsOfPayment(reading, id);
  const receivedAt = whenReceived(at, runs);
  const isMissed = receivedAt !== at && isBankingDay(osloDate(at), calendar);
  const cutOff = isMissed ? runs.cutOffOn(osloDate(at)) : null;
  const hasFixing = isForeign(product) && cutOffRules.fxFixings.length > 0;
  const terms = hasFixing ? await foreignTransferOf(reader, { paymentId: id }) : undefined;
  if (terms === undefined || !isExchanged(terms)) return { receivedAt, cutOff, fixing: null };
  const from = executionDate === null ? receivedAt : Math.max(receivedAt, startOfDay(executionDate));
  const fixing = fixingFrom(from as Instant, cutOffRules.fxFixings, calendar);
  return { receivedAt: fixing, cutOff, fixing };
}

/**
 * Fixes the terms of a payment that is authorised at this moment for its execution date: a foreign payment gets its value date, and one that
 * is exchanged the rates of its fixing. Returns when it counts as received, see {@link receivedTime}; the caller stores that. PAYMENT_FAILED
 * where the rates make an amount that the bank cannot pay (rules.md P11).
 */
export async function fixTerms(
  writing: Writing,
  payment: Pick<Payment, 'id' | 'product' | 'debtor_account_id'>,
  executionDate: LocalDate,
): Promise<Instant> {
  const { bank, tx } = writing;
  const { receivedAt, fixing } = await receivedTime(writing, payment, executionDate);
  if (!isForeign(payment.product)) return receivedAt;
  const terms = await foreignTransferOf(tx, { paymentId: payment.id });
  if (terms === undefined) return receivedAt;
  const later = valueDateOf(executionDate, await runsOfPayment(writing, payment.id));
  const valueDate = later === executionDate ? null : later;
  if (fixing === null) {
    await updateForeignTransfer(tx, payment.id, { value_date: valueDate });
    return receivedAt;
  }
  const { currency: debtorCurrency } = await accountByKey(tx, payment.debtor_account_id);
  const instructed = { minor: terms.instructed_minor, currency: terms.instructed_currency };
  const order = { product: payment.product, instructed, debtorCurrency, creditorCurrency: terms.credit_currency };
  const fixed = priceForeignTransfer(order, pricesAt(fixing, bank.prices));
  if ('code' in fixed) throw new Refusal(fixed);
  await updateForeignTransfer(tx, payment.id, { ...foreignRow(fixed), value_date: valueDate });
  return receivedAt;
}

/** Whether an exchange rate is part of its debit or credit. */
function isExchanged({ debit_rate: debit, credit_rate: credit }: Row<'foreign_transfer'>): boolean {
  return debit !== null || credit !== null;
}

/**
 * The execution date of a payment that is authorised at this moment for a date: that date; under `value-date` the day of the run that carries
 * it out (rules.md S6b).
 */
export async function dayWhenSigned(
  reading: Reading,
  payment: Pick<Payment, 'id' | 'product'>,
  executionDate: LocalDate,
): Promise<LocalDate> {
  if (!reading.bank.quirks.has('value-date')) return executionDate;
  const { receivedAt } = await receivedTime(reading, payment, executionDate);
  const runs = await runsOfPayment(reading, payment.id);
  return runThatTakes({ executionDate, receivedAt, lastRunAt: reading.now }, runs).date;
}

/** {@link shownDate}; of a payment that nobody has signed that of {@link dayWhenSigned}. */
export async function shownDay(
  reading: Reading,
  payment: Pick<Payment, 'id' | 'product' | 'status' | 'execution_date'>,
  isAtOnce: boolean,
): Promise<LocalDate | null> {
  const executionDate = shownDate(payment, { now: reading.now, isAtOnce }, reading.bank.runs.calendar);
  const isRun = awaitsSignature(payment.status) && !isAtOnce && !isInstant(payment.product);
  if (executionDate === null || !isRun) return executionDate;
  return dayWhenSigned(reading, payment, executionDate);
}

/**
 * Those of these payments that settle at once if they are authorised now and funds suffice, with the quirk that has it so, by key
 * (rules.md P10b). Reads nothing without such a quirk.
 */
export async function settlingAtOnce(
  { bank: { quirks }, reader, now }: Reading,
  payments: readonly Pick<Payment, 'id'>[],
): Promise<ReadonlyMap<number, AtOnceQuirk>> {
  const found = new Map<number, AtOnceQuirk>();
  if (!quirks.has('own-accounts-at-once') && !quirks.has('same-bank-at-once')) return found;
  const transfers = await internalTransfers(
    reader,
    payments.map(({ id }) => id),
  );
  for (const { paymentId, ...transfer } of transfers) {
    const by = atOnceBy(transfer, osloDate(now), quirks);
    if (by !== null) found.set(paymentId, by);
  }
  return found;
}
