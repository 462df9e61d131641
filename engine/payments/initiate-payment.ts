import { assert } from '../values/assert.ts';
import { type Fault, maxFaults, Refusal, refuseAny } from '../values/fault.ts';
import { priceForeignTransfer, type ForeignTransfer, pricesNow } from './rules/foreign-transfer.ts';
import { osloDate } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { duplicatesWithin, logicalDuplicate, checkSum, checkTransfers } from './rules/transfer-rules.ts';
import type { Amount } from '../values/money.ts';
import {
  scheduleOf,
  sharedMembers,
  transfersOf,
  type Initiation,
  type InitiatedTransfer,
  type PeriodicPaymentInitiation,
  accountNumber,
} from './rules/payment-initiation.ts';
import { statusAt } from './rules/payment-status.ts';
import { planToShow, planToRegister } from './plan-payments.ts';
import { dayOfOrder, type Order, orderOf, type OwnCreditors, type Plan, planOf } from './rules/plan.ts';
import type { PriceList } from '../values/price-list.ts';
import { type ForeignProduct, isForeign, isInstant, type Product } from '../values/product.ts';
import { checkPeriodicDates, checkRequestedDate, type DateVerdict } from './rules/check-dates.ts';
import {
  insertBulkPayment,
  duplicateTransfers,
  insertCreditTransfers,
  type DuplicateTransfer,
  type TransferOrigin,
  insertForeignTransfer,
} from './rows/credit-transfers.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { renewResourceIds } from '../ledger/queries.ts';
import type { Ids } from '../bank/ids.ts';
import { insertInitiation, insertPayment, insertStandingOrder, type Payment } from './rows/payments.ts';
import { noteStatus } from './change-status.ts';
import { type Customer, type PsuContext, payableByAgreement } from '../parties/rows/customers.ts';
import { type BankContext, writeBank, type PresentWriting, type Writing, type Reading } from '../bank/bank-context.ts';
import { beginSca, type ReturnAddress, type TppIdentity } from '../sca/sca.ts';
import { identifyPsu, type PsuReference, type IdentifiedPsu } from '../parties/identify-psu.ts';
import type { ShownPayment } from './read-payment.ts';
import { awaitsSignature } from '../values/transaction-status.ts';
import { notesOf } from './gather-notes.ts';
import { registerPayment } from './register-payment.ts';
import type { CustomerType } from '../values/customer-type.ts';
import type { AccountReference } from '../values/credit-transfer.ts';
import { accountsByNumber, customerTypesOf, type Account } from '../accounts/rows/accounts.ts';

interface InitiatePayment {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly psuContext: PsuContext | null;
  readonly returnTo: ReturnAddress;
  readonly product: Product;
  readonly initiation: Initiation;
  /** Accepts a logical duplicate, which is a CONFLICT otherwise (rules.md P7). */
  readonly allowLogicalDuplicate?: boolean;
}

export interface InitiatedPayment extends ShownPayment {
  /** In the debtor account's currency; zero for a domestic payment (rules.md P11). */
  readonly fee: Amount;
  /** The SCA of a single-SCA initiation, which needs no start of an authorisation; null otherwise (rules.md A6). */
  readonly scaId: string | null;
}

/**
 * Initiates a payment: RCVD, or registered at once when it is exempt from SCA (rules.md S1, A5). Refuses, changing
 * nothing: an unknown PSU or debtor account, what its product does not carry (P5b, P11), invalid dates (P3, R7), a
 * missing or wrong KID (P6), a logical duplicate (P7).
 */
export function initiatePayment(bank: BankContext, command: InitiatePayment): Promise<InitiatedPayment> {
  return writeBank(bank, (writing) => initiateIn(writing, command));
}

/** {@link initiatePayment} inside the caller's transaction. */
export async function initiateIn(writing: PresentWriting, command: InitiatePayment): Promise<InitiatedPayment> {
  const { bank, tx, now } = writing;
  const identified = await identifyPsu(tx, command.tpp.id, command.psu);
  const { customer, agreement } = identified;
  assert(customer !== null, 'an initiation names its PSU');
  const { initiation, product } = command;
  const transfers = transfersOf(initiation);
  const parties = await partiesOf(tx, initiation.body.debtorAccount, transfers);
  const { debtor, creditors } = parties;
  const today = osloDate(now);
  const payer = { type: await holderType(tx, debtor, customer), currency: debtor.currency };
  const order = orderOf({ ...initiation, product }, payer, ownCreditors(parties), today, transfers);
  const verdict = checkDates(bank, initiation, order, today);
  refuseAny([
    ...checkTransfers({ service: initiation.service, product }, transfers, debtor.currency, creditors),
    ...verdict.faults,
  ]);
  refuseAny(checkSum(transfers));
  const origin = { debtorAccountId: debtor.id, executionDate: verdict.executionDate };
  if (command.allowLogicalDuplicate !== true) {
    refuseAny(await checkLogicalDuplicates(writing, command.tpp.id, origin, transfers));
  }
  const terms = isForeign(product) ? priceInitiated(pricesNow(bank, now), product, parties, transfers) : null;
  const exemption = await exemptionOf(tx, { ...identified, context: command.psuContext }, parties, transfers);
  const payment = await record(writing, command, transfers, {
    customer_id: customer.id,
    debtor_account_id: debtor.id,
    execution_date: verdict.executionDate,
    agreement_id: exemption?.agreementId ?? agreement?.id ?? null,
  });
  if (terms !== null) await insertForeignTransfer(tx, payment.id, terms);
  const isSingleSca = command.psu.psuIdentity !== undefined && exemption === null;
  const plan = await planOfNew(writing, payment, order, exemption !== null);
  const begun = await begin(writing, payment, exemption === null ? null : plan);
  return {
    payment: begun,
    notes: { ...(await notesOf(writing, begun, plan)), ignored: verdict.warnings },
    // A new payment is in no basket yet: it is signed by itself.
    next: awaitsSignature(begun.status) ? 'payment' : null,
    fee: terms?.fee ?? noFee,
    scaId: isSingleSca ? await beginScaOf(writing, command, payment) : null,
  };
}

/** A payment of the bank's own channel: the holder's agreement with the bank is its signature. */
export interface BankOrder {
  readonly accountId: number;
  readonly customerId: number;
  /** Stands for the TPP. */
  readonly channel: TppIdentity;
  readonly product: Product;
  /** Checked by the caller. */
  readonly initiation: Exclude<Initiation, { readonly service: 'payments' }>;
}

/**
 * Initiates and registers a bulk or periodic payment that the bank's own channel orders, without a TPP, a PSU or an
 * SCA. A bulk payment executes on its requested date, a banking day that has not passed.
 */
export async function orderAtBank(
  writing: Writing,
  { accountId, customerId, channel, product, initiation }: BankOrder,
  cause: string,
): Promise<Payment> {
  const order = { tpp: channel, product, returnTo: { redirectUri: '', sessionId: null }, initiation };
  const payment = await record(writing, order, transfersOf(initiation), {
    customer_id: customerId,
    debtor_account_id: accountId,
    execution_date: requestedDate(initiation),
    agreement_id: null,
  });
  return registerPayment(writing, payment, await planToRegister(writing, payment.id), { cause, isFirst: true });
}

/** Gives the payments of another bank's seeded ledger, which lives ordered, ids of this bank. */
export async function adoptPayments(ids: Ids, tx: Writer): Promise<void> {
  await renewResourceIds(tx, 'payment', ids.resourceId);
}

/** The requested date of a single or bulk payment, or null. */
function requestedDate({ service, body }: Initiation): LocalDate | null {
  return service === 'periodic-payments' ? null : (body.requestedExecutionDate ?? null);
}

/** Domestic transfers are free, and answers say so (rules.md P11). */
const noFee: Amount = { minor: 0n, currency: 'NOK' };

/**
 * Records the status RCVD; a payment that is exempt from SCA, which has a plan here, is registered like a signed one
 * (rules.md S1, A5).
 */
async function begin(writing: Writing, payment: Payment, exempt: Plan | null): Promise<Payment> {
  if (exempt !== null) return registerPayment(writing, payment, exempt, { cause: 'exempt', isFirst: true });
  await noteStatus(writing, payment, { cause: 'initiation' });
  return payment;
}

/** Checks the dates, and gives a single or bulk payment its day (rules.md P3); a standing order has none. */
function checkDates(
  bank: BankContext,
  initiation: Initiation,
  order: Order,
  today: LocalDate,
): DateVerdict & { readonly executionDate: LocalDate | null } {
  if (initiation.service === 'periodic-payments')
    return { ...checkPeriodicDates(initiation.body, today, bank.schedule.calendar), executionDate: null };
  const wanted = requestedDate(initiation) ?? today;
  const verdict = checkRequestedDate(wanted, today);
  if (verdict.faults.length > 0) return { ...verdict, executionDate: null };
  return { ...verdict, executionDate: dayOfOrder(order, wanted, today, bank) };
}

/** The type of the customer who owns an account. Most PSUs pay from their own. */
async function holderType(reader: Reader, { id, customer_id: holder }: Account, psu: Customer): Promise<CustomerType> {
  const type = holder === psu.id ? psu.type : (await customerTypesOf(reader, [id])).get(id);
  assert(type !== undefined, `account ${id} has a holder`);
  return type;
}

function ownCreditors({ debtor, creditors }: Parties): OwnCreditors {
  const accounts = [...creditors].map(([number, { currency, customer_id: owner }]) => {
    return [number, { currency, isOwn: owner === debtor.customer_id }] as const;
  });
  return new Map(accounts);
}

/** Plans a payment by the order that it was made of; funds are read only where they decide (rules.md P10b). */
async function planOfNew(writing: PresentWriting, { id }: Payment, order: Order, isSigned: boolean): Promise<Plan> {
  const { bank, now, lastRunAt } = writing;
  const plan = planOf(order, bank, { at: now, lastRunAt, isSigned });
  if (!plan.isAtOnce || isInstant(order.product)) return plan;
  return isSigned ? planToRegister(writing, id, lastRunAt) : planToShow(writing, id);
}

/**
 * CONFLICT for each transfer that duplicates another one of the payment, or one on the ledger (rules.md P7). Another
 * TPP's payment is not identified. A periodic payment is never a duplicate: its transfers have no date.
 */
async function checkLogicalDuplicates(
  { reader, now }: Reading,
  tppId: string,
  origin: TransferOrigin,
  transfers: readonly InitiatedTransfer[],
): Promise<Fault[]> {
  const { executionDate: date } = origin;
  if (date === null) return [];
  const transferPath = (index: number): string => transfers[index]?.path ?? '';
  // One more than a refusal lists, so that it says that there are more. The query comes first: other requests get a
  // turn in it, between the parse of a large body and the comparison of its transfers.
  const earlier = await duplicateTransfers(reader, origin, transfers, maxFaults + 1);
  const within = duplicatesWithin(transfers).map(({ index, first }) =>
    logicalDuplicate(transferPath(index), `${transferPath(first)} in the same body`),
  );
  return [
    ...within,
    ...earlier.map((other) =>
      logicalDuplicate(
        transferPath(other.index),
        duplicateInWords({ ...other, status: statusAt({ status: other.status, date }, now) }, tppId),
      ),
    ),
  ];
}

function duplicateInWords({ resource_id: id, tpp_id: owner, status }: DuplicateTransfer, tppId: string): string {
  return owner === tppId ? `payment ${id} (${status})` : 'a payment of another TPP';
}

/** Prices a foreign payment. PAYMENT_FAILED as in {@link priceForeignTransfer} (rules.md P11). */
function priceInitiated(
  prices: PriceList,
  product: ForeignProduct,
  { debtor, creditors }: Parties,
  [transfer]: readonly InitiatedTransfer[],
): ForeignTransfer {
  assert(transfer !== undefined, 'a foreign payment has one transfer');
  const { amount: instructed, creditorNumber } = transfer;
  const creditorCurrency = creditors.get(creditorNumber)?.currency ?? null;
  const terms = priceForeignTransfer(
    { product, instructed, debtorCurrency: debtor.currency, creditorCurrency },
    prices,
  );
  if ('code' in terms) throw new Refusal(terms);
  return terms;
}

async function record(
  { bank, tx, now }: Writing,
  command: Pick<InitiatePayment, 'tpp' | 'product' | 'returnTo' | 'initiation'>,
  transfers: readonly InitiatedTransfer[],
  facts: Pick<Payment, 'customer_id' | 'debtor_account_id' | 'execution_date' | 'agreement_id'>,
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
    initiated_at: now,
    authorised_at: null,
    received_at: null,
    place: null,
    leaves_at: null,
    cancellation_requested_at: null,
    forced_status: null,
    forced_at: null,
  });
  await insertInitiation(tx, { paymentId: payment.id, body: JSON.stringify(sharedMembers(initiation)) });
  if (initiation.service === 'periodic-payments') await recordSchedule(tx, payment, initiation.body);
  if (initiation.service === 'bulk-payments') await insertBulkPayment(tx, payment.id, initiation.body.payments.length);
  await insertCreditTransfers(tx, payment, transfers);
  return payment;
}

async function recordSchedule(tx: Writer, payment: Payment, body: PeriodicPaymentInitiation): Promise<void> {
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

/** Opens the SCA of a payment that the PSU of the request signs alone. */
function beginScaOf(writing: Writing, command: InitiatePayment, payment: Payment): Promise<string> {
  return beginSca(writing, {
    purpose: 'payment',
    payment,
    tpp: command.tpp,
    returnTo: command.returnTo,
    customerId: payment.customer_id,
    context: command.psuContext,
    contextBinds: true,
    agreementId: payment.agreement_id,
  });
}

/** The accounts of an initiation that this bank has. */
interface Parties {
  readonly debtor: Account;
  /** By creditor number; an account in another bank is missing. */
  readonly creditors: ReadonlyMap<string, Account>;
}

/**
 * Reads debtor and creditor accounts in one query. Unknown debtor account: RESOURCE_UNKNOWN; one without payment
 * permission: SERVICE_BLOCKED.
 */
async function partiesOf(
  reader: Reader,
  debtorAccount: AccountReference,
  transfers: readonly InitiatedTransfer[],
): Promise<Parties> {
  const number = accountNumber(debtorAccount);
  const numbers = new Set([number, ...transfers.map(({ creditorNumber }) => creditorNumber)]);
  const accounts = await accountsByNumber(reader, numbers);
  const debtor = accounts.get(number);
  if (debtor === undefined) {
    const text =
      `This bank has no account ${number}. ` +
      'GET /sandbox/info lists the PSUs to try, GET /v1/sandbox/accounts the accounts.';
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'payload', path: 'debtorAccount', text });
  }
  if (debtor.payments_allowed === 0) {
    const text = `The bank has removed the payment permission of account ${number}. Pay from another account.`;
    throw new Refusal({ code: 'SERVICE_BLOCKED', path: 'debtorAccount', text });
  }
  return { debtor, creditors: accounts };
}

/** An exemption of a payment from SCA. */
interface Exemption {
  /** The agreement under which it is exempt. Null between the PSU's own accounts. */
  readonly agreementId: number | null;
}

/** The PSU of an initiation, and the PSU-Context that it named. */
interface Initiator extends IdentifiedPsu {
  readonly context: PsuContext | null;
}

/**
 * The exemption of a payment from SCA, or null (rules.md A5). The TPP knows the PSU by an earlier SCA, the debtor
 * account needs one signature, and every account is open to the PSU in one context: its own accounts in PRIVATE, in
 * CORPORATE those on which it has REGISTER under one agreement. A context or agreement that the request names is the
 * only one that counts.
 */
async function exemptionOf(
  reader: Reader,
  { customer, psu, agreement: named, context }: Initiator,
  { debtor, creditors }: Parties,
  transfers: readonly InitiatedTransfer[],
): Promise<Exemption | null> {
  if (customer === null || psu?.known_by_sca !== 1 || debtor.signatures_required > 1) return null;
  const others: Account[] = [];
  for (const number of new Set(transfers.map(({ creditorNumber }) => creditorNumber))) {
    const creditor = creditors.get(number);
    if (creditor === undefined) return null;
    others.push(creditor);
  }
  const areOwn = [debtor, ...others].every((account) => account.customer_id === customer.id);
  if (areOwn && context !== 'CORPORATE' && named === null) return { agreementId: null };
  if (context === 'PRIVATE') return null;
  const payable = await payableByAgreement(reader, customer.id, debtor.id);
  const agreementId = [...payable.keys()].find(
    (id) => id === (named?.id ?? id) && others.every((account) => payable.get(id)?.has(account.id)),
  );
  return agreementId === undefined ? null : { agreementId };
}
