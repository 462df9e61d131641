import { pageOf, withOneMore } from '../values/lists.ts';
import type { ReportQuery } from '../accounts/rules/transaction-report.ts';
import {
  comesAfter,
  isListed,
  periodOf,
  windowOf,
  type ListPlace,
  type RowPlace,
} from '../accounts/rules/list-place.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { lastTransactionNumber } from '../accounts/rows/entries.ts';
import type { Reader } from '../ledger/database.ts';
import {
  bookedTransactions,
  pendingTransactions,
  type TransactionRow,
  sandboxTransaction,
} from '../accounts/rows/transactions.ts';
import {
  consentedAccount,
  countRead,
  requireDetailsOpen,
  requireSessionFor,
  withAccess,
  type AccountAccess,
  type AccountRequest,
} from './account-access.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { transactionOf, type Transaction, withEntryDetails } from '../accounts/transaction.ts';
import { pagesBeside, placeOf, type PagesBeside } from './list-cursor.ts';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { transactionNumberIn } from '../accounts/rules/transaction-id.ts';

/** One page of an account's transactions; a list that the query does not ask for is null. */
export interface TransactionReport extends PagesBeside {
  readonly account: Account;
  readonly booked: readonly Transaction[] | null;
  readonly pending: readonly Transaction[] | null;
  readonly query: ReportQuery;
  /** Where the page begins in its list. */
  readonly place: ListPlace;
}

/**
 * Lists the transactions of one account of the consent, the latest first (quirk order: the last posted): booked ones of the period, paged by a cursor over the
 * list that the first page had (rules.md A9c), and all pending ones on every page (A9; quirk pending-filtered). Invalid dates:
 * PARAMETER_NOT_CONSISTENT or PERIOD_INVALID (A9b); an unknown cursor: PARAMETER_NOT_CONSISTENT; from more than 90 days before the first
 * page without a live session: CONSENT_INVALID with an SCA (A7), under the quirk full-history PERIOD_INVALID instead (Q10b); another
 * account: RESOURCE_UNKNOWN.
 */
export function listTransactions(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
  query: ReportQuery,
): Promise<TransactionReport> {
  return withAccess(bank, request, async (reader, access) => {
    const account = consentedAccount(access, accountId);
    const owner = { tppId: access.psu.tpp_id, resourceId: account.resource_id, state: access.state };
    const habits = { ignoresDates: ignoresDates(bank, query), isByPosting: bank.quirks.has('order') };
    const place = placeOf(owner, query, access.now, habits);
    await countRead(access, account, 'transactions');
    const areBooked = isListed(place, 'booked');
    if (areBooked) await requireSessionFor(reader, access, place.dateFrom, place.readAt);
    const booked = areBooked ? await pageOfBooked(reader, account, place, query.limit) : nothing;
    const pending = isListed(place, 'pending')
      ? await allPending(bank, reader, access, account, place, query.limit)
      : nothing;
    const transactions = ({ rows }: Lines) => rows?.map((row) => transactionOf(row, account.currency)) ?? null;
    const parts = { booked: partOf(booked), pending: partOf(pending) };
    return {
      account,
      booked: transactions(booked),
      pending: transactions(pending),
      query,
      place,
      ...(await pagesBeside(owner, place, query.limit, parts, () => lastTransactionNumber(reader))),
    };
  });
}

/** Whether the dates of a query mean nothing: pending transactions are not filtered by date (rules.md A9b). */
function ignoresDates({ quirks }: BankContext, { bookingStatus }: ReportQuery): boolean {
  return bookingStatus === 'pending' && !quirks.has('pending-filtered');
}

interface Lines {
  readonly rows: readonly TransactionRow[] | null;
  readonly hasNext: boolean;
}

const nothing: Lines = { rows: null, hasNext: false };

function partOf({ rows, hasNext }: Lines): { readonly last: RowPlace | null; readonly hasNext: boolean } {
  const last = rows?.at(-1);
  return { last: last === undefined ? null : rowPlaceOf(last), hasNext };
}

function rowPlaceOf({ booking_date: date, transaction_number: key, reservation }: TransactionRow): RowPlace {
  return { date, key: reservation?.id ?? key };
}

async function pageOfBooked(reader: Reader, account: Account, place: ListPlace, limit: number): Promise<Lines> {
  const wanted = withOneMore(windowOf(place, 'booked', limit));
  return pageOf(await bookedTransactions(reader, account.id, wanted, place.readAt), limit);
}

/** Under the quirk the period applies to the value date of a pending transaction, which has no booking date yet (rules.md A9). */
async function allPending(
  bank: BankContext,
  reader: Reader,
  { now }: AccountAccess,
  account: Account,
  place: ListPlace,
  limit: number,
): Promise<Lines> {
  const rows = await pendingTransactions(reader, account.id, now);
  if (!bank.quirks.has('pending-filtered')) return { rows, hasNext: false };
  const { from, to } = periodOf(place);
  const { lastKey, after } = place;
  const within = rows.filter((row) => row.value_date >= from && row.value_date <= to);
  const listed = lastKey === null ? within : within.filter((row) => row.transaction_number <= lastKey);
  const rest =
    after === null ? listed.slice(place.offset) : listed.filter((row) => comesAfter(rowPlaceOf(row), after.pending));
  return pageOf(rest, limit);
}

/**
 * Reads one booked transaction of an account of the consent. RESOURCE_UNKNOWN for one that the account does not have, and
 * for a pending one, which has no transactionId yet. Booked more than 90 days ago it needs a live session (rules.md A7).
 * Without the PSU, under the quirk details-days, CONSENT_EXPIRED with an SCA (Q10f).
 */
export function readTransaction(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
  transactionId: string,
): Promise<Transaction> {
  return withAccess(bank, request, async (reader, access) => {
    const account = consentedAccount(access, accountId);
    requireDetailsOpen(bank, access);
    const wanted = transactionNumberIn(transactionId);
    const row = wanted === null ? undefined : await sandboxTransaction(reader, account.id, wanted, access.now);
    const found = row === undefined ? null : transactionOf(row, account.currency);
    if (row === undefined || found === null || found.bookingDate === null) throw unknown(transactionId);
    await countRead(access, account, 'transaction-details');
    await requireSessionFor(reader, access, found.bookingDate);
    return withEntryDetails(reader, found, row);
  });
}

function unknown(transactionId: string): Refusal {
  const text =
    `The account has no booked transaction ${clip(transactionId)}. ` +
    'GET /v1/accounts/{id}/transactions lists them, with their transactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}
