import { clip } from '../../engine/values/text.ts';
import type { AccountState, MatcherResult, Money, PaymentStory, SandbankMatchers } from './types.ts';

/** Matchers for `expect.extend`. Each takes the value or a promise of it; a failure tells what happened. */
export const matchers: SandbankMatchers = {
  async toSettleOn(received, date) {
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw wrongUse('toSettleOn', 'a date such as 2027-03-30', date);
    const payment = await paymentIn('toSettleOn', received);
    const dates = settledOn(payment);
    const found = dates.length === 0 ? 'it has not settled' : `it settled on ${dates.join(', ')}`;
    return result(dates.includes(date), (not) => [
      `expected the payment ${not}to settle on ${date}, and ${found}`,
      ...paymentLines(payment),
    ]);
  },

  async toBeRejectedAfter(received, attempts) {
    if (!Number.isInteger(attempts) || attempts < 0) {
      throw wrongUse('toBeRejectedAfter', 'a number of attempts such as 5', attempts);
    }
    const payment = await paymentIn('toBeRejectedAfter', received);
    const made = payment.attempts.length;
    const found = `it is ${payment.status} after ${counted(made)}`;
    return result(payment.status === 'RJCT' && made === attempts, (not) => [
      `expected the payment ${not}to be rejected after ${counted(attempts)}, and ${found}`,
      ...paymentLines(payment),
    ]);
  },

  async toHaveBalance(received, balance) {
    if (!/^[A-Z]{3} -?\d+(\.\d+)?$/.test(balance))
      throw wrongUse('toHaveBalance', 'a text such as NOK 100.00', balance);
    const account = await accountIn(received);
    return result(formatMoney(account.balance) === balance, (not) => [
      `expected the account ${not}to have the balance ${balance}, and it has ${formatMoney(account.balance)}`,
      ...accountLines(account),
    ]);
  },
};

function result(pass: boolean, linesOf: (not: string) => readonly string[]): MatcherResult {
  return { pass, message: () => linesOf(pass ? 'not ' : '').join('\n') };
}

/** The Oslo dates on which the payment, or a part of it, settled. */
function settledOn({ attempts }: PaymentStory): string[] {
  const settled = attempts.filter(({ outcome }) => outcome === 'settle');
  return [...new Set(settled.map(({ at }) => at.slice(0, 10)))];
}

function counted(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}

function accountLines({ bban, iban, name, available, transactions }: AccountState): string[] {
  return [
    `Account ${bban ?? iban ?? ''} ${name}, available ${formatMoney(available)}`,
    transactions.length === 0 ? 'Transactions: none' : 'Transactions, the latest first:',
    ...transactions.map(({ amount, bookingDate, booked, text }) => {
      return `  ${bookingDate ?? ' '.repeat('2027-04-12'.length)}  ${booked ? 'booked ' : 'pending'}  ${formatMoney(amount)}  ${text}`.trimEnd();
    }),
  ];
}

async function paymentIn(matcher: string, received: unknown): Promise<PaymentStory> {
  const value = await received;
  if (has(value, 'attempts') && has(value, 'history')) return value as PaymentStory;
  throw wrongUse(matcher, 'a payment of bank.payments(paymentId)', value);
}

async function accountIn(received: unknown): Promise<AccountState> {
  const value = await received;
  if (has(value, 'balance') && has(value, 'transactions')) return value as AccountState;
  throw wrongUse('toHaveBalance', 'an account of bank.account(number)', value);
}

function has(value: unknown, member: string): boolean {
  return typeof value === 'object' && value !== null && member in value;
}

/** Error for a wrong use, with `not` too. */
function wrongUse(matcher: string, wanted: string, found: unknown): Error {
  const text = (JSON.stringify(found) as string | undefined) ?? String(found);
  return new Error(`${matcher} takes ${wanted}, and got ${clip(text)}.`);
}

/** How many of the latest lines of one kind are printed: a daily payment has hundreds. */
const most = 20;

/** The history of a payment, as lines of a failure message. */
function paymentLines(payment: PaymentStory): string[] {
  const { paymentId, status, history, attempts } = payment;
  return [
    `Payment ${paymentId}: ${status}`,
    'History:',
    ...latest(history).map((change) => `  ${formatTime(change.at)}  ${change.status}  ${change.cause}`),
    attempts.length === 0 ? 'Attempts: none' : countedAttempts(attempts.length),
    ...latest(attempts).map(({ item, at, outcome, available, needed }) => {
      const funds = `available ${formatMoney(available)}, needed ${formatMoney(needed)}`;
      return `  ${formatTime(at)}  ${outcome.padEnd(6)}  ${funds}${item === undefined ? '' : `  ${item}`}`;
    }),
    nextLine(payment),
  ];
}

function latest<T>(all: readonly T[]): readonly T[] {
  return all.slice(-most);
}

function countedAttempts(count: number): string {
  return count > most ? `Attempts, the latest ${most} of ${count}:` : 'Attempts:';
}

const open = ['planned', 'ACSP', 'PDNG', 'ACCP'];

/** When a run next attempts the payment, as far as its occurrences say. */
function nextLine({ status, executionDate, occurrences, initiation }: PaymentStory): string {
  const next = occurrences.find((each) => open.includes(each.status));
  if (next !== undefined) {
    const wanted = requestedDate(initiation) ?? next.nominalDate;
    const moved = wanted === next.executionDate ? '' : `, asked for ${wanted}`;
    const rejected = next.rejection === undefined ? '' : `, to be rejected: ${next.rejection}`;
    if (next.status === 'ACCP') {
      return `Next: tried again in the next run, due since ${next.executionDate}${moved}${rejected}`;
    }
    return `Next: expected to be executed on ${next.executionDate}${moved}${rejected}`;
  }
  if (status !== 'RCVD' && status !== 'PATC') return 'Next: nothing, no run will take it up again';
  return `Next: waits for a signature${executionDate === null ? '' : `, for execution on ${executionDate}`}`;
}

/** The execution date of the request, before it was moved to a banking day (rules.md P3). */
function requestedDate(initiation: unknown): string | null {
  const { requestedExecutionDate: date } = Object(initiation) as { readonly requestedExecutionDate?: unknown };
  return typeof date === 'string' ? date : null;
}

/** `NOK 100.00` */
function formatMoney({ amount, currency }: Money): string {
  return `${currency} ${amount}`;
}

/** `2027-03-30 05:30`, Oslo time. */
function formatTime(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
