import { pageOf, withOneMore } from '../values/lists.ts';
import { isListed, windowOf, type ListPlace, type Part } from '../accounts/rules/list-place.ts';
import type { ReportQuery } from '../accounts/rules/transaction-report.ts';
import type { CardAccount } from '../cards/rows/card-accounts.ts';
import { cardTransactions, lastCardKey, type CardTransaction } from '../cards/rows/card-transactions.ts';
import { countRead, requireSessionFor, withAccess, type AccountRequest } from './account-access.ts';
import { osloDate } from '../values/instant.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { pagesBeside, placeOf, type PagesBeside } from './list-cursor.ts';
import { consentedCard } from './read-card-account.ts';

/** One page of a card's transactions; a list that the query does not ask for is null. */
export interface CardTransactionReport extends PagesBeside {
  readonly card: CardAccount;
  readonly booked: readonly CardTransaction[] | null;
  readonly pending: readonly CardTransaction[] | null;
  readonly query: ReportQuery;
  /** Where the page begins in its list. */
  readonly place: ListPlace;
}

/**
 * Lists the transactions of one card of the consent, the latest first (quirk order: the last posted). Unlike those of an account, pending ones are also
 * filtered by date and paged (rules.md A9). Pages and refusals as for accounts: PARAMETER_NOT_CONSISTENT (A9b, A9c), PERIOD_INVALID
 * (A9b), CONSENT_INVALID (A7), ACCESS_EXCEEDED (A8).
 */
export function listCardTransactions(
  bank: BankContext,
  request: AccountRequest,
  cardId: string,
  query: ReportQuery,
): Promise<CardTransactionReport> {
  return withAccess(bank, request, async (reader, access) => {
    const card = await consentedCard(reader, access, cardId);
    const owner = { tppId: access.psu.tpp_id, resourceId: card.resource_id, state: access.state };
    const habits = { ignoresDates: false, isByPosting: bank.quirks.has('order') };
    const place = placeOf(owner, query, access.now, habits);
    await requireSessionFor(reader, access, place.dateFrom, place.readAt);
    await countRead(access, card, 'transactions');
    const { limit } = query;
    const today = osloDate(place.readAt);
    const page = async (status: 'booked' | 'pending') => {
      if (!isListed(place, status)) return { rows: null, hasNext: false };
      const wanted = withOneMore({ ...windowOf(place, status, limit), isBooked: status === 'booked', today });
      return pageOf(await cardTransactions(reader, card.id, wanted), limit);
    };
    const [booked, pending] = [await page('booked'), await page('pending')];
    const parts = { booked: partOf(booked), pending: partOf(pending) };
    return {
      card,
      booked: booked.rows,
      pending: pending.rows,
      query,
      place,
      ...(await pagesBeside(owner, place, limit, parts, () => lastCardKey(reader))),
    };
  });
}

type Cards = { readonly rows: readonly CardTransaction[] | null; readonly hasNext: boolean };

function partOf({ rows, hasNext }: Cards): Part {
  const last = rows?.at(-1);
  const date = last?.booking_date ?? last?.transaction_date;
  return { last: last === undefined || date === undefined ? null : { date, key: last.id }, hasNext };
}
