import { assert } from '../core/assert.ts';
import { refuseAny } from '../core/bounded-faults.ts';
import { Refusal } from '../core/fault.ts';
import { sharedMembers, transfersOf, type Initiation } from '../core/initiation.ts';
import { osloDate } from '../core/instant.ts';
import type { LocalDate } from '../core/local-date.ts';
import type { Amount } from '../core/money.ts';
import {
  accountNumber,
  scheduleOf,
  type AccountReference,
  type PeriodicPaymentInitiation,
} from '../core/payment-initiation.ts';
import { isInstant } from '../core/product.ts';
import { judgePeriodicDates, judgeRequestedDate, type DateVerdict } from '../core/requested-dates.ts';
import type { Warning } from '../core/warning.ts';
import { accountByNumber, type Account } from '../ledger/accounts.ts';
import type { Transaction } from '../ledger/database.ts';
import { insertForeignTransfer } from '../ledger/foreign-transfers.ts';
import { insertInitiation } from '../ledger/payment-initiations.ts';
import { insertPayment, insertStandingOrder, type Payment } from '../ledger/payments.ts';
import { insertStatusChanges } from '../ledger/status-changes.ts';
import type { PsuContext } from '../ledger/tables.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { beginSca, type ReturnAddress, type TppIdentity } from './shared/begin-sca.ts';
import { judgeTransfers } from './shared/judge-transfers.ts';
import { datedTransfers, judgeLogicalDuplicates, judgeSum, recordTransfers } from './shared/dated-transfers.ts';
import { exemptionOf, type Exemption } from './shared/exemption-of.ts';
import { identifyPsu, type PsuReference } from './shared/identify-psu.ts';
import { pricePayment } from './shared/price-payment.ts';
import { registerPayment } from './shared/register-payment.ts';

export type { Initiation };

export interface InitiatePayment {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly psuContext: PsuContext | null;
  readonly returnTo: ReturnAddress;
  readonly product: string;
  readonly initiation: Initiation;
  /** Takes a payment like one that is there already, which else is a CONFLICT (rules.md P7). */
  readonly allowLogicalDuplicate?: boolean;
}

export interface InitiatedPayment {
  readonly payment: Payment;
  readonly warnings: readonly Warning[];
  /** Debited with the payment; zero for a domestic one (rules.md P11). */
  readonly fee: Amount;
  /** Single SCA, where one is needed: the PSU can sign at once (rules.md A6). */
  readonly scaId: string | null;
}

/**
 * Records a payment as RCVD, or on its way when no SCA is needed (rules.md S1, A5). Refuses, changing nothing: an
 * unknown PSU or debtor account, what its product does not carry (P5b, P11), dates that cannot be
 * (P3, R7), a missing or wrong KID (P6), a logical duplicate (P7).
 */
export function initiatePayment(bank: BankContext, command: InitiatePayment): Promise<InitiatedPayment> {
  return bank.ledger.write((tx) => initiateIn(bank, tx, command));
}

/** {@link initiatePayment} inside the caller's transaction. */
export async function initiateIn(
  bank: BankContext,
  tx: Transaction,
  command: InitiatePayment,
): Promise<InitiatedPayment> {
  const now = await bankNow(bank, tx);
  const { customer, agreement } = await identifyPsu(tx, command.tpp.id, command.psu);
  assert(customer !== null, 'an initiation names its PSU');
  const { initiation, product } = command;
  const debtor = await debtorAccount(tx, initiation.body.debtorAccount);
  const verdict = judgeDates(bank, command, osloDate(now));
  refuseAny([...(await judgeTransfers(tx, product, transfersOf(initiation), debtor.currency)), ...verdict.faults]);
  const transfers = datedTransfers(initiation, debtor.id, verdict.executionDate);
  refuseAny(transfers === null ? [] : judgeSum(transfers));
  if (transfers !== null && command.allowLogicalDuplicate !== true) {
    refuseAny(await judgeLogicalDuplicates(tx, command.tpp.id, transfers));
  }
  const terms =
    initiation.service === 'payments' ? await pricePayment(bank, tx, product, initiation.body, debtor) : null;
  const bodies = transfersOf(initiation).map(({ body }) => body);
  const exemption = await exemptionOf(tx, customer, debtor, bodies, agreement);
  const payment = await record(bank, tx, command, {
    customer_id: customer.id,
    debtor_account_id: debtor.id,
    execution_date: verdict.executionDate,
    initiated_at: now,
    agreement_id: exemption?.agreementId ?? agreement?.id ?? null,
  });
  if (transfers !== null) await recordTransfers(tx, payment, transfers);
  if (terms !== null) await insertForeignTransfer(tx, payment.id, terms);
  const isSingleSca = command.psu.psuIdentity !== undefined && exemption === null;
  return {
    payment: await begin(bank, tx, payment, exemption),
    warnings: verdict.warnings,
    fee: terms?.fee ?? noFee,
    scaId: isSingleSca ? await signNow(bank, tx, command, payment) : null,
  };
}

/** A Norwegian domestic transfer is free (rules.md P11). */
const noFee: Amount = { minor: 0n, currency: 'NOK' };

/** RCVD, waiting for the PSU; exempt from SCA it goes on as if it was signed (rules.md S1, A5). */
async function begin(
  bank: BankContext,
  tx: Transaction,
  payment: Payment,
  exemption: Exemption | null,
): Promise<Payment> {
  const at = payment.initiated_at;
  if (exemption !== null) return registerPayment(bank, tx, payment, { at, cause: 'exempt', isFirst: true });
  const change = { paymentId: payment.id, status: payment.status, cause: 'initiation' };
  await insertStatusChanges(tx, [change], at, bank.wall.now());
  return payment;
}

async function debtorAccount(tx: Transaction, reference: AccountReference): Promise<Account> {
  const number = accountNumber(reference);
  const account = await accountByNumber(tx, number);
  if (account === undefined) {
    const text =
      `This bank has no account ${number}. ` +
      'GET /sandbox/info lists the PSUs to try, GET /v1/sandbox/accounts the accounts.';
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'payload', path: 'debtorAccount', text });
  }
  if (account.payments_allowed === 0) {
    const text = `The bank has removed the payment permission of account ${number}. Pay from another account.`;
    throw new Refusal({ code: 'SERVICE_BLOCKED', path: 'debtorAccount', text });
  }
  return account;
}

/** An instant payment has no other day than today, closed or not (rules.md P10). */
function judgeDates(bank: BankContext, { product, initiation }: InitiatePayment, today: LocalDate): DateVerdict {
  const { calendar } = bank.runs;
  if (isInstant(product)) return { faults: [], warnings: [], executionDate: today };
  return initiation.service === 'periodic-payments'
    ? judgePeriodicDates(initiation.body, today, calendar)
    : judgeRequestedDate(initiation.body.requestedExecutionDate ?? null, today, calendar);
}

async function record(
  bank: BankContext,
  tx: Transaction,
  command: InitiatePayment,
  facts: Pick<Payment, 'customer_id' | 'debtor_account_id' | 'execution_date' | 'initiated_at' | 'agreement_id'>,
): Promise<Payment> {
  const { tpp, product, returnTo, initiation } = command;
  const payment = await insertPayment(tx, {
    ...facts,
    resource_id: bank.ids.resourceId(),
    service: initiation.service,
    product,
    tpp_id: tpp.id,
    tpp_name: tpp.name,
    status: 'RCVD',
    tpp_redirect_uri: returnTo.redirectUri,
    tpp_session_id: returnTo.sessionId,
    authorised_at: null,
    settled_at: null,
    cancellation_requested_at: null,
  });
  await insertInitiation(tx, payment.id, JSON.stringify(sharedMembers(initiation)));
  if (initiation.service === 'periodic-payments') await recordSchedule(tx, payment, initiation.body);
  return payment;
}

async function recordSchedule(tx: Transaction, payment: Payment, body: PeriodicPaymentInitiation): Promise<void> {
  const schedule = scheduleOf(body);
  await insertStandingOrder(tx, {
    payment_id: payment.id,
    start_date: schedule.startDate,
    end_date: schedule.endDate,
    frequency: schedule.frequency,
    execution_rule: schedule.executionRule,
    day_of_execution: schedule.dayOfExecution,
    months_of_execution: schedule.monthsOfExecution?.join(',') ?? null,
    next_index: 0,
  });
}

function signNow(bank: BankContext, tx: Transaction, command: InitiatePayment, payment: Payment): Promise<string> {
  return beginSca(bank, tx, {
    purpose: 'payment',
    payment,
    tpp: command.tpp,
    returnTo: command.returnTo,
    customerId: payment.customer_id,
    context: command.psuContext,
    agreementId: payment.agreement_id,
  });
}
