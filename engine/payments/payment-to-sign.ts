import { type LateExecution, lateExecution } from './rules/notes.ts';
import { assert } from '../values/assert.ts';
import type { Amount, Currency } from '../values/money.ts';
import { type Instant, osloDate, timeOfDay } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Schedule } from '../time/rules/occurrences.ts';
import type { MovedDate } from '../time/rules/banking-calendar.ts';
import { checkedAmount } from './rules/payment-initiation.ts';
import type {
  AccountReference,
  BulkPaymentItem,
  CreditTransferInitiation,
  StructuredRemittance,
} from '../values/credit-transfer.ts';
import { accountByKey, type Account } from '../accounts/rows/accounts.ts';
import { bulkItemsOf, bulkSum, foreignTransferOf } from './rows/credit-transfers.ts';
import type { Reader, Row } from '../ledger/database.ts';
import type { Payment } from './rows/payments.ts';
import { executionsOf } from '../settlement/rows/executions.ts';
import { isOpenStatus } from '../settlement/rules/decide-attempts.ts';
import { type SignablePayment, signaturesOf } from './rows/signable-payments.ts';
import type { PresentReading } from '../bank/bank-context.ts';
import { planToShow } from './plan-payments.ts';
import type { Plan } from './rules/plan.ts';
import { firstOf } from '../values/lists.ts';

/** The execution date of a single or bulk payment, and why it is not the day wanted. */
export interface SingleTiming {
  readonly executionDate: LocalDate;
  readonly moved: MovedDate | null;
}

/** A periodic payment's schedule and its next dates. */
export interface PeriodicTiming {
  readonly schedule: Schedule;
  readonly dates: UpcomingDates;
}

/** Maximum number of dates that are listed. */
const maxDates = 5;

export interface UpcomingDates {
  /** Those that no run has settled, in order of time, five at most. */
  readonly first: readonly { readonly nominalDate: LocalDate; readonly executionDate: LocalDate }[];
  /** Whether more dates follow. */
  readonly goOn: boolean;
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
  /**
   * The total debit of the debtor account, in its currency; null for a periodic payment, which debits it repeatedly.
   */
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
  /**
   * The debtor account's currency for one unit of the instructed one, a decimal string; null where they are the same.
   */
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

/**
 * The facts of a payment as they apply if the PSU signs it, or its cancellation, at this time, with a page of its
 * payees.
 */
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
  const plan = await planToShow(reading, payment);
  const given = await signaturesOf(reader, { paymentId: payment.id });
  const foreign = terms === undefined ? null : costOf(terms, currency, plan.fixing);
  return {
    ...ordered,
    debtor: { name, bban, iban },
    timing:
      typeof plan.wanted === 'string' ? singleTiming(plan) : await periodicTiming(reader, payment, plan.wanted, plan),
    late: lateExecution(plan),
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
 * The sum of a bulk payment, whose currency is NOK (rules.md P5b), and a page of its payees: the last page if
 * `wantedPage` is beyond it.
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

function singleTiming({ executions: [execution] }: Plan): SingleTiming {
  assert(execution !== undefined, 'a single payment has an execution date');
  return { executionDate: execution.executionDate, moved: execution.moved };
}

async function periodicTiming(
  reader: Reader,
  { id }: Payment,
  schedule: Schedule,
  plan: Plan,
): Promise<PeriodicTiming> {
  const open = (await executionsOf(reader, { paymentId: id })).filter(({ status }) => isOpenStatus(status));
  const dates = open.map((each) => ({ nominalDate: each.nominal_date, executionDate: each.execution_date }));
  // One more than is listed tells whether more follow.
  const all = [...dates, ...firstOf(plan.ahead(), maxDates + 1)];
  return { schedule, dates: { first: all.slice(0, maxDates), goOn: all.length > maxDates } };
}
