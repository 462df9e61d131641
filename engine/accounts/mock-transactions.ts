import { Refusal, refuseAny } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import {
  checkMockTransaction,
  checkSameTransaction,
  type MockTransaction,
  withCardValueDate,
} from './rules/mock-transaction.ts';
import {
  sandboxTransaction,
  sandboxTransactions,
  transactionsOfPostings,
  type TransactionWindow,
} from './rows/transactions.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { requireAccount } from './customer-accounts.ts';
import { directPosting, postDirectly } from './post-directly.ts';
import { type Transaction, transactionOf, withEntryDetails } from './transaction.ts';
import { requireTransactionNumber, transactionUnknown } from './rules/transaction-id.ts';
import { insertDirectPosting, markReversed, mockEntries, type MockEntry, saveDetails } from './rows/direct-postings.ts';
import { type Account, clearingAccount } from './rows/accounts.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { assert } from '../values/assert.ts';
import type { Posting } from './rules/entry.ts';
import { isWithinBalanceLimit } from '../values/money.ts';
import { insertPostings, saveBalances } from './rows/entries.ts';

/**
 * Adds mock transactions to an account: booked entries against clearing (rules.md D3). All or none: a refusal has the
 * faults of the whole list, each with its index in the path (E3).
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
    for (const { amount, bookingDate, valueDate, details } of wanted.map((each) => dated(bank, each))) {
      const movement = {
        kind: 'transaction',
        details: JSON.stringify(details),
        amount,
        bookingDate,
        valueDate,
      } as const;
      postings.push(await postDirectly(bank.ids, tx, account, movement));
      account = { ...account, balance_minor: account.balance_minor + amount };
    }
    const rows = await transactionsOfPostings(tx, account.id, postings, now);
    return rows.map((row) => transactionOf(row, currency));
  });
}

/** A mock transaction with the dates that the quirks that are on give it. */
function dated({ quirks, runs }: BankContext, wanted: MockTransaction): MockTransaction {
  return quirks.has('card-value-dates') ? withCardValueDate(wanted, runs.calendar) : wanted;
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
  const wanted = requireTransactionNumber(transactionId);
  const row = await sandboxTransaction(reader, account.id, wanted, await bankNow(bank, reader));
  if (row === undefined) throw transactionUnknown(transactionId);
  return withEntryDetails(reader, transactionOf(row, account.currency), row);
}

/**
 * Lists the transactions of an account, mock ones and those of payments, the latest first. Pending ones are filtered and
 * paged like booked ones (rules.md A9).
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
 * Replaces the details of a mock transaction and returns it, including those of a batch (interface: Other operations, a transaction with
 * details). FORMAT_ERROR for another amount, currency or date: an entry never changes (rules.md S5). Unknown:
 * RESOURCE_UNKNOWN; a transaction of a payment: SERVICE_INVALID.
 */
export function changeTransactionDetails(
  bank: BankContext,
  accountId: string,
  transactionId: string,
  wanted: MockTransaction,
): Promise<Transaction> {
  return bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const mock = await requireMockTransaction(bank, tx, account, transactionId, keepsItsDetails);
    refuseAny(checkSameTransaction(dated(bank, wanted), { ...mock, currency: account.currency }));
    await saveDetails(tx, mock.postingId, JSON.stringify(wanted.details));
    return transactionIn(bank, tx, account, transactionId);
  });
}

const stays =
  'This transaction is that of a settled payment and stays. Only mock transactions can be deleted; ' +
  'POST one of the opposite amount to make up for it.';

/** Reverses one mock transaction (rules.md S5). Unknown: RESOURCE_UNKNOWN; a transaction of a payment: SERVICE_INVALID. */
export async function deleteTransaction(bank: BankContext, accountId: string, transactionId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const mock = await requireMockTransaction(bank, tx, account, transactionId, stays);
    await reverseTransactions(tx, account, [mock]);
  });
}

/** Reverses every mock transaction of an account; transactions of payments stay (rules.md S5). */
export async function deleteTransactions(bank: BankContext, accountId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    await reverseTransactions(tx, account, await mockEntries(tx, account.id));
  });
}

/** Finds the mock transaction of a path. Unknown: RESOURCE_UNKNOWN; a transaction of a payment: SERVICE_INVALID with the text `stays`. */
async function requireMockTransaction(
  bank: BankContext,
  reader: Reader,
  account: Account,
  transactionId: string,
  stays: string,
): Promise<MockEntry> {
  const wanted = requireTransactionNumber(transactionId);
  const [mock] = await mockEntries(reader, account.id, wanted);
  if (mock !== undefined) return mock;
  const other = await sandboxTransaction(reader, account.id, wanted, await bankNow(bank, reader));
  if (other === undefined) throw transactionUnknown(transactionId);
  throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text: stays });
}

/**
 * Reverses mock transactions of an account: one opposite posting for each, on the same dates, so that they leave no
 * balance of any day. Both are hidden from then on (rules.md S5). `account` must be the current row in this transaction.
 * CONFLICT when a balance would pass 10^17 minor units (P4).
 */
async function reverseTransactions(tx: Writer, account: Account, mocks: readonly MockEntry[]): Promise<void> {
  if (mocks.length === 0) return;
  const clearing = await clearingAccount(tx, account.currency);
  assert(clearing !== undefined, 'a currency with postings has a clearing account');
  const total = mocks.reduce((sum, { amount }) => sum + amount, 0n);
  const balances = [
    [account.id, withinLimit(account, -total)],
    [clearing.id, withinLimit(clearing, total)],
  ] as const;
  const reversals = new Map<number, number>();
  const postings: Posting[] = [];
  for (const mock of mocks) {
    const { id } = await insertDirectPosting(tx, { kind: 'reversal', details: '{}', reversed_by: null });
    reversals.set(mock.postingId, id);
    postings.push(directPosting(id, { ...mock, amount: -mock.amount }, account.id, clearing.id));
  }
  await insertPostings(tx, postings);
  await saveBalances(tx, new Map(balances));
  await markReversed(tx, reversals);
}

function withinLimit({ balance_minor: before, kind }: Account, amount: bigint): bigint {
  const balance = before + amount;
  if (isWithinBalanceLimit(balance, kind)) return balance;
  const text = 'Without these transactions a balance would be beyond 10^17 minor units, the most that the bank keeps.';
  throw new Refusal({ code: 'CONFLICT', text });
}
