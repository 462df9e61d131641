import { describe, expect, test } from '@jest/globals';
import { quirk as cardValueDates } from '../../api/quirks/card-value-dates.ts';
import type { QuirkFile } from '../../api/quirks/quirk-file.ts';
import { quirk as lenientHeaders } from '../../api/quirks/lenient-headers.ts';
import { quirk as monthEndBookings } from '../../api/quirks/month-end-bookings.ts';
import { quirk as order } from '../../api/quirks/order.ts';
import { quirk as weekendValues } from '../../api/quirks/weekend-values.ts';
import { defaultSettlementTimes, runSchedule } from '../../engine/time/rules/settlement-run.ts';
import { calendar } from '../lab/bank.ts';

/* Which answers show a quirk of the ledger (rules.md D3c, Q5). */

const list = 'GET /v1/accounts/{accountId}/transactions';
const schedule = runSchedule(defaultSettlementTimes, calendar);

/** Whether a list of these transactions, the first one first, has met the quirk. */
function isMetBy({ met }: QuirkFile, booked: readonly object[], operation = list): boolean | undefined {
  const all = booked.map((one) => ({ amount: { minor: -100n, currency: 'NOK' }, isFee: false, details: {}, ...one }));
  return met?.(
    { operation, status: 200, transactions: { booked: all, pending: [] } } as never,
    { bank: { schedule } } as never,
  );
}

test.each([
  [[], false],
  [['2027-03-02', '2027-03-01'], false],
  [['2027-03-02', '2027-03-02'], false],
  [['2027-03-01', '2027-03-02'], true],
  [['2027-03-02', '2027-03-01', '2027-03-02'], true],
])('register 34: the order of %j is that of posting: %s', (days, isMet) => {
  const booked = days.map((bookingDate) => ({ bookingDate }));
  expect(isMetBy(order, booked)).toBe(isMet);
  expect(isMetBy(order, booked, `${list}/{transactionId}`)).toBe(false);
});

describe('quirks of dates', () => {
  // 6 March 2027 is a Saturday, 27 February the Saturday that ends no month, 5 January 1980 one before the calendar.
  const foreign = {
    details: { bankTransactionCode: 'CARD-CCRD-XBPO', originalAmount: { currency: 'EUR', amount: '-1.00' } },
  };
  test.each<[what: string, quirk: QuirkFile, booked: string | null, value: string, more: object, isMet: boolean]>([
    ['23: valued on Saturday', weekendValues, '2027-03-08', '2027-03-06', {}, true],
    ['23: valued on Friday', weekendValues, '2027-03-08', '2027-03-05', {}, false],
    ['23: booked and valued on Saturday', weekendValues, '2027-03-06', '2027-03-06', {}, false],
    ['23: valued on the Saturday after', weekendValues, '2027-03-05', '2027-03-06', {}, false],
    ['23: pending', weekendValues, null, '2027-03-06', {}, false],
    ['23: before the calendar of the banks', weekendValues, '2027-03-08', '1980-01-05', {}, false],
    ['25: a fee on Saturday', monthEndBookings, '2027-03-06', '2027-03-06', { isFee: true }, true],
    ['25: a fee on Monday', monthEndBookings, '2027-03-08', '2027-03-06', { isFee: true }, false],
    ['25: another booking on Saturday', monthEndBookings, '2027-03-06', '2027-03-06', {}, false],
    ['25: a pending fee', monthEndBookings, null, '2027-03-06', { isFee: true }, false],
    ['25: before the calendar of the banks', monthEndBookings, '1980-01-05', '1980-01-05', { isFee: true }, false],
    ['22: valued later', cardValueDates, '2027-03-01', '2027-03-02', foreign, true],
    ['22: valued on its day', cardValueDates, '2027-03-01', '2027-03-01', foreign, false],
    ['22: valued before', cardValueDates, '2027-03-02', '2027-03-01', foreign, false],
    [
      '22: at home',
      cardValueDates,
      '2027-03-01',
      '2027-03-02',
      { details: { bankTransactionCode: 'CARD-NCRD-POSD' } },
      false,
    ],
    [
      '22: no card',
      cardValueDates,
      '2027-03-01',
      '2027-03-02',
      { details: { ...foreign.details, bankTransactionCode: 'PMNT-IICT-XBCT' } },
      false,
    ],
    ['22: pending', cardValueDates, null, '2027-03-02', foreign, false],
  ])('register %s: %#', (_, quirk, bookingDate, valueDate, more, isMet) => {
    expect(isMetBy(quirk, [{ bookingDate, valueDate, ...more }])).toBe(isMet);
  });
});

test.each([
  [null, null, true],
  ['x', null, true],
  [null, 'session', true],
  ['x', 'session', false],
])(
  'register 45: a standing order with X-Accept-Fix %j and TPP-Session-ID %j has met lenient-headers: %s',
  (acceptFix, sessionId, isMet) => {
    const answer = { operation: 'POST /v1/periodic-payments/{product}', status: 201 } as never;
    expect(lenientHeaders.met?.(answer, { call: { headers: { acceptFix, sessionId } } } as never)).toBe(isMet);
  },
);
