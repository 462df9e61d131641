import { Refusal } from '../values/fault.ts';
import { pageOf, withOneMore, type Page } from '../values/page.ts';
import { reportPeriod, type ReportPeriod, type ReportQuery } from '../accounts/rules/transaction-report.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import type { Reader } from '../ledger/database.ts';
import { bookedTransactions, pendingTransactions, type TransactionRow } from '../accounts/rows/transactions.ts';
import {
  consentedAccount,
  countRead,
  requireSessionFor,
  withAccess,
  type AccountAccess,
  type AccountRequest,
} from './account-access.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { transactionOf, type Transaction } from '../accounts/transaction.ts';

/** One page of an account's transactions; a list that the query does not ask for is null. */
export interface TransactionReport {
  readonly account: Account;
  readonly booked: readonly Transaction[] | null;
  readonly pending: readonly Transaction[] | null;
  /** The query with its dateFrom filled in. */
  readonly query: ReportQuery;
  readonly hasNext: boolean;
}

/**
 * Lists the transactions of one account of the consent, the latest first: booked ones of the period, paged, and all
 * pending ones on every page (rules.md A9; quirk pending-filtered). Invalid dates: PARAMETER_NOT_CONSISTENT or
 * PERIOD_INVALID (A9b); from more than 90 days ago without a live session: CONSENT_INVALID with an SCA (A7); another
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
    const period = reportPeriod(ignoresDates(bank, query) ? withoutDates : query, access.now);
    if ('code' in period) throw new Refusal(period);
    await countRead(access, account, 'transactions');
    const isWanted = (status: 'booked' | 'pending') => query.bookingStatus === status || query.bookingStatus === 'both';
    if (isWanted('booked')) await requireSessionFor(reader, access, period.from);
    const booked = isWanted('booked') ? await pageOfBooked(reader, access, account, period, query) : nothing;
    const pending = isWanted('pending') ? await allPending(bank, reader, access, account, period, query) : nothing;
    const transactions = ({ rows }: Lines) => rows?.map((row) => transactionOf(row, account.currency)) ?? null;
    return {
      account,
      booked: transactions(booked),
      pending: transactions(pending),
      query: { ...query, dateFrom: query.dateFrom ?? period.from },
      hasNext: booked.hasNext || pending.hasNext,
    };
  });
}

/** Pending transactions are not filtered by date, so that dates beside them alone say nothing (rules.md A9b). */
function ignoresDates({ quirks }: BankContext, { bookingStatus }: ReportQuery): boolean {
  return bookingStatus === 'pending' && !quirks.has('pending-filtered');
}

const withoutDates = { dateFrom: null, dateTo: null };

interface Lines {
  readonly rows: readonly TransactionRow[] | null;
  readonly hasNext: boolean;
}

const nothing: Lines = { rows: null, hasNext: false };

async function pageOfBooked(
  reader: Reader,
  { now }: AccountAccess,
  account: Account,
  period: ReportPeriod,
  page: Page,
): Promise<Lines> {
  const rows = await bookedTransactions(reader, account.id, { ...period, ...withOneMore(page) }, now);
  return pageOf(rows, page.limit);
}

/** Under the quirk a pending one is in the period by its value date: it has no booking date yet (rules.md A9). */
async function allPending(
  bank: BankContext,
  reader: Reader,
  { now }: AccountAccess,
  account: Account,
  { from, to }: ReportPeriod,
  { offset, limit }: Page,
): Promise<Lines> {
  const rows = await pendingTransactions(reader, account.id, now);
  if (!bank.quirks.has('pending-filtered')) return { rows, hasNext: false };
  const within = rows.filter((row) => row.value_date >= from && row.value_date <= to);
  return pageOf(within.slice(offset), limit);
}
