import * as Type from 'typebox';
import type { AccountRequest } from '../../../engine/consents/account-access.ts';
import { flag, integer, meaning, text } from '../../bodies/schema.ts';
import { date } from '../../bodies/values.ts';
import type { Call } from '../../pipeline/endpoint.ts';
import { psuOf } from '../../pipeline/request-headers.ts';
import type { QueryReader } from '../../pipeline/target.ts';
import type { ReportQuery } from '../../../engine/accounts/rules/transaction-list.ts';

/** TPP, PSU and return address of a request for account information. */
export function accountRequest({ tpp, headers }: Call): AccountRequest {
  return {
    tpp,
    psu: psuOf(headers),
    context: headers.psuContext,
    redirectUri: headers.redirectUri,
    sessionId: headers.sessionId,
    psuIsPresent: headers.psuIpAddress !== null,
  };
}

/** `withBalance` of GET /v1/accounts and /v1/accounts/{id} (real-api-facts.md 9.1). */
export const balanceParameters = {
  withBalance: flag('Whether to answer with the balances too.', { default: false }),
};

/** The banks recommend a limit of 100 to 200; clients send up to 500 (real-api-facts.md 9.3). */
export const defaultLimit = 200;
export const maxLimit = 1000;
const maxInt32 = 2 ** 31 - 1;

/** Query parameters of a transaction report. */
export const reportParameters = {
  bookingStatus: Type.Unsafe<string>({
    description: 'Which transactions; dates, offset and limit choose among the booked ones.',
    type: 'string',
    enum: ['booked', 'pending', 'both'],
    default: 'both',
  }),
  dateFrom: meaning('The first booking date.', date),
  dateTo: meaning('The last booking date.', date),
  offset: integer('How many transactions to leave out, the newest first.', {
    minimum: 0,
    maximum: maxInt32,
    default: 0,
  }),
  cursor: text(
    'A place in a list, from `_links.next` of one of its pages: the list goes on as its first page had it, whatever is booked, posted or ' +
      'deleted meanwhile. It ends with a reset, an initialize or a restore.',
  ),
  limit: integer('How many transactions to answer with at most.', {
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
  }),
};

/** Query of GET /v1/accounts/{id}/transactions; FORMAT_ERROR or PARAMETER_NOT_SUPPORTED for a wrong value. */
export function reportQuery(reader: QueryReader): ReportQuery {
  const wanted = {
    bookingStatus: reader.word('bookingStatus', ['booked', 'pending', 'both'], null),
    dateFrom: reader.date('dateFrom'),
    dateTo: reader.date('dateTo'),
    offset: reader.count('offset', { least: 0, most: maxInt32, otherwise: null }),
    limit: reader.count('limit', { least: 1, most: maxLimit, otherwise: defaultLimit }),
    cursor: reader.text('cursor'),
  };
  reader.finish();
  return wanted;
}
