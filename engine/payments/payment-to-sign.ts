import { assert } from '../values/assert.ts';
import type { Currency } from '../values/currency.ts';
import { formattedAmount, type FormattedAmount } from '../accounts/rules/currency-exchange.ts';
import { executionDateWhenSigned } from '../time/rules/execution-date.ts';
import { osloDate, type Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Schedule } from '../time/rules/occurrences.ts';
import type { SinglePaymentInitiation } from './rules/payment-initiation.ts';
import type {
  AccountReference,
  BulkPaymentItem,
  CreditTransferInitiation,
  StructuredRemittance,
} from '../values/credit-transfer.ts';
import { isInstant } from '../values/product.ts';
import { accountByKey, type Account } from '../accounts/rows/accounts.ts';
import { bulkItemsOf, bulkSum } from './rows/credit-transfers.ts';
import type { Reader } from '../ledger/database.ts';
import { foreignTransferOf } from './rows/foreign-transfers.ts';
import { standingOrderOf, type Payment } from './rows/payments.ts';
import type { SignablePayment } from './rows/signable-payments.ts';
import { signaturesOf } from './rows/signatures.ts';
import type { ForeignTransferRow } from './rows/tables.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { lateRunOf, type LateExecution, type ReadAt } from './late-run-of.ts';
import { scheduleOfOrder } from './schedule-of-order.ts';
import { upcomingDates, type UpcomingDates } from './upcoming-dates.ts';

const mostPayees = 10;

/** The execution date of a single or bulk payment. */
export interface SingleTiming {
  readonly executionDate: LocalDate;
  /** The requested date, if it is another; `closure` is why the bank is closed on it, null when it has passed. */
  readonly movedFrom: { readonly date: LocalDate; readonly closure: string | null } | null;
}

/** A periodic payment's schedule and its next dates. */
export interface PeriodicTiming {
  readonly schedule: Schedule;
  readonly dates: UpcomingDates;
}

export interface Payee {
  readonly name: string;
  readonly account: AccountReference;
  readonly amount: { readonly amount: string; readonly currency: Currency };
  readonly message: string | null;
  readonly references: readonly StructuredRemittance[];
}

/** What a PSU must see before signing; the members are as the TPP sent them (rules.md A2). */
export interface PaymentToSign {
  /** A decimal string. */
  readonly amount: { readonly amount: string; readonly currency: Currency };
  readonly debtor: Pick<Account, 'name' | 'bban' | 'iban'>;
  /** The creditors: one, or the first ten of a bulk payment. */
  readonly payees: { readonly count: number; readonly first: readonly Payee[] };
  readonly timing: SingleTiming | PeriodicTiming;
  /** No run of the day on which it is due is left: the run that carries it out (rules.md P3b); null otherwise. */
  readonly late: LateExecution | null;
  /** What a foreign payment debits; null for a domestic one (rules.md P11). */
  readonly foreign: { readonly debit: FormattedAmount; readonly fee: FormattedAmount } | null;
  /** How many signatures the account requires, and the names of the PSUs who have signed (interface: Multiple signatures). */
  readonly signatures: { readonly required: number; readonly given: readonly string[] };
}

/** The facts of a payment as they apply if the PSU signs it, or its cancellation, at this time. */
export async function paymentToSign(
  bank: BankContext,
  reader: Reader,
  payment: SignablePayment,
  time: ReadAt,
): Promise<PaymentToSign> {
  const { now } = time;
  const body = JSON.parse(payment.body) as CreditTransferInitiation;
  const debtor = await accountByKey(reader, payment.debtor_account_id);
  const { name, bban, iban, signatures_required: required } = debtor;
  const given = (await signaturesOf(reader, payment.id)).map((signature) => signature.name);
  return {
    ...(payment.service === 'bulk-payments'
      ? await bulkToSign(reader, payment.id)
      : { amount: body.instructedAmount, payees: { count: 1, first: [payeeOf(body)] } }),
    debtor: { name, bban, iban },
    timing:
      payment.service === 'periodic-payments'
        ? await periodicTiming(bank, reader, payment, now)
        : singleTiming(bank, payment, body, osloDate(now)),
    late: await lateRunOf(bank, reader, payment, time),
    foreign: formatCost(await foreignTransferOf(reader, payment.id), debtor.currency),
    signatures: { required, given },
  };
}

function formatCost(terms: ForeignTransferRow | undefined, debtorCurrency: Currency): PaymentToSign['foreign'] {
  if (terms === undefined) return null;
  const format = (minor: bigint): FormattedAmount => formattedAmount({ minor, currency: debtorCurrency });
  return { debit: format(terms.debit_minor), fee: format(terms.fee_minor) };
}

function payeeOf(body: BulkPaymentItem): Payee {
  return {
    name: body.creditorName,
    account: body.creditorAccount,
    amount: body.instructedAmount,
    message: body.remittanceInformationUnstructured ?? null,
    references: body.remittanceInformationStructuredArray ?? [],
  };
}

/** The sum and the first payees of a bulk payment; its currency is NOK (rules.md P5b). */
async function bulkToSign(reader: Reader, paymentId: number): Promise<Pick<PaymentToSign, 'amount' | 'payees'>> {
  const { count, total } = await bulkSum(reader, paymentId);
  const items = await bulkItemsOf(reader, paymentId, mostPayees);
  return {
    amount: formattedAmount({ minor: total, currency: 'NOK' }),
    payees: { count, first: items.map((item) => payeeOf(JSON.parse(item) as BulkPaymentItem)) },
  };
}

async function periodicTiming(
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  now: Instant,
): Promise<PeriodicTiming> {
  const order = await standingOrderOf(reader, payment.id);
  return { schedule: scheduleOfOrder(order), dates: await upcomingDates(bank, reader, { payment, order }, now) };
}

/** An unsigned payment has the date that a signature today gives it (rules.md P3, P13), a signed one its own. */
function singleTiming(
  bank: BankContext,
  payment: Payment,
  body: SinglePaymentInitiation,
  today: LocalDate,
): SingleTiming {
  if (isInstant(payment.product) && payment.authorised_at === null) return { executionDate: today, movedFrom: null };
  const agreed = payment.execution_date;
  assert(agreed !== null, 'a single payment has an execution date');
  const { calendar } = bank.runs;
  const executionDate = payment.authorised_at === null ? executionDateWhenSigned(agreed, today, calendar) : agreed;
  const asked = body.requestedExecutionDate ?? osloDate(payment.initiated_at);
  if (asked === executionDate) return { executionDate, movedFrom: null };
  const closure = agreed === executionDate ? calendar.closure(asked) : null;
  return { executionDate, movedFrom: { date: asked, closure } };
}
