import { products } from '../../../engine/values/product.ts';
import { accountReference } from '../../bodies/signers.ts';
import { isPromise, membersGiven, textGiven, wrongGiven } from '../given.ts';
import type { PaymentOrder, Transfer } from '../types.ts';
import { personsIn } from './who-signs.ts';

/** Path and body of an initiation. */
interface OrderRequest {
  /** Of the collection of payments, without the query. */
  readonly path: string;
  readonly query: string;
  readonly body: object;
}

/** The initiation of an order. `debtorCurrency`: of the account that it is paid from. */
export function orderRequest(order: PaymentOrder, debtorCurrency: string): OrderRequest {
  const { product = products.domestic, allowDuplicate = false } = order;
  const service =
    order.payments !== undefined ? 'bulk-payments' : order.every !== undefined ? 'periodic-payments' : 'payments';
  return {
    path: `/v1/${service}/${product}`,
    query: allowDuplicate ? '?allowLogicalDuplicate=true' : '',
    body: { ...bodyOf(order), debtorAccount: accountReference(debtorCurrency, order.from), ...order.more },
  };
}

/** The body. JSON leaves out what is undefined. */
function bodyOf(order: PaymentOrder): object {
  const { on } = order;
  if (order.payments !== undefined) {
    const payments = order.payments.map(({ more, ...each }) => ({ ...transferOf(each, 'NOK'), ...more }));
    return { requestedExecutionDate: on, payments };
  }
  if (order.every === undefined) {
    const { currency = order.product === products.sepa ? 'EUR' : 'NOK' } = order;
    return { ...transferOf(order, currency), requestedExecutionDate: on };
  }
  const { every: frequency, until, dayOfExecution, monthsOfExecution } = order;
  return {
    ...transferOf(order, 'NOK'),
    frequency,
    startDate: on,
    endDate: until,
    dayOfExecution: dayOfExecution === undefined ? undefined : String(dayOfExecution),
    monthsOfExecution,
  };
}

function transferOf({ to, amount, kid }: Transfer, currency: string): object {
  return {
    instructedAmount: { amount, currency },
    creditorAccount: accountReference(currency, to),
    creditorName: 'Payee',
    remittanceInformationStructuredArray: kid === undefined ? undefined : [{ reference: kid, referenceType: 'SCOR' }],
  };
}

const transferMembers = ['to', 'amount', 'kid'];
/** Members that need `every`. */
const periodicMembers = ['until', 'dayOfExecution', 'monthsOfExecution'];
const otherMembers = ['product', 'currency', 'payments', 'allowDuplicate', 'signedBy', 'more', 'spoil'];
const orderMembers = ['from', ...transferMembers, 'on', 'every', ...periodicMembers, ...otherMembers];

/** Throws an Error if a member is missing, unknown or does not go with another one, or if an await is missing. */
export function requireOrder(order: unknown): void {
  if (typeof order !== 'object' || order === null) throw wrongGiven('tpp.pay', 'an order {from, to, amount}', order);
  membersGiven('tpp.pay', orderMembers, order);
  const { from, payments, every, signedBy, ...others } = order as Readonly<Record<string, unknown>>;
  textGiven('tpp.pay', 'a BBAN or IBAN in from', from);
  if (payments === undefined) requireTransfer('', others);
  else if (Array.isArray(payments)) {
    for (const [index, item] of payments.entries()) requireItem(`payments[${index}].`, item);
    const why = 'payments: each of them has a creditor, an amount in NOK and perhaps a KID of its own';
    refuse(others, [...transferMembers, 'product', 'currency'], why);
    if (every !== undefined) throw new Error('tpp.pay takes every or payments: a bulk payment is made once.');
  } else throw wrongGiven('tpp.pay', 'a list of {to, amount} in payments', payments);
  if (every === undefined) {
    const odd = periodicMembers.find((name) => others[name] !== undefined);
    if (odd !== undefined) throw new Error(`tpp.pay takes ${odd} with every: it belongs to a standing order.`);
  } else {
    refuse(others, ['product', 'currency', 'allowDuplicate'], 'every: a standing order is a domestic one in NOK');
    refuse(others, ['kid'], 'every: a standing order carries no structured reference');
  }
  const { product } = others;
  if (product === products.sepa || product === products.crossBorder)
    refuse(others, ['kid'], `${product}: only domestic payments carry one`);
  personsIn('tpp.pay', signedBy);
}

function requireItem(where: string, item: unknown): void {
  if (typeof item !== 'object' || item === null || isPromise(item))
    throw wrongGiven('tpp.pay', `{to, amount} as ${where.slice(0, -1)}`, item);
  membersGiven(`tpp.pay, ${where.slice(0, -1)},`, [...transferMembers, 'more'], item);
  requireTransfer(where, item as Readonly<Record<string, unknown>>);
}

function requireTransfer(where: string, { to, amount, kid }: Readonly<Record<string, unknown>>): void {
  textGiven('tpp.pay', `a BBAN or IBAN in ${where}to`, to);
  textGiven('tpp.pay', `an amount such as 250.00 in ${where}amount`, amount);
  if (kid !== undefined) textGiven('tpp.pay', `a KID, a text of digits, in ${where}kid`, kid);
}

/** Throws an Error for a member that does not go with another one. */
function refuse(given: Readonly<Record<string, unknown>>, names: readonly string[], why: string): void {
  const found = names.find((name) => given[name] !== undefined);
  if (found !== undefined) throw new Error(`tpp.pay takes no ${found} with ${why}.`);
}
