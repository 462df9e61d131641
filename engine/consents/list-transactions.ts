import type { Row } from '../ledger/database.ts';
import { pageOf, withOneMore } from '../values/lists.ts';
import {
  type ReportQuery,
  comesAfter,
  isListed,
  periodOf,
  windowOf,
  type ListPlace,
  type RowPlace,
  transactionNumberIn,
  type Part,
  beginList,
  checkBesideCursor,
  nextPlace,
  previousPlace,
  type ListQuirks,
} from '../accounts/rules/transaction-list.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { lastTransactionNumber } from '../accounts/rows/entries.ts';
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
  type AccountRequest,
} from './account-access.ts';
import type { BankContext, Reading } from '../bank/bank-context.ts';
import { transactionOf, type Transaction, withEntryDetails } from '../accounts/transaction.ts';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { type CardAccount, cardTransactions, lastCardKey, type CardTransaction } from '../cards/rows/cards.ts';
import { osloDate, type Instant } from '../values/instant.ts';
import { consentedCard } from './read-account.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** One page of transactions; a list that the query does not ask for is null. */
interface Report<Line> extends PagesBeside {
  readonly booked: readonly Line[] | null;
  readonly pending: readonly Line[] | null;
  readonly query: ReportQuery;
  /** Where the page begins in its list. */
  readonly place: ListPlace;
}

/** One page of an account's transactions. */
export interface TransactionReport extends Report<Transaction> {
  readonly account: Account;
}

/**
 * Lists the transactions of one account of the consent, the latest first (quirk order: the last posted): booked ones of
 * the period, paged by a cursor over the list that the first page had (rules.md A9c), and all pending ones on every
 * page (A9; quirk pending-filtered). Invalid dates: PARAMETER_NOT_CONSISTENT or PERIOD_INVALID (A9b); an unknown
 * cursor: PARAMETER_NOT_CONSISTENT; from more than 90 days before the first page without a live session:
 * CONSENT_INVALID with an SCA (A7), under the quirk full-history PERIOD_INVALID instead (Q10b); another account:
 * RESOURCE_UNKNOWN.
 */
export function listTransactions(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
  query: ReportQuery,
): Promise<TransactionReport> {
  return withAccess(bank, request, async (access) => {
    const account = consentedAccount(access, accountId);
    const owner = { tppId: access.psu.tpp_id, resourceId: account.resource_id, state: access.state };
    const quirks = { ignoresDates: ignoresDates(bank, query), isByPosting: bank.quirks.has('order') };
    const place = placeOf(owner, query, access.now, quirks);
    await countRead(access, account, 'transactions');
    const areBooked = isListed(place, 'booked');
    if (areBooked) await requireSessionFor(access, place.dateFrom, place.readAt);
    const booked = areBooked ? await readBookedPage(access, account, place, query.limit) : nothing;
    const pending = isListed(place, 'pending') ? await allPending(access, account, place, query.limit) : nothing;
    const transactions = ({ rows }: Lines<TransactionRow>) =>
      rows?.map((row) => transactionOf(row, account.currency)) ?? null;
    const parts = { booked: partOf(booked, rowPlaceOf), pending: partOf(pending, rowPlaceOf) };
    return {
      account,
      booked: transactions(booked),
      pending: transactions(pending),
      query,
      place,
      ...(await pagesBeside(owner, place, {
        limit: query.limit,
        parts,
        lastKey: () => lastTransactionNumber(access.reader),
      })),
    };
  });
}

/** Whether the dates of a query mean nothing: pending transactions are not filtered by date (rules.md A9b). */
function ignoresDates({ quirks }: BankContext, { bookingStatus }: ReportQuery): boolean {
  return bookingStatus === 'pending' && !quirks.has('pending-filtered');
}

interface Lines<Row> {
  readonly rows: readonly Row[] | null;
  readonly hasNext: boolean;
}

const nothing: Lines<never> = { rows: null, hasNext: false };

function partOf<Row>({ rows, hasNext }: Lines<Row>, placeOfRow: (row: Row) => RowPlace): Part {
  const last = rows?.at(-1);
  return { last: last === undefined ? null : placeOfRow(last), hasNext };
}

function rowPlaceOf({ booking_date: date, transaction_number: key, reservation }: TransactionRow): RowPlace {
  return { date, key: reservation?.id ?? key };
}

async function readBookedPage(
  { reader }: Reading,
  account: Account,
  place: ListPlace,
  limit: number,
): Promise<Lines<TransactionRow>> {
  const wanted = withOneMore(windowOf(place, 'booked', limit));
  return pageOf(await bookedTransactions(reader, account.id, wanted, place.readAt), limit);
}

/**
 * Under the quirk the period applies to the value date of a pending transaction, which has no booking date yet
 * (rules.md A9).
 */
async function allPending(
  { bank, reader, now }: Reading,
  account: Account,
  place: ListPlace,
  limit: number,
): Promise<Lines<TransactionRow>> {
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
 * Reads one booked transaction of an account of the consent. RESOURCE_UNKNOWN for one that the account does not have,
 * and for a pending one, which has no transactionId yet. Booked more than 90 days ago it needs a live session (rules.md
 * A7). Without the PSU, under the quirk details-days, CONSENT_EXPIRED with an SCA (Q10f).
 */
export function readTransaction(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
  transactionId: string,
): Promise<Transaction> {
  return withAccess(bank, request, async (access) => {
    const { reader } = access;
    const account = consentedAccount(access, accountId);
    requireDetailsOpen(access);
    const wanted = transactionNumberIn(transactionId);
    const row = wanted === null ? undefined : await sandboxTransaction(reader, account.id, wanted, access.now);
    const found = row === undefined ? null : transactionOf(row, account.currency);
    if (row === undefined || found === null || found.bookingDate === null) throw unknownTransaction(transactionId);
    await countRead(access, account, 'transaction-details');
    await requireSessionFor(access, found.bookingDate);
    return withEntryDetails(reader, found, row);
  });
}

function unknownTransaction(transactionId: string): Refusal {
  const text =
    `The account has no booked transaction ${clip(transactionId)}. ` +
    'GET /v1/accounts/{id}/transactions lists them, with their transactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}

/** One page of a card's transactions. */
export interface CardTransactionReport extends Report<CardTransaction> {
  readonly card: CardAccount;
}

/**
 * Lists the transactions of one card of the consent, the latest first (quirk order: the last posted). Unlike those of
 * an account, pending ones are also filtered by date and paged (rules.md A9). Pages and refusals as for accounts:
 * PARAMETER_NOT_CONSISTENT (A9b, A9c), PERIOD_INVALID (A9b), CONSENT_INVALID (A7), ACCESS_EXCEEDED (A8).
 */
export function listCardTransactions(
  bank: BankContext,
  request: AccountRequest,
  cardId: string,
  query: ReportQuery,
): Promise<CardTransactionReport> {
  return withAccess(bank, request, async (access) => {
    const card = await consentedCard(access, cardId);
    const owner = { tppId: access.psu.tpp_id, resourceId: card.resource_id, state: access.state };
    const quirks = { ignoresDates: false, isByPosting: bank.quirks.has('order') };
    const place = placeOf(owner, query, access.now, quirks);
    await requireSessionFor(access, place.dateFrom, place.readAt);
    await countRead(access, card, 'transactions');
    const { limit } = query;
    const today = osloDate(place.readAt);
    const page = async (status: 'booked' | 'pending') => {
      if (!isListed(place, status)) return nothing;
      const wanted = withOneMore({ ...windowOf(place, status, limit), isBooked: status === 'booked', today });
      return pageOf(await cardTransactions(access.reader, card.id, wanted), limit);
    };
    const [booked, pending] = [await page('booked'), await page('pending')];
    const parts = { booked: partOf(booked, cardPlaceOf), pending: partOf(pending, cardPlaceOf) };
    return {
      card,
      booked: booked.rows,
      pending: pending.rows,
      query,
      place,
      ...(await pagesBeside(owner, place, { limit, parts, lastKey: () => lastCardKey(access.reader) })),
    };
  });
}

function cardPlaceOf({ booking_date, transaction_date, id }: CardTransaction): RowPlace {
  return { date: booking_date ?? transaction_date, key: id };
}

/** The owner of the list that a cursor continues. */
interface CursorOwner {
  readonly tppId: string;
  /** `resource_id` of the account or card account. */
  readonly resourceId: string;
  /** `list_key` changes with each reset, initialize and restore. */
  readonly state: Pick<Row<'bank_state'>, 'list_key'>;
}

/** The cursors of the next and the previous page; null at an end of the list. */
export interface PagesBeside {
  readonly next: string | null;
  readonly previous: string | null;
}

/**
 * Where the page of a query begins. Throws a Refusal with a fault of {@link beginList}, or of {@link openCursor} if the
 * query continues a list.
 */
function placeOf(owner: CursorOwner, query: ReportQuery, now: Instant, quirks: ListQuirks): ListPlace {
  if (query.cursor !== null) return openCursor(owner, query.cursor, query);
  const begun = beginList(query, now, quirks);
  if ('code' in begun) throw new Refusal(begun);
  return begun;
}

/** A page of a list as it was read. */
interface PageRead {
  readonly limit: number;
  readonly parts: Readonly<Record<'booked' | 'pending', Part>>;
  /** Reads the highest key of any such list; only a first page needs it. */
  readonly lastKey: () => Promise<number>;
}

/** Seals the places of the next and the previous page. */
async function pagesBeside(
  owner: CursorOwner,
  place: ListPlace,
  { limit, parts, lastKey }: PageRead,
): Promise<PagesBeside> {
  const [next, previous] = [nextPlace(place, limit, parts), previousPlace(place, limit)];
  if (next === null && previous === null) return { next, previous };
  const last = place.lastKey ?? (await lastKey());
  const seal = (beside: ListPlace | null) => beside && sealCursor(owner, { ...beside, lastKey: last });
  return { next: seal(next), previous: seal(previous) };
}

const sealBytes = 16;
/** Changes with the members of a ListPlace, so that a cursor of an older version is unknown. */
const version = 1;

/**
 * A place as a text that only this ledger can make: a seal over place, TPP and account, followed by the place, in
 * base64url (rules.md A9c). The ledger stores no cursor.
 */
function sealCursor(owner: CursorOwner, place: ListPlace): string {
  const text = JSON.stringify(place);
  return Buffer.concat([sealOf(owner, text), Buffer.from(text)]).toString('base64url');
}

/**
 * The place in a cursor of this account and TPP. PARAMETER_NOT_CONSISTENT for a text that {@link sealCursor} did not
 * make for them since the last reset, initialize or restore, and for other parameters than those of its list.
 */
function openCursor(owner: CursorOwner, cursor: string, query: ReportQuery): ListPlace {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.toString('utf8', sealBytes);
  const seal = bytes.subarray(0, sealBytes);
  const isWhole = seal.length === sealBytes && bytes.toString('base64url') === cursor;
  if (!isWhole || !timingSafeEqual(seal, sealOf(owner, text))) throw new Refusal(unknownCursor);
  const place = JSON.parse(text) as ListPlace;
  const fault = checkBesideCursor(query, place);
  if (fault !== null) throw new Refusal(fault);
  return place;
}

function sealOf({ tppId, resourceId, state }: CursorOwner, text: string): Buffer {
  const sealed = JSON.stringify([version, tppId, resourceId, text]);
  return createHmac('sha256', state.list_key).update(sealed).digest().subarray(0, sealBytes);
}

const unknownCursor = {
  code: 'PARAMETER_NOT_CONSISTENT',
  path: 'cursor',
  text:
    'No list of this account and this TPP has this cursor. Use `_links.next` unchanged. A reset, an initialize or a restore ends every ' +
    'cursor.',
} as const;
