import { osloDate, type Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { type Amount, formatAmount, readWritten } from '../values/money.ts';
import { withoutTrailing } from '../values/text.ts';
import type { Reader } from '../ledger/database.ts';
import { type BankContext, readBank, type Reading, writeBank } from '../bank/bank-context.ts';
import { Refusal } from '../values/fault.ts';
import { customersByKey, type Customer } from '../parties/rows/customers.ts';
import type { Balances } from '../accounts/rules/entry.ts';
import { transactionIdOf } from '../accounts/rules/transaction-list.ts';
import { requireAccountByNumber } from '../accounts/customer-accounts.ts';
import { customerAccounts, type Account, accountByKey } from '../accounts/rows/accounts.ts';
import type { Period } from '../accounts/rows/entries.ts';
import { reservationsOf } from '../accounts/rows/reservations.ts';
import {
  bookedThrough,
  reservedRow,
  statementLines,
  statementSum,
  type StatementRow,
  type TransactionRow,
} from '../accounts/rows/transactions.ts';
import { headlineOf, transactionOf } from '../accounts/transaction.ts';
import { withBalances } from '../settlement/rows/balance-sums.ts';
import { assert } from '../values/assert.ts';
import { postDirectly } from '../accounts/post.ts';

/** An open account of a customer. */
export interface InspectedAccount {
  readonly account: Account;
  readonly owner: Customer;
  /** In minor units of its currency; pending and reserved money count apart (rules.md S8). */
  readonly balances: Balances;
}

/** An account with what was posted to it. */
interface AccountStatement extends InspectedAccount {
  /** Booked in the period, the oldest first. */
  readonly entries: readonly BookedEntry[];
  /** How many were booked in the period. */
  readonly total: number;
  /**
   * What no run has booked yet, the oldest first, then what is not even posted; the period does not matter (rules.md
   * S6, S8b, A9).
   */
  readonly pending: readonly PendingEntry[];
}

export interface PendingEntry extends PostedEntry {
  /** False means a debit that is reserved, or a credit that is announced (rules.md S8b). */
  readonly isPosted: boolean;
}

/** An entry of an account; the debits of a bulk payment in one run are one entry, as a TPP reads them. */
interface PostedEntry {
  readonly valueDate: LocalDate;
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  /** The name of the other side, or a description. */
  readonly text: string;
  /** Null without a payment. */
  readonly paymentId: string | null;
}

export interface BookedEntry extends PostedEntry {
  readonly bookingDate: LocalDate;
  /** The booked balance after it. */
  readonly balance: Amount;
  /** Null for the opening of the account, which a TPP does not read. */
  readonly transactionId: string | null;
  /** The event of the account's life that posted it. */
  readonly event: string | null;
  /** The channel that ordered its payment. */
  readonly channel: string | null;
}

/** The part of a statement that is read: the `limit` latest entries of a period, but for the `offset` latest. */
interface StatementPage extends Period {
  /** The default is all of them. */
  readonly limit?: number | undefined;
  readonly offset?: number;
  /** Only entries that have it in their text, whatever its case, or that have this amount without its sign. */
  readonly text?: string | undefined;
}

/** Maximum number of entries in one answer: a busy account has as many in a day as a person's in centuries. */
const maxEntries = 10_000;

/** Lists the open customer accounts, in the order of their creation, with their balances (rules.md S8). */
export function inspectAccounts(bank: BankContext): Promise<InspectedAccount[]> {
  return readBank(bank, async (reading) => inspectedAccounts(reading, await customerAccounts(reading.reader)));
}

/**
 * Reads an open customer account by BBAN or IBAN, with its entries of a period of booking dates. Unknown: NOT_FOUND;
 * more than {@link maxEntries}: BAD_REQUEST.
 */
export function inspectAccount(bank: BankContext, number: string, page: StatementPage): Promise<AccountStatement> {
  return readBank(bank, async (reading) => {
    const account = await requireAccountByNumber(reading.reader, number);
    const own = await inspectedAccount(reading, account);
    return { ...own, ...(await accountStatement(reading, account, page)) };
  });
}

/** One account with its balances, in the caller's transaction. `account` must be the current row in it. */
async function inspectedAccount(reading: Reading, account: Account): Promise<InspectedAccount> {
  const [found] = await inspectedAccounts(reading, [account]);
  assert(found !== undefined, 'an account has balances');
  return found;
}

async function inspectedAccounts(reading: Reading, accounts: readonly Account[]): Promise<InspectedAccount[]> {
  const owners = await customersByKey(
    reading.reader,
    accounts.flatMap(({ customer_id: id }) => (id === null ? [] : [id])),
  );
  return (await withBalances(reading, accounts, true)).map(({ account, balances }) => {
    const owner = owners.get(account.customer_id ?? 0);
    assert(owner !== undefined && balances !== null, 'a customer account has a holder and balances');
    return { account, owner, balances };
  });
}

async function accountStatement(
  { reader, now }: Reading,
  account: Account,
  { limit = maxEntries, offset = 0, text, ...period }: StatementPage,
): Promise<Pick<AccountStatement, 'entries' | 'total' | 'pending'>> {
  const today = { from: osloDate(now), to: null };
  const window = { ...period, isPending: false };
  // A text is looked for in all entries of the period.
  const page = text === undefined ? { limit, offset } : { limit: maxEntries, offset: 0 };
  const { count, sum: later } = await statementSum(reader, account.id, { ...window, latest: page.offset }, now);
  if (page.limit === maxEntries && count > maxEntries) throw tooManyBooked();
  const booked = await statementLines(reader, account.id, { ...window, ...page }, now);
  const pending = await pendingLines(reader, account, today, now);
  const { currency } = account;
  let balance = (await bookedThrough(reader, account.id, period.to, now)) - later;
  const entries = booked.map((row): BookedEntry => {
    const after = balance;
    balance -= row.amount_minor;
    return {
      bookingDate: row.booking_date,
      ...postedEntry(row, account),
      balance: { minor: after, currency },
      transactionId: row.is_opening === 1 ? null : transactionIdOf(row.transaction_number),
      event: row.event,
      channel: row.tpp_id,
    };
  });
  const wanted = text === undefined ? entries : entries.filter((entry) => isNamed(entry, text));
  const reserved = (await reservationsOf(reader, account.id)).toReversed();
  const unposted = reserved.map((each) => ({ ...reservedRow(each), payment_id: null, is_opening: 0 }) as const);
  return {
    entries: (text === undefined ? wanted : wanted.slice(offset, offset + limit)).toReversed(),
    total: text === undefined ? count : wanted.length,
    pending: [
      ...pending.map((row) => ({ ...postedEntry(row, account), isPosted: true })),
      ...unposted.map((row) => ({ ...postedEntry(row, account), isPosted: false })),
    ],
  };
}

/** Whether an entry has a text, or its amount: digits alone are every amount with this whole part. */
function isNamed({ text: own, amount }: PostedEntry, text: string): boolean {
  if (own.toLowerCase().includes(text.trim().toLowerCase())) return true;
  const [whole, fraction = ''] = formatAmount(amount).replace('-', '').split('.');
  const read = readWritten(text);
  if (read === null || read.whole.replace('-', '') !== whole) return false;
  return read.fraction === '' || withoutTrailing(read.fraction, '0') === withoutTrailing(fraction, '0');
}

/** The oldest first. More than {@link maxEntries}: BAD_REQUEST. */
async function pendingLines(reader: Reader, { id }: Account, period: Period, now: Instant): Promise<StatementRow[]> {
  const window = { ...period, isPending: true };
  const lines = await statementLines(reader, id, { ...window, limit: maxEntries + 1, offset: 0 }, now);
  if (lines.length <= maxEntries) return lines.toReversed();
  const text = `More than ${maxEntries} entries of the account are pending. Let the next run book them.`;
  throw new Refusal({ code: 'BAD_REQUEST', text, allowed: { entries: String(maxEntries) } });
}

function tooManyBooked(): Refusal {
  const text = `The account has more than ${maxEntries} entries in this period. Ask for a shorter one with from and to, or for some with limit.`;
  return new Refusal({ code: 'BAD_REQUEST', path: 'from', text, allowed: { entries: String(maxEntries) } });
}

function postedEntry(
  row: TransactionRow & Pick<StatementRow, 'payment_id' | 'is_opening'>,
  { currency }: Account,
): PostedEntry {
  const transaction = transactionOf(row, currency);
  const { amount, valueDate } = transaction;
  const text = row.is_opening === 1 ? 'Opening balance' : headlineOf(transaction);
  return { valueDate, amount, text, paymentId: row.payment_id };
}

/**
 * Money from the clearing account to an open customer account, booked at once and dated today, as a mock transaction is
 * (rules.md D3, S6). `amount` is above zero. Unknown account: NOT_FOUND; another currency than the account's, or a
 * balance beyond 10^17 minor units (P4): FORMAT_ERROR.
 */
export function topUp(bank: BankContext, number: string, amount: Amount): Promise<InspectedAccount> {
  return writeBank(bank, async (writing) => {
    const { tx } = writing;
    const account = await requireAccountByNumber(tx, number);
    const { currency } = account;
    if (amount.currency !== currency) {
      const text = `The account is in ${currency}, the amount in ${amount.currency}. Send ${currency}.`;
      throw new Refusal({ code: 'FORMAT_ERROR', path: 'amount.currency', text, allowed: [currency] });
    }
    const today = osloDate(writing.now);
    const details = JSON.stringify({ remittanceInformationUnstructured: 'Innskudd' });
    const movement = { kind: 'transaction', details, amount: amount.minor } as const;
    await postDirectly(bank.ids, tx, account, { ...movement, bookingDate: today, valueDate: today });
    return inspectedAccount(writing, await accountByKey(tx, account.id));
  });
}
