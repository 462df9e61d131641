import type { Row, Writer } from '../ledger/database.ts';
import type { Instant } from '../values/instant.ts';
import {
  addToBatch,
  type BatchItem,
  deleteEvents,
  insertPostings,
  saveBalances,
  insertPostingsInOrder,
  type DirectEntry,
  insertDirectPosting,
  insertTransactions,
  markReversed,
  openingEntries,
} from './rows/entries.ts';
import type { Posting } from './rules/entry.ts';
import { type Currency, formatAmount, isWithinBalanceLimit, limitOf } from '../values/money.ts';
import { Refusal } from '../values/fault.ts';
import { type LocalDate, addDays } from '../values/local-date.ts';
import type { Ids } from '../bank/ids.ts';
import { clearingAccount, insertAccount, type Account } from './rows/accounts.ts';
import type { TransactionDetails } from './rules/transaction-details.ts';
import { inParts } from '../values/lists.ts';

/**
 * Writes the entries of postings, and the new balances of accounts: minor units by account key. A caller that posts in
 * parts passes the balances with the last part, or the books are wrong.
 */
export async function post(
  tx: Writer,
  postings: readonly Posting[],
  balances: ReadonlyMap<number, bigint>,
): Promise<void> {
  await insertPostings(tx, postings);
  await saveBalances(tx, balances);
}

/**
 * Adds these transfers to the batches of their bulk payments in a run. Returns the key of each batch, by that of the
 * payment.
 */
export async function gatherInBatches(
  tx: Writer,
  settled: readonly BatchItem[],
  runAt: Instant,
): Promise<Map<number, number>> {
  const batches = new Map<number, number>();
  for (const [paymentId, [first, ...others]] of Map.groupBy(settled, (item) => item.paymentId)) {
    if (first !== undefined) batches.set(paymentId, await addToBatch(tx, [first, ...others], runAt));
  }
  return batches;
}

/** A movement without a payment, between an account and the clearing account of its currency (rules.md D3). */
interface DirectMovement {
  readonly kind: Row<'direct_posting'>['kind'];
  /** JSON of TransactionDetails. */
  readonly details: string;
  /** Minor units, not zero: a credit to the account positive, a debit negative. */
  readonly amount: bigint;
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
}

/**
 * Posts one movement, booked from the start, and returns the key of its direct posting. `account` must be read in this
 * transaction: its balance is used. A balance beyond 10^17 minor units: FORMAT_ERROR (rules.md P4).
 */
export async function postDirectly(ids: Ids, tx: Writer, account: Account, movement: DirectMovement): Promise<number> {
  const clearing = await ensureClearing(ids, tx, account.currency);
  const balance = requireRoom(account, movement.amount);
  const clearingBalance = requireRoom(clearing, -movement.amount);
  const id = await insertDirectPosting(tx, { kind: movement.kind, details: movement.details, reversed_by: null });
  const balances = [[account.id, balance] as const, [clearing.id, clearingBalance] as const];
  await post(tx, [directPosting(id, movement, account.id, clearing.id)], new Map(balances));
  return id;
}

/** A transaction of an account without a payment. */
export interface AccountMovement extends Omit<DirectMovement, 'kind' | 'details'> {
  readonly details: TransactionDetails;
  readonly accountId: number;
  /** The event of the account's life. */
  readonly event?: string;
}

/** Movements whose rows are in memory at one time. */
const movementsAtOnce = 128;

/**
 * Posts transactions of many accounts of one currency in the order given, booked from the start (rules.md D3). The
 * caller checks the limits of balances (P4); `balances`: those of the accounts and of the clearing account afterwards.
 */
export async function postInOrder(
  tx: Writer,
  clearingId: number,
  movements: readonly AccountMovement[],
  balances: ReadonlyMap<number, bigint>,
): Promise<void> {
  for (const some of inParts(movements, movementsAtOnce)) {
    const first = await insertTransactions(tx, some);
    await insertPostingsInOrder(
      tx,
      some.map((each, index) => directPosting(first + index, each, each.accountId, clearingId)),
    );
  }
  await saveBalances(tx, balances);
}

/**
 * Reverses direct postings of an account: returns the opposite posting of each, on the same dates, for the caller to
 * write. Both are hidden from then on, and leave no balance of any day (rules.md S5).
 */
export async function reverse(
  tx: Writer,
  entries: readonly DirectEntry[],
  accountId: number,
  clearingId: number,
): Promise<Posting[]> {
  const reversals = new Map<number, number>();
  const postings: Posting[] = [];
  for (const entry of entries) {
    const id = await insertDirectPosting(tx, { kind: 'reversal', details: '{}', reversed_by: null });
    reversals.set(entry.postingId, id);
    postings.push(directPosting(id, { ...entry, amount: -entry.amount }, accountId, clearingId));
  }
  await markReversed(tx, reversals);
  return postings;
}

/** The posting of an amount, in minor units and a credit to the account if positive, booked from the start. */
function directPosting(
  directPostingId: number,
  { amount, bookingDate, valueDate }: Pick<DirectMovement, 'amount' | 'bookingDate' | 'valueDate'>,
  accountId: number,
  clearingId: number,
): Posting {
  const isCredit = amount > 0n;
  return {
    cause: { directPostingId },
    debtorAccountId: isCredit ? clearingId : accountId,
    creditorAccountId: isCredit ? accountId : clearingId,
    amount: isCredit ? amount : -amount,
    bookingDate,
    valueDate,
    bookedAt: null,
    isFee: false,
    batchId: null,
  };
}

/** Whether the account may have its balance and this amount, in minor units (rules.md P4). */
export function hasRoom({ balance_minor: balance, kind }: Account, amount: bigint): boolean {
  return isWithinBalanceLimit(balance + amount, kind);
}

/** The balance of an account with this amount, in minor units. One beyond its limit: FORMAT_ERROR (rules.md P4). */
export function requireRoom(account: Account, amount: bigint): bigint {
  if (hasRoom(account, amount)) return account.balance_minor + amount;
  const { kind, currency } = account;
  const limit = formatAmount({ minor: limitOf(kind), currency });
  throw new Refusal({
    code: 'FORMAT_ERROR',
    place: 'payload',
    text: `The amount would take a balance of the bank beyond ${limit} ${currency}, the most it keeps. Send a smaller one.`,
  });
}

/** A life ends: another one on its account has the same events. */
export function forgetEvents(tx: Writer, accountId: number): Promise<void> {
  return deleteEvents(tx, accountId);
}

/** Returns the clearing account of a currency; opens it when the first account needs it (rules.md S5). */
export async function ensureClearing(ids: Ids, tx: Writer, currency: Currency): Promise<Account> {
  const open = await clearingAccount(tx, currency);
  if (open !== undefined) return open;
  return insertAccount(tx, {
    resource_id: ids.resourceId(),
    kind: 'clearing',
    customer_id: null,
    name: `Clearing ${currency}`,
    bban: null,
    iban: null,
    currency,
    product: null,
    cash_account_type: null,
    credit_line_minor: 0n,
    balance_minor: 0n,
    kid_agreement: null,
    signatures_required: 1,
    payments_allowed: 0,
    closed_at: null,
  });
}

/** What an account has booked from a day on, and its balance in the end, in minor units. */
interface PostedPast {
  readonly movements: readonly AccountMovement[];
  readonly from: LocalDate;
  readonly balance: bigint;
}

/**
 * Posts the past of an account from a day on: its opening balance moves to the day before and is made so that the past
 * ends at `balance`. Later opening balances are reversed. `account` must be the current row in this transaction.
 * CONFLICT if a balance would pass its limit on the way (rules.md P4).
 */
export async function postPast(
  ids: Ids,
  tx: Writer,
  account: Account,
  { movements, from, balance }: PostedPast,
): Promise<void> {
  const net = movements.reduce((sum, { amount }) => sum + amount, 0n);
  const found = await ensureClearing(ids, tx, account.currency);
  const more = balance - account.balance_minor;
  const clearing = { ...found, balance_minor: found.balance_minor - more };
  const ended = { ...account, balance_minor: balance };
  if (!hasRoom(ended, net) || !hasRoom(ended, -net) || !hasRoom(clearing, -net) || !hasRoom(clearing, net)) {
    throw new Refusal({ code: 'CONFLICT', text: 'With this past a balance would be beyond what the bank keeps.' });
  }
  const day = addDays(from, -1);
  const openings = await openingEntries(tx, account.id, day);
  const opened = openings.reduce((sum, { amount }) => sum + amount, 0n);
  const postings = await reverse(tx, openings, account.id, clearing.id);
  const amount = opened + more - net;
  if (amount !== 0n) {
    const id = await insertDirectPosting(tx, { kind: 'opening', details: '{}', reversed_by: null });
    const opening = { amount, bookingDate: day, valueDate: day };
    postings.push(directPosting(id, opening, account.id, clearing.id));
  }
  await insertPostings(tx, postings);
  await postInOrder(tx, clearing.id, movements, new Map());
  const balances = [ended, clearing].map(({ id, balance_minor: balance }) => [id, balance] as const);
  await saveBalances(tx, new Map(balances));
}
