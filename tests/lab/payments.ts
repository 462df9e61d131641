import type { Bank } from '../../engine/open-bank.ts';
import { Refusal, type FaultCode } from '../../engine/values/fault.ts';
import { localDate, type LocalDate } from '../../engine/values/local-date.ts';
import type { PeriodicPaymentInitiation, Initiation } from '../../engine/payments/rules/payment-initiation.ts';
import type { CreditTransferInitiation } from '../../engine/values/credit-transfer.ts';
import type { Currency } from '../../engine/values/money.ts';
import { type Product, products } from '../../engine/values/product.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import type { Payment } from '../../engine/payments/rows/payments.ts';
import type { PsuContext } from '../../engine/parties/rows/customers.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import { initiatePayment, type InitiatedPayment } from '../../engine/payments/initiate-payment.ts';
import { postDirectly } from '../../engine/accounts/post.ts';
import { startAuthorisationIn } from '../../engine/approval/start-sca.ts';
import { inSweden } from './products.ts';
import { deletePayment } from '../../engine/payments/read-payment.ts';
import { writeBank } from '../../engine/bank/bank-context.ts';

export const tpp = { id: 'PSDNO-FSA-987654321', name: 'Test TPP' };
export const product = 'norwegian-domestic-credit-transfers';

/** People of the known state by a short name, with one NOK account each; `shop` has its account in another bank. */
export const people = {
  nora: { psu: '13039319955', bban: '09232911044' },
  /** Another account of Nora: what she pays to it is exempt once she is known to the TPP (rules.md A5). */
  savings: { psu: '13039319955', bban: '70323119469' },
  even: { psu: '12085592767', bban: '74712699947' },
  anne: { psu: '01819050062', bban: '34300000012' },
  kari: { psu: '02818550068', bban: '34400000036' },
  per: { psu: '15817550018', bban: '34500000017' },
  /** Two who sign for a corporation whose account asks for two signatures. */
  sigrid: { psu: '17818050100', bban: '34330000017', context: 'CORPORATE' },
  tor: { psu: '20818850094', bban: '34330000017', context: 'CORPORATE' },
  /** Two accounts of a company, and who signs for it. */
  company: { psu: '18129215603', bban: '34110000016', context: 'CORPORATE' },
  bills: { psu: '18129215603', bban: '34110000024', context: 'CORPORATE' },
  /** An account of Even's that no known state has: see tests/support/rejected-at-once.ts. */
  backed: { psu: '12085592767', bban: '90412329715' },
  shop: { psu: 'none', bban: '90491105991' },
  /* Numbers with a meaning (rules.md D1c). */
  closedElsewhere: { psu: 'none', bban: '99110000002' },
  refusingElsewhere: { psu: 'none', bban: '99120000000' },
  blockedElsewhere: { psu: 'none', bban: '99130000009' },
  silentElsewhere: { psu: 'none', bban: '99140000007' },
} as const;

export type Person = keyof typeof people;

export interface Transfer {
  readonly from: Person;
  readonly to: Person;
  /** `100.00`, in NOK or the currency of a foreign one. */
  readonly amount: string;
  /** Whether it carries a KID. */
  readonly hasReference?: boolean;
  /** It goes to Sweden, by SEPA to Germany. Left out: it is domestic. */
  readonly foreign?: { readonly product: 'sepa' | 'cross-border'; readonly currency: Currency };
}

/** The members that make a payment periodic. */
export type Plan = Pick<
  PeriodicPaymentInitiation,
  'startDate' | 'endDate' | 'frequency' | 'executionRule' | 'dayOfExecution' | 'monthsOfExecution'
>;

/** An SCA that only makes the PSU known to the TPP: what it pays to itself is exempt from then on (rules.md A5). */
export async function meet(bank: Bank, psu: string): Promise<void> {
  const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: null };
  const scaId = await offerSca(bank, 'identification', { tpp, psu: {}, context: null, returnTo });
  await finishSca(bank, scaId, { outcome: 'approve', psu, context: 'PRIVATE', accounts: null });
}

const dated = (on?: LocalDate) => (on === undefined ? {} : { requestedExecutionDate: on });

/** Initiates a single payment, `on` a requested date or without one. */
export function pay(bank: Bank, transfer: Transfer, on?: LocalDate): Promise<InitiatedPayment> {
  const { foreign } = transfer;
  const isToSweden = foreign?.product === 'cross-border';
  const body = { ...transferBody(transfer), ...dated(on), ...(isToSweden && inSweden) };
  const offered = foreign && (isToSweden ? products.crossBorder : products.sepa);
  return initiate(bank, transfer, { service: 'payments', body }, offered);
}

/** Initiates an instant payment, whose day is always today (rules.md P10). */
export function payInstantly(bank: Bank, transfer: Transfer): Promise<InitiatedPayment> {
  return initiate(bank, transfer, { service: 'payments', body: transferBody(transfer) }, products.straks);
}

/** Initiates a bulk payment, `on` a requested date or without one. All transfers are from one person. */
export function payBulk(
  bank: Bank,
  transfers: readonly [Transfer, ...Transfer[]],
  on?: LocalDate,
): Promise<InitiatedPayment> {
  const bodies = transfers.map(transferBody);
  const payments = bodies.map(({ instructedAmount, creditorAccount, creditorName }) => {
    return { instructedAmount, creditorAccount, creditorName };
  });
  const debtorAccount = transferBody(transfers[0]).debtorAccount;
  return initiate(bank, transfers[0], { service: 'bulk-payments', body: { debtorAccount, payments, ...dated(on) } });
}

/** Initiates a periodic payment. */
export function order(bank: Bank, transfer: Transfer, plan: Plan): Promise<InitiatedPayment> {
  return initiate(bank, transfer, { service: 'periodic-payments', body: { ...transferBody(transfer), ...plan } });
}

/** Initiates what a person wants, a domestic payment if no other product is named. */
export function initiate(
  bank: Bank,
  { from }: Pick<Transfer, 'from'>,
  initiation: Initiation,
  offered: Product = product,
  more: { readonly allowLogicalDuplicate?: boolean } = {},
): Promise<InitiatedPayment> {
  return initiatePayment(bank, {
    tpp,
    psu: { psuIdentity: people[from].psu },
    psuContext: signerOf(from).context,
    returnTo: { redirectUri: 'https://tpp.example/back', sessionId: 'session-1' },
    product: offered,
    initiation,
    ...more,
  });
}

/** What is sent to pay it. */
export function transferBody({ from, to, amount, hasReference = false, foreign }: Transfer): CreditTransferInitiation {
  const currency = foreign?.currency ?? 'NOK';
  const number = foreign === undefined ? { bban: people[to].bban } : { iban: 'DE89370400440532013000' };
  return {
    instructedAmount: { amount, currency },
    debtorAccount: { bban: people[from].bban, currency: 'NOK' },
    creditorAccount: { ...number, currency },
    creditorName: to,
    ...(hasReference && { remittanceInformationStructuredArray: [{ reference: '2345676', referenceType: 'SCOR' }] }),
  };
}

/** Starts an authorisation and returns its SCA id. */
export function beginSigning(bank: Bank, paymentId: string, purpose: 'payment' | 'cancellation'): Promise<string> {
  const path = { paymentId };
  return writeBank(bank, (writing) =>
    startAuthorisationIn(writing, { purpose, tpp, psu: {}, path, redirectUri: null, sessionId: null }),
  );
}

/** The PSU approves; null, or the code of the failure redirect. */
export async function approve(bank: Bank, scaId: string, person: Person): Promise<FaultCode | null> {
  const { answer } = await finishSca(bank, scaId, { outcome: 'approve', ...signerOf(person), accounts: null });
  return 'fault' in answer ? answer.fault.code : null;
}

/** Who a person is on the SCA page, and on whose behalf. */
function signerOf(person: Person): { readonly psu: string; readonly context: PsuContext } {
  const found: { readonly psu: string; readonly context?: PsuContext } = people[person];
  return { psu: found.psu, context: found.context ?? 'PRIVATE' };
}

/** Authorisation from beginning to end; null, or the code of the failure redirect. */
export async function sign(bank: Bank, paymentId: string, person: Person): Promise<FaultCode | null> {
  return approve(bank, await beginSigning(bank, paymentId, 'payment'), person);
}

/** What was initiated, once the person has signed it. Throws an Error if the person cannot. */
export async function signed(
  bank: Bank,
  person: Person,
  initiated: Promise<InitiatedPayment>,
): Promise<InitiatedPayment> {
  const made = await initiated;
  const code = await sign(bank, made.payment.resource_id, person);
  if (code !== null) throw new Error(`${person} could not sign: ${code}`);
  return made;
}

/** As {@link pay}, and who pays signs. */
export function paySigned(bank: Bank, transfer: Transfer, on?: LocalDate): Promise<InitiatedPayment> {
  return signed(bank, transfer.from, pay(bank, transfer, on));
}

/** As {@link order}, and who pays signs. */
export function orderSigned(bank: Bank, transfer: Transfer, plan: Plan): Promise<InitiatedPayment> {
  return signed(bank, transfer.from, order(bank, transfer, plan));
}

/** Money from outside, in minor units of NOK, booked at once. */
export function deposit(bank: Bank, person: Person, amount: bigint): Promise<number> {
  return bank.ledger.write(async (tx) => {
    const account = await accountByNumber(tx, people[person].bban);
    if (account === undefined) throw new Error(`${person} has no account in the sandbox`);
    const day = localDate('2020-01-01');
    const dates = { bookingDate: day, valueDate: day };
    return postDirectly(bank.ids, tx, account, { kind: 'transaction', details: '{}', amount, ...dates });
  });
}

/** The DELETE of the interface. */
export async function remove(bank: Bank, paymentId: string): Promise<Payment> {
  return (await deletePayment(bank, { tpp, psu: {}, path: { paymentId } })).payment;
}

/** What the work gives, or the code of the refusal that it throws. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | FaultCode> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) return error.faults[0].code;
    throw error;
  }
}
