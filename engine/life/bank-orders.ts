import { type BankContext, type Writing, writingIn } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import { cancelPayments } from '../payments/change-status.ts';
import { type BankOrder, orderAtBank } from '../payments/initiate-payment.ts';
import { type Payment, unfinishedPayments } from '../payments/rows/payments.ts';
import { products } from '../values/product.ts';
import type { Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { assert } from '../values/assert.ts';
import type { Living } from './lives.ts';
import { beginningOfOrder, initiationOfOrder, accountMember } from './rules/event-on.ts';
import type { Life, Salaries, StandingOrderEvent } from './rules/persona.ts';

/** The account holder's own channel, as the payments of lives name it in the place of a TPP. */
export const ownChannel = { id: 'own-channel', name: "the bank's own channel" } as const;

const cause = "ordered in the bank's own channel";

/** The account of a life and its holder, by their keys. */
interface OrderingAccount {
  readonly accountId: number;
  readonly customerId: number;
}

export interface OrderingLife {
  readonly life: Life;
  readonly debtor: OrderingAccount;
}

/** Who orders the payments of a life. */
export function payerOf({ row, course }: Living): OrderingLife {
  const { account_id: accountId, customer_id: customerId } = row;
  assert(customerId !== null, 'an account with a life has a holder');
  return { life: course.life, debtor: { accountId, customerId } };
}

/** Registers a standing order that pays nothing up to and including `paidThrough`. */
export async function beginOrder(
  writing: Writing,
  { life, debtor }: OrderingLife,
  event: StandingOrderEvent,
  paidThrough: LocalDate,
): Promise<void> {
  const { startDate, day } = beginningOfOrder(event, life, paidThrough, writing.bank.schedule.calendar);
  await order(writing, debtor, {
    service: 'periodic-payments',
    body: {
      ...initiationOfOrder(event, life),
      startDate,
      frequency: 'Monthly',
      executionRule: event.when.rule === 'preceeding' ? 'preceeding' : 'following',
      dayOfExecution: String(day),
    },
  });
}

/** Registers the bulk payment of a day's salaries. */
export async function paySalaries(
  writing: Writing,
  { life, debtor }: OrderingLife,
  { payees, text }: Salaries,
  date: LocalDate,
): Promise<void> {
  const payments = payees.map(({ name, account = '', amount }) => ({
    instructedAmount: { amount, currency: 'NOK' as const },
    creditorAccount: { ...accountMember(account), currency: 'NOK' as const },
    creditorName: name,
    remittanceInformationUnstructured: text,
  }));
  const debtorAccount = { ...accountMember(life.account), currency: 'NOK' as const };
  await order(writing, debtor, {
    service: 'bulk-payments',
    body: { debtorAccount, requestedExecutionDate: date, payments },
  });
}

function order(writing: Writing, debtor: OrderingAccount, initiation: BankOrder['initiation']): Promise<Payment> {
  const ordered = { ...debtor, channel: ownChannel, product: products.domestic, initiation };
  return orderAtBank(writing, ordered, cause);
}

/** The open payments that a life ordered from its account. */
async function openOrders(tx: Writer, accountId: number): Promise<Payment[]> {
  return (await unfinishedPayments(tx, { accountId })).filter(({ tpp_id: channel }) => channel === ownChannel.id);
}

/** Cancels the standing orders of a life that ends, and its salaries that are not paid. */
export async function cancelOrders(bank: BankContext, tx: Writer, accountId: number, at: Instant): Promise<void> {
  const cause = 'the life of the account ended';
  await cancelPayments(writingIn(bank, tx, at), await openOrders(tx, accountId), { cause });
}
