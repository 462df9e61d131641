import { Refusal } from '../values/fault.ts';
import { pageOf, withOneMore } from '../values/page.ts';
import { reportPeriod, type ReportQuery } from '../accounts/rules/transaction-report.ts';
import type { CardAccount } from '../cards/rows/card-accounts.ts';
import { cardTransactions, type CardTransaction } from '../cards/rows/card-transactions.ts';
import { countRead, requireSessionFor, withAccess, type AccountRequest } from './account-access.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { consentedCard } from './read-card-account.ts';

/** One page of a card's transactions; a list that the query does not ask for is null. */
export interface CardTransactionReport {
  readonly card: CardAccount;
  readonly booked: readonly CardTransaction[] | null;
  readonly pending: readonly CardTransaction[] | null;
  /** The query with its dateFrom filled in. */
  readonly query: ReportQuery;
  readonly hasNext: boolean;
}

/**
 * Lists the transactions of one card of the consent, the latest first. Unlike those of an account, pending ones are also
 * filtered by date and paged (rules.md A9). Refusals as for accounts: PARAMETER_NOT_CONSISTENT, PERIOD_INVALID (A9b),
 * CONSENT_INVALID (A7), ACCESS_EXCEEDED (A8).
 */
export function listCardTransactions(
  bank: BankContext,
  request: AccountRequest,
  cardId: string,
  query: ReportQuery,
): Promise<CardTransactionReport> {
  return withAccess(bank, request, async (reader, access) => {
    const card = await consentedCard(reader, access, cardId);
    const period = reportPeriod(query, access.now);
    if ('code' in period) throw new Refusal(period);
    await requireSessionFor(reader, access, period.from);
    await countRead(access, card, 'transactions');
    const { offset, limit } = query;
    const page = async (status: 'booked' | 'pending') => {
      if (query.bookingStatus !== status && query.bookingStatus !== 'both') return null;
      const window = withOneMore({ ...period, offset, limit, isBooked: status === 'booked' });
      return pageOf(await cardTransactions(reader, card.id, window), limit);
    };
    const [booked, pending] = [await page('booked'), await page('pending')];
    return {
      card,
      booked: booked?.rows ?? null,
      pending: pending?.rows ?? null,
      query: { ...query, dateFrom: period.from },
      hasNext: booked?.hasNext === true || pending?.hasNext === true,
    };
  });
}
