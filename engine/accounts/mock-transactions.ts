import { Refusal, refuseAny } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import {
  checkMockTransaction,
  checkSameTransaction,
  isAnnounced,
  type MockTransaction,
  withCardValueDate,
} from './rules/mock-transaction.ts';
import {
  reservedRow,
  sandboxTransaction,
  sandboxTransactions,
  transactionsOfPostings,
  type TransactionWindow,
} from './rows/transactions.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { requireAccount } from './customer-accounts.ts';
import { post, postDirectly, reverse } from './post.ts';
import { releaseAll, releaseReservations, reserve } from './reservations.ts';
import { findReservation, saveReservationDetails, type Reservation } from './rows/reservations.ts';
import { type Transaction, transactionOf, withEntryDetails } from './transaction.ts';
import { requireTransactionNumber, transactionUnknown } from './rules/transaction-list.ts';
import { type DirectEntry, mockEntries, saveDetails } from './rows/entries.ts';
import { type Account, clearingAccount } from './rows/accounts.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { assert } from '../values/assert.ts';
import { isWithinBalanceLimit } from '../values/money.ts';

/**
 * Adds mock transactions to an account: booked entries against clearing (rules.md D3), or reservations until their
 * booking date comes (D3d). All or none: a refusal has the faults of the whole list, each with its index in the path
 * (E3).
 */
export function addTransactions(
  bank: BankContext,
  accountId: string,
  wanted: readonly MockTransaction[],
): Promise<Transaction[]> {
  return bank.ledger.write(async (tx) => {
    let account = await requireAccount(tx, accountId);
    const { currency } = account;
    const now = await bankNow(bank, tx);
    const today = osloDate(now);
    const faults = wanted.flatMap((each, index) => checkMockTransaction(each, { currency, today }, `[${index}]`));
    refuseAny(faults);
    const postings: number[] = [];
    const reservations = new Map<number, Reservation>();
    for (const [index, { amount, bookingDate, valueDate, details: given }] of wanted
      .map((each) => withQuirkDates(bank, each))
      .entries()) {
      const shared = { amount, valueDate, details: JSON.stringify(given) };
      if (bookingDate === null || isAnnounced({ bookingDate }, today)) {
        reservations.set(index, await reserve(bank.ids, tx, account, { ...shared, bookingDate, event: null }));
        continue;
      }
      postings.push(await postDirectly(bank.ids, tx, account, { ...shared, kind: 'transaction', bookingDate }));
      account = { ...account, balance_minor: account.balance_minor + amount };
    }
    const posted = await transactionsOfPostings(tx, account.id, postings, now);
    for (const [index, reservation] of reservations) posted.splice(index, 0, reservedRow(reservation));
    return posted.map((row) => transactionOf(row, currency));
  });
}

/** A mock transaction with the dates that the quirks that are on give it. */
function withQuirkDates({ quirks, schedule }: BankContext, wanted: MockTransaction): MockTransaction {
  return quirks.has('card-value-dates') ? withCardValueDate(wanted, schedule.calendar) : wanted;
}

/** Reads one transaction of an account by the interface's transactionId. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxTransaction(
  bank: BankContext,
  accountId: string,
  transactionId: string,
): Promise<Transaction> {
  return bank.ledger.read(async (reader) =>
    transactionIn(bank, reader, await requireAccount(reader, accountId), transactionId),
  );
}

async function transactionIn(
  bank: BankContext,
  reader: Reader,
  account: Account,
  transactionId: string,
): Promise<Transaction> {
  const reservation = await findReservation(reader, account.id, transactionId);
  const row =
    reservation === undefined
      ? await sandboxTransaction(
          reader,
          account.id,
          requireTransactionNumber(transactionId),
          await bankNow(bank, reader),
        )
      : reservedRow(reservation);
  if (row === undefined) throw transactionUnknown(transactionId);
  return withEntryDetails(reader, transactionOf(row, account.currency), row);
}

/**
 * Lists the transactions of an account, mock ones and those of payments, the latest first. Pending ones are filtered
 * and paged like booked ones (rules.md A9).
 */
export function listSandboxTransactions(
  bank: BankContext,
  accountId: string,
  window: TransactionWindow,
): Promise<Transaction[]> {
  return bank.ledger.read(async (reader) => {
    const account = await requireAccount(reader, accountId);
    const rows = await sandboxTransactions(reader, account.id, window, await bankNow(bank, reader));
    return rows.map((row) => transactionOf(row, account.currency));
  });
}

const keepsItsDetails =
  'This transaction is that of a settled payment, which says what it tells. Only mock transactions take other details.';

/**
 * Replaces the details of a mock transaction and returns it, including those of a batch (interface: Other operations, a
 * transaction with details). FORMAT_ERROR for another amount, currency or date: an entry never changes (rules.md S5).
 * Unknown: RESOURCE_UNKNOWN; a transaction of a payment: SERVICE_INVALID.
 */
export function changeTransactionDetails(
  bank: BankContext,
  accountId: string,
  transactionId: string,
  wanted: MockTransaction,
): Promise<Transaction> {
  return bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const { currency } = account;
    const details = JSON.stringify(wanted.details);
    const reservation = await findReservation(tx, account.id, transactionId);
    if (reservation !== undefined) {
      const { id, amount_minor: amount, booking_date: bookingDate, value_date: valueDate } = reservation;
      refuseAny(checkSameTransaction(withQuirkDates(bank, wanted), { amount, currency, bookingDate, valueDate }));
      await saveReservationDetails(tx, id, details);
      return transactionIn(bank, tx, account, transactionId);
    }
    const mock = await requireMockTransaction(bank, tx, { account, transactionId, otherwise: keepsItsDetails });
    refuseAny(checkSameTransaction(withQuirkDates(bank, wanted), { ...mock, currency }));
    await saveDetails(tx, mock.postingId, details);
    return transactionIn(bank, tx, account, transactionId);
  });
}

const stays =
  'This transaction is that of a settled payment and stays. Only mock transactions can be deleted; ' +
  'POST one of the opposite amount to make up for it.';

/**
 * Reverses one mock transaction (rules.md S5), or releases it if it is a reservation (D3d). Unknown: RESOURCE_UNKNOWN;
 * a transaction of a payment: SERVICE_INVALID.
 */
export async function deleteTransaction(bank: BankContext, accountId: string, transactionId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const reservation = await findReservation(tx, account.id, transactionId);
    if (reservation !== undefined) return releaseReservations(tx, [reservation]);
    const mock = await requireMockTransaction(bank, tx, { account, transactionId, otherwise: stays });
    await reverseTransactions(tx, account, [mock]);
  });
}

/**
 * Reverses every mock transaction of an account and releases its reservations; transactions of payments stay (rules.md
 * S5, D3d).
 */
export async function deleteTransactions(bank: BankContext, accountId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    await releaseAll(tx, account.id);
    await reverseTransactions(tx, account, await mockEntries(tx, account.id));
  });
}

/**
 * Finds the mock transaction of a path. Unknown: RESOURCE_UNKNOWN; a transaction of a payment: SERVICE_INVALID with the
 * text `otherwise`.
 */
async function requireMockTransaction(
  bank: BankContext,
  reader: Reader,
  {
    account,
    transactionId,
    otherwise,
  }: { readonly account: Account; readonly transactionId: string; readonly otherwise: string },
): Promise<DirectEntry> {
  const wanted = requireTransactionNumber(transactionId);
  const [mock] = await mockEntries(reader, account.id, wanted);
  if (mock !== undefined) return mock;
  const other = await sandboxTransaction(reader, account.id, wanted, await bankNow(bank, reader));
  if (other === undefined) throw transactionUnknown(transactionId);
  throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text: otherwise });
}

/**
 * Reverses mock transactions of an account (rules.md S5). `account` must be the current row in this transaction.
 * CONFLICT when a balance would pass 10^17 minor units (P4).
 */
async function reverseTransactions(tx: Writer, account: Account, mocks: readonly DirectEntry[]): Promise<void> {
  if (mocks.length === 0) return;
  const clearing = await clearingAccount(tx, account.currency);
  assert(clearing !== undefined, 'a currency with postings has a clearing account');
  const total = mocks.reduce((sum, { amount }) => sum + amount, 0n);
  const balances = [
    [account.id, withinLimit(account, -total)],
    [clearing.id, withinLimit(clearing, total)],
  ] as const;
  await post(tx, await reverse(tx, mocks, account.id, clearing.id), new Map(balances));
}

function withinLimit({ balance_minor: before, kind }: Account, amount: bigint): bigint {
  const balance = before + amount;
  if (isWithinBalanceLimit(balance, kind)) return balance;
  const text = 'Without these transactions a balance would be beyond 10^17 minor units, the most that the bank keeps.';
  throw new Refusal({ code: 'CONFLICT', text });
}
