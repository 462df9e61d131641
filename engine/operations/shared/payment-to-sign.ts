import { executionDateWhenSigned } from '../../core/execution-date.ts';
import { osloDate, type Instant } from '../../core/instant.ts';
import type { LocalDate } from '../../core/local-date.ts';
import type { Schedule } from '../../core/occurrences.ts';
import type {
  AccountReference,
  CreditTransferInitiation,
  SinglePaymentInitiation,
  StructuredRemittance,
} from '../../core/payment-initiation.ts';
import { assert } from '../../core/assert.ts';
import { accountByKey, type Account } from '../../ledger/accounts.ts';
import type { Reader } from '../../ledger/database.ts';
import { standingOrderOf, type Payment } from '../../ledger/payments.ts';
import type { BankContext } from './bank-context.ts';
import { scheduleOfOrder } from './schedule-of-order.ts';
import { upcomingDates, type UpcomingDates } from './upcoming-dates.ts';

/** A single payment's day. */
export interface SingleTiming {
  readonly executionDate: LocalDate;
  /** The day that was asked for, where it is another; `closure` names why the bank is closed then, null: it had passed. */
  readonly movedFrom: { readonly date: LocalDate; readonly closure: string | null } | null;
}

/** A periodic payment's schedule and the first dates to come. */
export interface PeriodicTiming {
  readonly schedule: Schedule;
  readonly dates: UpcomingDates;
}

/** What a PSU has to see before signing: the interface's members as they were sent (rules.md A2). */
export interface PaymentToSign {
  /** A decimal string. */
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly creditor: { readonly name: string; readonly account: AccountReference };
  readonly debtor: Pick<Account, 'name' | 'bban' | 'iban'>;
  readonly message: string | null;
  readonly references: readonly StructuredRemittance[];
  readonly timing: SingleTiming | PeriodicTiming;
}

/** The facts of a payment as they would be signed, or cancelled, now. */
export async function paymentToSign(
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  now: Instant,
): Promise<PaymentToSign> {
  const body = JSON.parse(payment.initiation) as CreditTransferInitiation;
  const { name, bban, iban } = await accountByKey(reader, payment.debtor_account_id);
  return {
    amount: body.instructedAmount,
    creditor: { name: body.creditorName, account: body.creditorAccount },
    debtor: { name, bban, iban },
    message: body.remittanceInformationUnstructured ?? null,
    references: body.remittanceInformationStructuredArray ?? [],
    timing:
      payment.service === 'periodic-payments'
        ? await periodicTiming(bank, reader, payment, now)
        : singleTiming(bank, payment, body, osloDate(now)),
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

/** As the signature will date it (rules.md P3, P13); a signed payment keeps the day it has. */
function singleTiming(
  bank: BankContext,
  payment: Payment,
  body: SinglePaymentInitiation,
  today: LocalDate,
): SingleTiming {
  const agreed = payment.execution_date;
  assert(agreed !== null, 'a single payment has an execution date');
  const { calendar } = bank.runs;
  const executionDate = payment.authorised_at === null ? executionDateWhenSigned(agreed, today, calendar) : agreed;
  const asked = body.requestedExecutionDate ?? osloDate(payment.initiated_at);
  if (asked === executionDate) return { executionDate, movedFrom: null };
  const closure = agreed === executionDate ? calendar.closure(asked) : null;
  return { executionDate, movedFrom: { date: asked, closure } };
}
