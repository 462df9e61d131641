import { type LateExecution, requestedDay } from './rules/payment-dates.ts';
import { assert } from '../values/assert.ts';
import type { Amount, Currency } from '../values/money.ts';
import { type Instant, osloDate, timeOfDay } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Schedule } from '../time/rules/occurrences.ts';
import { nextOrSame } from '../time/rules/banking-calendar.ts';
import { checkedAmount, type SinglePaymentInitiation } from './rules/payment-initiation.ts';
import type {
  AccountReference,
  BulkPaymentItem,
  CreditTransferInitiation,
  StructuredRemittance,
} from '../values/credit-transfer.ts';
import { isInstant } from '../values/product.ts';
import { accountByKey, type Account } from '../accounts/rows/accounts.ts';
import { bulkItemsOf, bulkSum, foreignTransferOf } from './rows/credit-transfers.ts';
import type { Reader, Row } from '../ledger/database.ts';
import type { Payment } from './rows/payments.ts';
import { type SignablePayment, signaturesOf } from './rows/signable-payments.ts';
import type { PresentReading, Reading } from '../bank/bank-context.ts';
import { untriedExecution } from './payment-messages.ts';
import { settlingAtOnce, shownDay } from './received-at.ts';
import { upcomingDates, type UpcomingDates } from './standing-orders.ts';

/** The execution date of a single or bulk payment. */
export interface SingleTiming {
  readonly executionDate: LocalDate;
  /** The requested date if it differs; `closure` says why the bank is closed on it, null if it is not, or the date has passed. */
  readonly movedFrom: { readonly date: LocalDate; readonly closure: string | null; readonly hasPassed: boolean } | null;
}

/** A periodic payment's schedule and its next dates. */
export interface PeriodicTiming {
  readonly schedule: Schedule;
  readonly dates: UpcomingDates;
}

export interface Payee {
  readonly name: string;
  readonly account: AccountReference;
  readonly amount: Amount;
  readonly message: string | null;
  readonly references: readonly StructuredRemittance[];
}

/** What a PSU must see before signing; the members are as the TPP sent them (rules.md A2). */
export interface PaymentToSign {
  readonly amount: Amount;
  readonly debtor: Pick<Account, 'name' | 'bban' | 'iban'>;
  readonly payees: PayeesToShow;
  readonly timing: SingleTiming | PeriodicTiming;
  /** The run that carries it out if no run of its day is left (rules.md P3b); else null. */
  readonly late: LateExecution | null;
  /** What a foreign payment costs; null for a domestic one (rules.md P11). */
  readonly foreign: PaymentCost | null;
  /** The total debit of the debtor account, in its currency; null for a periodic payment, which debits it repeatedly. */
  readonly debit: Amount | null;
  /** How many signatures the account requires, and those given, in their order (interface: Multiple signatures). */
  readonly signatures: { readonly required: number; readonly given: readonly GivenSignature[] };
}

/** The creditors: one, or a page of those of a bulk payment, in its order. */
export interface PayeesToShow {
  readonly count: number;
  readonly shown: readonly Payee[];
  /** Number of the page that is shown, from 1. */
  readonly page: number;
  readonly pages: number;
}

/** Payees on a page. A bulk payment may have some forty thousand. */
export const payeesOnPage = 500;

/** What a foreign payment costs, in the debtor account's currency. */
export interface PaymentCost {
  /** The debtor account's currency for one unit of the instructed one, a decimal string; null where they are the same. */
  readonly rate: string | null;
  /** When the rate will be fixed, if that has a time (rules.md T4f). */
  readonly fixing: { readonly date: LocalDate; readonly time: string } | null;
  readonly debit: Amount;
  readonly fee: Amount;
  /** Debit and fee together. */
  readonly total: Amount;
}

interface GivenSignature {
  readonly name: string;
  /** Bank time. */
  readonly at: Instant;
}

/** The facts of a payment as they apply if the PSU signs it, or its cancellation, at this time, with a page of its payees. */
export async function paymentToSign(
  reading: PresentReading,
  payment: SignablePayment,
  payeesPage: number,
): Promise<PaymentToSign> {
  const { reader } = reading;
  const body = JSON.parse(payment.body) as CreditTransferInitiation;
  const debtor = await accountByKey(reader, payment.debtor_account_id);
  const { name, bban, iban, currency, signatures_required: required } = debtor;
  const terms = await foreignTransferOf(reader, { paymentId: payment.id });
  const ordered =
    payment.service === 'bulk-payments'
      ? await bulkToSign(reader, payment.id, payeesPage)
      : { amount: checkedAmount(body), payees: { count: 1, shown: [payeeOf(body)], page: 1, pages: 1 } };
  const untried = await untriedExecution(reading, payment);
  const given = await signaturesOf(reader, payment.id);
  const foreign = terms === undefined ? null : costOf(terms, currency, untried?.fixing ?? null);
  return {
    ...ordered,
    debtor: { name, bban, iban },
    timing:
      payment.service === 'periodic-payments'
        ? await upcomingDates(reading, payment)
        : await singleTiming(reading, payment, body),
    late: untried?.late ?? null,
    foreign,
    debit: payment.service === 'periodic-payments' ? null : (foreign?.total ?? ordered.amount),
    signatures: { required, given: given.map(({ name, signed_at: at }) => ({ name, at })) },
  };
}

function costOf(terms: Row<'foreign_transfer'>, currency: Currency, fixing: Instant | null): PaymentCost {
  const { debit_minor: debit, fee_minor: fee, debit_rate: rate } = terms;
  const amount = (minor: bigint): Amount => ({ minor, currency });
  const fixed = fixing === null ? null : { date: osloDate(fixing), time: timeOfDay(fixing) };
  return { rate, fixing: fixed, debit: amount(debit), fee: amount(fee), total: amount(debit + fee) };
}

function payeeOf(body: BulkPaymentItem): Payee {
  return {
    name: body.creditorName,
    account: body.creditorAccount,
    amount: checkedAmount(body),
    message: body.remittanceInformationUnstructured ?? null,
    references: body.remittanceInformationStructuredArray ?? [],
  };
}

/**
 * The sum of a bulk payment, whose currency is NOK (rules.md P5b), and a page of its payees: the last page if `wantedPage` is beyond
 * it.
 */
async function bulkToSign(
  reader: Reader,
  paymentId: number,
  wantedPage: number,
): Promise<Pick<PaymentToSign, 'amount' | 'payees'>> {
  const { count, total } = await bulkSum(reader, paymentId);
  const pages = Math.ceil(count / payeesOnPage);
  const page = Math.min(wantedPage, pages);
  const items = await bulkItemsOf(reader, paymentId, { from: (page - 1) * payeesOnPage, limit: payeesOnPage });
  const shown = items.map((item) => payeeOf(JSON.parse(item) as BulkPaymentItem));
  return { amount: { minor: total, currency: 'NOK' }, payees: { count, shown, page, pages } };
}

/** An unsigned payment has the date that a signature today gives it (rules.md P3, P13), a signed one its own. */
async function singleTiming(reading: Reading, payment: Payment, body: SinglePaymentInitiation): Promise<SingleTiming> {
  const { calendar } = reading.bank.runs;
  const isAtOnce = (await settlingAtOnce(reading, [payment])).has(payment.id);
  const executionDate = await shownDay(reading, payment, isAtOnce);
  assert(executionDate !== null, 'a single payment has an execution date');
  if ((isAtOnce || isInstant(payment.product)) && payment.authorised_at === null)
    return { executionDate, movedFrom: null };
  const asked = requestedDay(body.requestedExecutionDate, payment.initiated_at);
  if (asked === executionDate) return { executionDate, movedFrom: null };
  const closure = nextOrSame(asked, calendar) === executionDate ? calendar.closure(asked) : null;
  const hasPassed = asked < osloDate(payment.authorised_at ?? reading.now);
  return { executionDate, movedFrom: { date: asked, closure, hasPassed } };
}
