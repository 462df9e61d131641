import { assert } from '../core/assert.ts';
import { judgeDomesticTransfer } from '../core/domestic-transfer.ts';
import { Refusal } from '../core/fault.ts';
import { osloDate } from '../core/instant.ts';
import type { LocalDate } from '../core/local-date.ts';
import {
  creditorNumber,
  norwegianNumber,
  scheduleOf,
  type CreditTransferInitiation,
  type PeriodicPaymentInitiation,
  type SinglePaymentInitiation,
} from '../core/payment-initiation.ts';
import { judgePeriodicDates, judgeRequestedDate, type DateVerdict } from '../core/requested-dates.ts';
import type { Warning } from '../core/warning.ts';
import { accountByNumber, type Account } from '../ledger/accounts.ts';
import type { Transaction } from '../ledger/database.ts';
import { insertPayment, insertStandingOrder, type Payment } from '../ledger/payments.ts';
import { insertStatusChanges } from '../ledger/status-changes.ts';
import type { PsuContext } from '../ledger/tables.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { beginSca, type ReturnAddress, type TppIdentity } from './shared/begin-sca.ts';
import { identifyPsu, type PsuReference } from './shared/identify-psu.ts';

/** A validated request body with the service that it was sent to. */
export type Initiation =
  | { readonly service: 'payments'; readonly body: SinglePaymentInitiation }
  | { readonly service: 'periodic-payments'; readonly body: PeriodicPaymentInitiation };

export interface InitiatePayment {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly psuContext: PsuContext | null;
  readonly returnTo: ReturnAddress;
  readonly product: string;
  readonly initiation: Initiation;
}

export interface InitiatedPayment {
  readonly payment: Payment;
  readonly warnings: readonly Warning[];
  /** Single SCA: the PSU can sign at once (rules.md A6). */
  readonly scaId: string | null;
}

/**
 * Records a payment as RCVD; no money moves before a settlement run (rules.md S1). Refuses, changing nothing: an
 * unknown PSU or debtor account, what is no transfer in NOK between NOK accounts (P5b), dates that cannot be
 * (P3, R7).
 */
export function initiatePayment(bank: BankContext, command: InitiatePayment): Promise<InitiatedPayment> {
  return bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    const customer = await identifyPsu(tx, command.tpp.id, command.psu);
    assert(customer !== null, 'an initiation names its PSU');
    const { body } = command.initiation;
    const debtor = await debtorAccount(tx, body);
    const verdict = judgeDates(bank, command.initiation, osloDate(now));
    const creditor = await accountByNumber(tx, creditorNumber(body));
    refuseAny([...judgeDomesticTransfer(body, debtor.currency, creditor?.currency ?? null), ...verdict.faults]);
    const payment = await record(bank, tx, command, {
      customer_id: customer.id,
      debtor_account_id: debtor.id,
      execution_date: verdict.executionDate,
      initiated_at: now,
    });
    const isSingleSca = command.psu.psuIdentity !== undefined;
    return {
      payment,
      warnings: verdict.warnings,
      scaId: isSingleSca ? await signNow(bank, tx, command, payment) : null,
    };
  });
}

async function debtorAccount(tx: Transaction, body: CreditTransferInitiation): Promise<Account> {
  const number = norwegianNumber(body.debtorAccount);
  const account = number === null ? undefined : await accountByNumber(tx, number);
  if (account === undefined) {
    const text =
      `This bank has no account ${number ?? body.debtorAccount.iban}. ` +
      'GET /sandbox/info lists the PSUs to try, GET /v1/sandbox/accounts the accounts.';
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'payload', path: 'debtorAccount', text });
  }
  if (account.payments_allowed === 0) {
    const text = `The bank has removed the payment permission of account ${number}. Pay from another account.`;
    throw new Refusal({ code: 'SERVICE_BLOCKED', path: 'debtorAccount', text });
  }
  return account;
}

function judgeDates(bank: BankContext, initiation: Initiation, today: LocalDate): DateVerdict {
  const { calendar } = bank.runs;
  return initiation.service === 'payments'
    ? judgeRequestedDate(initiation.body.requestedExecutionDate ?? null, today, calendar)
    : judgePeriodicDates(initiation.body, today, calendar);
}

function refuseAny(faults: readonly ConstructorParameters<typeof Refusal>[0][]): void {
  const [first, ...others] = faults;
  if (first !== undefined) throw new Refusal(first, ...others);
}

async function record(
  bank: BankContext,
  tx: Transaction,
  command: InitiatePayment,
  facts: Pick<Payment, 'customer_id' | 'debtor_account_id' | 'execution_date' | 'initiated_at'>,
): Promise<Payment> {
  const { tpp, product, returnTo, initiation } = command;
  const payment = await insertPayment(tx, {
    ...facts,
    resource_id: bank.ids.resourceId(),
    service: initiation.service,
    product,
    tpp_id: tpp.id,
    tpp_name: tpp.name,
    initiation: JSON.stringify(initiation.body),
    status: 'RCVD',
    tpp_redirect_uri: returnTo.redirectUri,
    tpp_session_id: returnTo.sessionId,
    authorised_at: null,
    settled_at: null,
    cancellation_requested_at: null,
  });
  if (initiation.service === 'periodic-payments') await recordSchedule(tx, payment, initiation.body);
  const change = { paymentId: payment.id, status: payment.status, cause: 'initiation' };
  await insertStatusChanges(tx, [change], payment.initiated_at, bank.wall.now());
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
  });
}
