import type { Frequency, PaymentProduct } from './answers.ts';
import type { Spoil } from './tpp.ts';

/** A payment from an account of this bank. One with `every` is periodic, one with `payments` a bulk payment. */
export type PaymentOrder = SinglePaymentOrder | PeriodicPaymentOrder | VariablePaymentOrder | BulkPaymentOrder;

/** The customer number of one person, or those of several, in their order. */
export type SignedBy = string | readonly string[];

/** What every order has. */
export interface CommonOrder {
  /** BBAN or IBAN of the debtor. */
  readonly from: string;
  /**
   * Who signs. Left out: the debtor, or the PSUs who may pay for the corporation. `[]`: nobody, and the payment stays RCVD. If one person
   * signs where two must, it stays PATC.
   */
  readonly signedBy?: SignedBy;
  /** Adds members to the body, or replaces them: `{ creditorName: 'Company 123' }`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Changes the signed headers of the initiation, so that the bank refuses it: `(headers) => (headers.Signature = 'none')`. */
  readonly spoil?: Spoil;
}

/** A creditor and an amount. */
export interface Transfer {
  /** BBAN or IBAN of the creditor. */
  readonly to: string;
  /** `250.00` */
  readonly amount: string;
  /** The KID of the creditor's invoice: 2 to 25 digits, the last may be `-`. Only for a domestic payment that is made once. */
  readonly kid?: string;
}

/** Members that do not go with an order. */
type Without<Names extends string> = { readonly [Name in Names]?: never };
type SingleMember = 'product' | 'currency' | 'allowDuplicate';
type PeriodicMember = 'every' | 'until' | 'dayOfExecution' | 'monthsOfExecution';

/** A payment that is made once. */
export interface SinglePaymentOrder extends CommonOrder, Transfer, Without<PeriodicMember | 'payments'> {
  /** Left out: `norwegian-domestic-credit-transfers`. The instant one is settled when it is signed, and takes no `on`. */
  readonly product?: PaymentProduct;
  /** Currency of the amount, and of the creditor's account. Left out: NOK, of `sepa-credit-transfers` EUR. */
  readonly currency?: string;
  /** The requested execution date, `2027-03-30`. Left out: today. */
  readonly on?: string;
  /** Allows a payment like an earlier one. Left out: the bank refuses it, 400 CONFLICT. */
  readonly allowDuplicate?: boolean;
}

/** A payment that is made again and again: `{ ...order, on: '2027-04-15', every: 'Monthly', until: '2027-12-31' }`. */
export interface PeriodicPaymentOrder
  extends CommonOrder, Omit<Transfer, 'kid'>, Without<SingleMember | 'kid' | 'monthsOfExecution' | 'payments'> {
  /** The start: the day of the first payment, or an earlier day. */
  readonly on: string;
  readonly every: Exclude<Frequency, 'MonthlyVariable'>;
  /** The last possible day of a payment. Left out: no end. */
  readonly until?: string;
  /** The day of the month, 1 to 31. If a month lacks that day: its last day. Left out: the day of `on`. */
  readonly dayOfExecution?: number;
}

/** A payment in some months of each year: `{ ..., on: '2027-03-01', every: 'MonthlyVariable', dayOfExecution: 15, monthsOfExecution: [3, 6, 9] }`. */
export interface VariablePaymentOrder extends Omit<PeriodicPaymentOrder, 'every' | 'monthsOfExecution'> {
  readonly every: 'MonthlyVariable';
  /** 1 is January. December is refused, unless the quirk `december-month` is on. */
  readonly monthsOfExecution: readonly number[];
}

/** Several domestic payments from one account, signed together: `{ from, payments: [{ to, amount }, { to, amount }] }`. */
export interface BulkPaymentOrder
  extends CommonOrder, Without<PeriodicMember | keyof Transfer | 'product' | 'currency'> {
  readonly payments: readonly BulkPaymentItem[];
  /** The requested execution date of all. Left out: today. */
  readonly on?: string;
  /** Allows payments like earlier ones. */
  readonly allowDuplicate?: boolean;
}

export interface BulkPaymentItem extends Transfer {
  /** Adds members to the item, or replaces them. */
  readonly more?: Readonly<Record<string, unknown>>;
}
