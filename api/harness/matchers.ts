import { storyText } from '../settlement-line/story.ts';
import { wrongGiven } from './given.ts';
import type { AccountState, MatcherResult, PaymentStory, SandbankMatchers, Money } from './types/index.ts';

/**
 * Matchers for `expect.extend`. Each takes a value or a promise of it, and its failure says what happened. Each awaits
 * the promise before it checks its argument: a failure must leave no call of the bank under way.
 */
export const matchers: SandbankMatchers = {
  async toSettleOn(received, date) {
    const value = await received;
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw wrongGiven('toSettleOn', 'a date such as 2027-03-30', date);
    const payment = paymentIn('toSettleOn', value);
    const dates = settledOn(payment);
    const found = dates.length === 0 ? 'it has not settled' : `it settled on ${dates.join(', ')}`;
    return result(dates.includes(date), (not) => [
      `expected the payment ${not}to settle on ${date}, and ${found}`,
      `  ${storyText(payment, not === '' ? date : undefined)}`,
      ...paymentLines(payment),
    ]);
  },

  async toBeRejectedAfter(received, attempts) {
    const value = await received;
    if (!Number.isInteger(attempts) || attempts < 0) {
      throw wrongGiven('toBeRejectedAfter', 'a number of attempts such as 5', attempts);
    }
    const payment = paymentIn('toBeRejectedAfter', value);
    const made = payment.attempts.length;
    const found = `it is ${payment.status} after ${counted(made)}`;
    return result(payment.status === 'RJCT' && made === attempts, (not) => [
      `expected the payment ${not}to be rejected after ${counted(attempts)}, and ${found}`,
      `  ${storyText(payment)}`,
      ...paymentLines(payment),
    ]);
  },

  async toRejectOccurrence(received, nominalDate) {
    const value = await received;
    const payment = paymentIn('toRejectOccurrence', value);
    const found = payment.occurrences.filter((each) => each.nominalDate === nominalDate);
    if (found.length === 0) {
      const dates = payment.occurrences.slice(0, maxLines).map((each) => each.nominalDate);
      throw wrongGiven('toRejectOccurrence', `the nominal date of an occurrence: ${dates.join(', ')}`, nominalDate);
    }
    const statuses = new Set(found.map(({ status }) => status));
    return result(statuses.has('RJCT'), (not) => [
      `expected the occurrence of ${nominalDate} ${not}to be rejected, and it is ${[...statuses].join(', ')}`,
      `  ${storyText(payment)}`,
      ...paymentLines(payment),
    ]);
  },

  async toHaveBalance(received, balance) {
    const value = await received;
    if (!/^[A-Z]{3} -?\d+(\.\d+)?$/.test(balance))
      throw wrongGiven('toHaveBalance', 'a text such as NOK 100.00', balance);
    const account = accountIn(value);
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

function counted(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}

function paymentIn(matcher: string, value: unknown): PaymentStory {
  if (has(value, 'attempts') && has(value, 'history')) return value as PaymentStory;
  throw wrongGiven(matcher, 'a payment of bank.payments(paymentId)', value);
}

function accountIn(value: unknown): AccountState {
  if (has(value, 'balance') && has(value, 'transactions')) return value as AccountState;
  throw wrongGiven('toHaveBalance', 'an account of bank.account(number)', value);
}

function has(value: unknown, member: string): boolean {
  return typeof value === 'object' && value !== null && member in value;
}

/** An account, as lines of a failure message. */
function accountLines({ bban, iban, name, available, transactions }: AccountState): string[] {
  return [
    `Account ${bban ?? iban ?? ''} ${name}, available ${formatMoney(available)}`,
    transactions.length === 0 ? 'Transactions: none' : 'Transactions, the latest first:',
    ...transactions.map(({ amount, bookingDate, booked, text }) => {
      return `  ${bookingDate ?? ' '.repeat('2027-04-12'.length)}  ${booked ? 'booked ' : 'pending'}  ${formatMoney(amount)}  ${text}`.trimEnd();
    }),
  ];
}

/** Maximum number of lines of one kind: a daily payment has hundreds. */
const maxLines = 20;

/** A payment, as lines of a failure message. */
function paymentLines(payment: PaymentStory): string[] {
  const { paymentId, status, why, history, attempts } = payment;
  // A standing order has none: each of its attempts has its own day.
  const { requestedExecutionDate: requested } = Object(payment.initiation) as {
    readonly requestedExecutionDate?: string;
  };
  return [
    `Payment ${paymentId}: ${status}${why === null ? '' : `, ${why}`}`,
    'History:',
    ...latest(history).map((change) => `  ${formatTime(change.at)}  ${change.status}  ${change.cause}`),
    attempts.length === 0 ? 'Attempts: none' : countedAttempts(attempts.length),
    ...latest(attempts).map(({ item, at, nominalDate, outcome, available, needed, reason }) => {
      const funds = `available ${formatMoney(available)}, needed ${formatMoney(needed)}`;
      const of = item === undefined ? '' : `  ${item}`;
      return `  ${formatTime(at)}  ${outcome.padEnd(6)}  nominal ${requested ?? nominalDate}  ${funds}${of}  ${reason}`;
    }),
    ...movedLines(payment),
    nextLine(payment),
  ];
}

function latest<T>(all: readonly T[]): readonly T[] {
  return all.slice(-maxLines);
}

function countedAttempts(count: number): string {
  return count > maxLines ? `Attempts, the latest ${maxLines} of ${count}:` : 'Attempts:';
}

const open = ['ACSP', 'PDNG', 'ACCP'];

/** The run that tries the payment next, why then, and what will come of it. */
function nextLine(payment: PaymentStory): string {
  const { status, executionDate, nextAttempt, occurrences } = payment;
  if (nextAttempt === null) {
    if (status !== 'RCVD' && status !== 'PATC') return 'Next: nothing, no run will take it up again';
    const date = executionDate ?? occurrences[0]?.executionDate;
    return `Next: waits for a signature${date === undefined ? '' : `, for execution on ${date}`}`;
  }
  const next = occurrences.find((each) => open.includes(each.status));
  const at = `${nextAttempt.id} at ${formatTime(nextAttempt.at)}`;
  const tried =
    next?.status === 'ACCP' ? `tried again in run ${at}, due since ${next.executionDate}` : `tried in run ${at}`;
  const moved = next?.moved === undefined ? '' : `: ${next.moved}`;
  const rejected = next?.rejection === undefined ? '' : `, to be rejected: ${next.rejection}`;
  return `Next: ${tried}${moved}${rejected}`;
}

/** Why executions that were attempted had been moved. */
function movedLines(payment: PaymentStory): string[] {
  const { attempts, occurrences } = payment;
  const attempted = new Set(attempts.map(({ item = '', nominalDate }) => `${item} ${nominalDate}`));
  const moved = occurrences.flatMap((each) => {
    const wasTried = attempted.has(`${each.item ?? ''} ${each.nominalDate}`);
    return wasTried && each.moved !== undefined ? [`  ${each.moved}`] : [];
  });
  return moved.length === 0 ? [] : ['Moved:', ...latest([...new Set(moved)])];
}

/** `NOK 100.00` */
function formatMoney({ amount, currency }: Money): string {
  return `${currency} ${amount}`;
}

/** `2027-03-30 05:30`, Oslo time. */
function formatTime(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
