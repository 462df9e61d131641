import type { Transaction } from '../../engine/accounts/transaction.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import { osloDate } from '../../engine/values/instant.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import type { SourceTransactions } from '../pipeline/endpoint.ts';
import type { ShownAnswer } from '../pipeline/shaping.ts';
import { isObject, type JsonObject, withEach } from './json.ts';

const parts = ['booked', 'pending'] as const;

/**
 * Returns the changed JSON of a transaction. `source`: the transaction of the engine; pending: its booking date is
 * null.
 */
type ShowTransaction = (shown: JsonObject, source: Transaction) => JsonObject;

/** The booked transactions of an answer that is a list of an account. */
export function listedIn({ operation, transactions }: ShownAnswer): readonly Transaction[] {
  return operation === 'GET /v1/accounts/{accountId}/transactions' ? (transactions?.booked ?? []) : [];
}

const calendarBegins = osloDate(clockRange.from);

/** Whether this is no banking day. */
export function isClosed({ schedule: { calendar } }: Pick<Bank, 'schedule'>, day: LocalDate): boolean {
  return day >= calendarBegins && calendar.closure(day) !== null;
}

/** Changes each account transaction of a list, or the one that is read. Any other answer stays the same object. */
export function eachTransaction(answer: ShownAnswer, show: ShowTransaction): ShownAnswer {
  const { body, transactions: source } = answer;
  if (source === null || !isObject(body)) return answer;
  const { transactions, transactionsDetails } = body;
  if (isObject(transactions))
    return { ...answer, body: { ...body, transactions: shownList(transactions, source, show) } };
  const [one] = source.booked;
  if (!isObject(transactionsDetails) || one === undefined) return answer;
  return { ...answer, body: { ...body, transactionsDetails: show(transactionsDetails, one) } };
}

function shownList(list: JsonObject, source: SourceTransactions, show: ShowTransaction): JsonObject {
  const shown = (part: (typeof parts)[number]) => (item: unknown, index: number) => {
    const one = source[part][index];
    return isObject(item) && one !== undefined ? show(item, one) : item;
  };
  return parts.reduce((all, part) => withEach(all, part, shown(part)), list);
}

/** A transaction of a card account: its card, and its dates from the engine. */
export interface SeenCardTransaction {
  /** `123456******1234` */
  readonly maskedPan: string;
  /** Null means pending. */
  readonly bookingDate: LocalDate | null;
  readonly transactionDate: LocalDate;
}

/** Changes each transaction of a card account. Any other answer stays the same object. */
export function eachCardTransaction(
  answer: ShownAnswer,
  show: (shown: JsonObject, source: SeenCardTransaction) => JsonObject,
): ShownAnswer {
  const { body } = answer;
  if (!isObject(body) || !isObject(body['cardTransactions']) || !isObject(body['cardAccount'])) return answer;
  const maskedPan = String(body['cardAccount']['maskedPan']);
  const cardTransactions = parts.reduce((all, part) => {
    return withEach(all, part, (item) => {
      if (!isObject(item)) return item;
      // Quirks of dates come after those of texts.
      const { bookingDate, transactionDate } = item as Partial<SeenCardTransaction> &
        Pick<SeenCardTransaction, 'transactionDate'>;
      const dates = { bookingDate: part === 'pending' ? null : (bookingDate ?? null) };
      return show(item, { maskedPan, ...dates, transactionDate });
    });
  }, body['cardTransactions']);
  return { ...answer, body: { ...body, cardTransactions } };
}
