import * as Type from 'typebox';
import { pageOf } from '../../../engine/values/lists.ts';
import type { TransactionWindow } from '../../../engine/accounts/rows/transactions.ts';
import { meaning } from '../../bodies/schema.ts';
import { date } from '../../bodies/values.ts';
import type { Answer } from '../../pipeline/endpoint.ts';
import type { QueryReader } from '../../pipeline/query-reader.ts';

/** Default `limit`: more than a person reads, less than an account may have. */
const defaultLimit = 1000;
const largestInt32 = 2 ** 31 - 1;

/** Query parameters of a list of mock transactions. */
export const windowParameters = {
  fromDate: meaning('The first booking date.', date),
  toDate: meaning('The last booking date.', date),
  offset: Type.Integer({
    description: 'How many transactions to leave out.',
    minimum: 0,
    maximum: largestInt32,
    default: 0,
  }),
  limit: Type.Integer({
    description: 'How many transactions to answer with at most.',
    minimum: 1,
    maximum: largestInt32,
    default: defaultLimit,
  }),
};

/**
 * Query of GET /v1/sandbox/accounts/{id}/transactions (real-api-facts.md 10): booking dates, both inclusive; offset and
 * limit as int32. PERIOD_INVALID if fromDate is after toDate.
 */
export function transactionWindow(reader: QueryReader): TransactionWindow {
  const from = reader.date('fromDate');
  const to = reader.date('toDate');
  if (from !== null && to !== null && from > to) {
    const text = `fromDate ${from} is after toDate ${to}. Send the earlier date as fromDate.`;
    reader.add({ code: 'PERIOD_INVALID', path: 'fromDate', text });
  }
  const offset = reader.count('offset', { least: 0, most: largestInt32, otherwise: 0 });
  const limit = reader.count('limit', { least: 1, most: largestInt32, otherwise: defaultLimit });
  reader.finish();
  return { from, to, offset, limit };
}

/**
 * Answers with a plain array of at most `limit` rows. `read` holds one row more if there is a next page, and a Link header
 * then leads to it (RFC 8288).
 */
export function pageAnswer({ from, to, offset, limit }: TransactionWindow, read: readonly unknown[]): Answer {
  const { rows: body, hasNext } = pageOf(read, limit);
  if (!hasNext) return { status: 200, body };
  const dates = `${from === null ? '' : `fromDate=${from}&`}${to === null ? '' : `toDate=${to}&`}`;
  return { status: 200, body, headers: { link: `<?${dates}offset=${offset + limit}&limit=${limit}>; rel="next"` } };
}
