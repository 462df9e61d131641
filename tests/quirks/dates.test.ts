import { describe, expect, test } from '@jest/globals';
import { switched, noQuirks, type Quirk, type Quirks } from '../../engine/bank/rules/quirk.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { type AskedDays, datesOf, type DatingTerms } from '../../engine/settlement/rules/posting-dates.ts';
import { firstRunAfter, defaultSettlementTimes, runSchedule } from '../../engine/time/rules/settlement-run.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, calendar } from '../lab/bank.ts';
import { accounts, balancesOf, inspected, nora, paid, sepaPayment, transactionsOf } from '../lab/products.ts';
import { startTestBank } from '../lab/server.ts';
import { tell } from '../support/story.ts';
import { statementForAll } from './statement.ts';

/* rules.md D3c: quirks of dates. They are dates of the ledger, not only of the wire. */

const { bban } = accounts.noraNok;
const runs = runSchedule(defaultSettlementTimes, calendar);

/** Of what is posted at an instant, or on a day, under one quirk. */
const termsOf = (quirk: Quirk, posted: string, value: string | true = true): DatingTerms => {
  const postedAt = at(posted);
  const quirks = quirksOf({ [quirk]: value });
  return { quirks, calendar, isRun: true, postedAt, next: firstRunAfter(postedAt, runs.booking) };
};

describe('register 23: weekend-values', () => {
  test.each([
    ['a Saturday', '2027-03-06', '2027-03-01', '2027-03-08', '2027-03-06'],
    ['a Sunday', '2027-03-07', '2027-03-01', '2027-03-08', '2027-03-07'],
    ['Easter Monday', '2027-03-29', '2027-03-01', '2027-03-30', '2027-03-29'],
    ['signed on Sunday for Saturday', '2027-03-06', '2027-03-07', '2027-03-08', '2027-03-07'],
    ['signed on Monday for Saturday', '2027-03-06', '2027-03-08', '2027-03-08', '2027-03-08'],
    ['signed a week later', '2027-03-06', '2027-03-15', '2027-03-15', '2027-03-15'],
    ['a banking day', '2027-03-05', '2027-03-01', '2027-03-05', '2027-03-05'],
    ['moved to the banking day before', '2027-03-06', '2027-03-01', '2027-03-05', '2027-03-05'],
  ])('%s', (_what, wanted, signed, executed, value) => {
    const executionDate = localDate(executed);
    const posting = { isFee: false, isInside: false, executionDate, valueDate: null };
    const dated = (days: AskedDays | null) => datesOf({ ...posting, asked: days }, termsOf('weekend-values', executed));
    expect(dated({ wanted: localDate(wanted), signed: localDate(signed) }).valueDate).toBe(value);
    expect(dated(null).valueDate).toBe(executionDate);
  });

  const asked = `
    at    2027-03-01 12:00
    pay   rent 100.00 nora -> even on 2027-03-06
    sign  rent
    order dues 200.00 nora -> even Weekly from 2027-03-07 until 2027-03-07
    sign  dues
    at    2027-03-08 09:30                        | 2027-03-08/1 settled 2; 2027-03-08/2 booked 2`;

  test.each([
    ['by default both are valued on Monday', {}, '2027-03-08', '2027-03-08'],
    ['with it on the days for which they were wanted', { 'weekend-values': true }, '2027-03-06', '2027-03-07'],
  ])('%s', async (_what, quirks, rent, dues) => {
    const { bank } = await tell(
      `${asked}
       transactions nora | -100.00 booked 2027-03-08 value ${rent}, -200.00 booked 2027-03-08 value ${dues}
       transactions even | 100.00 booked 2027-03-08 value ${rent}, 200.00 booked 2027-03-08 value ${dues}`,
      { quirks: quirksOf(quirks) },
    );
    expect((await proveLedger(bank)).ok).toBe(true);
  });
});

describe('S6b: value-date=run-day-booked', () => {
  test.each([
    ['the last run of a day books itself', '2027-03-05T15:30:00+01:00', '2027-03-05', '2027-03-05T15:30:00.000+01:00'],
    [
      'an earlier one is booked by the next',
      '2027-03-05T13:30:00+01:00',
      '2027-03-05',
      '2027-03-05T15:30:00.000+01:00',
    ],
  ])('%s', (_what, posted, date, instant) => {
    const executionDate = localDate(posted.slice(0, 10));
    const posting = { isFee: false, isInside: false, executionDate, valueDate: null, asked: null };
    const { bookingDate, bookedAt } = datesOf(posting, termsOf('value-date', posted, 'run-day-booked'));
    expect([bookingDate, formatInstant(bookedAt)]).toEqual([date, instant]);
  });
});

describe('register 25: month-end-bookings', () => {
  test.each([
    ['the last run before a Sunday', '2027-02-26T15:30:00+01:00', '2027-02-28', '2027-02-28T00:00:00.000+01:00'],
    ['the last run of the last day', '2027-03-31T15:30:00+02:00', '2027-03-31', '2027-03-31T15:30:00.000+02:00'],
    [
      'the last run before a last day with runs',
      '2027-03-30T15:30:00+02:00',
      '2027-03-31',
      '2027-03-31T05:30:00.000+02:00',
    ],
    ['an earlier run of that day', '2027-02-26T13:30:00+01:00', '2027-02-26', '2027-02-26T15:30:00.000+01:00'],
    ['the middle of a month', '2027-02-12T15:30:00+01:00', '2027-02-15', '2027-02-15T05:30:00.000+01:00'],
  ])('%s', (_what, posted, date, instant) => {
    const terms = termsOf('month-end-bookings', posted);
    const dated = (isFee: boolean) => {
      const executionDate = localDate(posted.slice(0, 10));
      const { bookingDate, bookedAt } = datesOf(
        { isFee, isInside: false, executionDate, valueDate: null, asked: null },
        terms,
      );
      return [bookingDate, formatInstant(bookedAt)];
    };
    expect(dated(true)).toEqual([date, instant]);
    expect(dated(false)).toEqual([terms.next.date, formatInstant(terms.next.at)]);
  });

  test('the fee of a payment is booked on Sunday 28 February, the payment on Monday', async () => {
    await using bank = await startTestBank('2027-02-26T14:00:00+01:00', ['--quirks=month-end-bookings']);
    const id = await paid(bank, 'sepa', sepaPayment());
    const booked = async (to: string): Promise<unknown[]> => {
      await bank.advance({ to });
      const { entries } = await inspected(bank, id);
      return entries
        .filter((entry: { leg: string }) => entry.leg === 'debtor')
        .map(({ bookingDate }: { bookingDate: string | null }) => bookingDate);
    };
    expect(await booked('2027-02-27T23:59:59+01:00')).toEqual([null, null]);
    const before = await balancesOf(bank, nora, bban);
    expect(await booked('2027-02-28T00:00:00+01:00')).toEqual([null, '2027-02-28']);
    const after = await balancesOf(bank, nora, bban);
    expect(before.openingBooked).toBe(after.openingBooked);
    expect(before.interimBooked).not.toBe(after.interimBooked);
    expect(await booked('2027-03-01T05:29:00+01:00')).toEqual([null, '2027-02-28']);
    expect((await balancesOf(bank, nora, bban)).openingBooked).toBe(after.interimBooked);
    expect(await booked('2027-03-01T05:30:00+01:00')).toEqual(['2027-03-01', '2027-02-28']);
    const { booked: listed } = await transactionsOf(bank, nora, bban);
    expect(listed).toMatchObject([{ bookingDate: '2027-03-01' }, { bookingDate: '2027-02-28' }]);
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  });
});

describe('mock transactions', () => {
  const statement = statementForAll();

  const abroad = { originalAmount: { amount: -10, currency: 'EUR' } };
  test.each([
    ['register 22: of a Monday is valued on Tuesday', '2027-03-15', abroad, '2027-03-16'],
    ['register 22: of a Friday is valued on Monday', '2027-03-12', abroad, '2027-03-15'],
    ['with a value date of its own keeps it', '2027-03-12', { ...abroad, valueDate: '2027-03-13' }, '2027-03-13'],
    ['at home is valued at once', '2027-03-12', {}, '2027-03-12'],
  ])('card-value-dates: a purchase abroad %s', async (_what, day, members, value) => {
    await statement.under({ 'card-value-dates': true });
    await statement.post([-77], day, members);
    const { booked } = await statement.list(`bookingStatus=booked&dateFrom=${day}&dateTo=${day}`);
    const [shown] = booked.filter(({ transactionAmount }) => transactionAmount.amount === '-77.00');
    expect(shown).toMatchObject({ bookingDate: day, valueDate: value });
    // What it was posted with keeps it.
    await statement.under({});
    expect((await statement.details(shown.transactionId)).valueDate).toBe(value);
  });

  test('card-value-dates: a purchase of a time before the calendar is taken', async () => {
    await statement.under({ 'card-value-dates': true, 'weekend-values': true });
    await statement.post([-77], '1950-03-12', abroad);
  });

  test('register 24: a purchase is booked days after the day in its text', async () => {
    await statement.under({ 'text-forms': 'bien' });
    expect(await statement.one('-79.00')).toMatchObject({
      bookingDate: '2027-03-16',
      remittanceInformationUnstructured: '12.03 BOKHANDELEN',
    });
  });

  test('register 23: one is booked after its value date under weekend-values alone', async () => {
    await statement.under({});
    const late = { bookingDate: '2027-03-15', valueDate: '2027-03-13' };
    await expect(statement.post([-78], '2027-03-15', late)).rejects.toThrow(
      'bookingDate 2027-03-15 is after valueDate',
    );
    await statement.under({ 'weekend-values': true });
    await statement.post([-78], '2027-03-15', late);
    expect(await statement.one('-78.00')).toMatchObject(late);
  });
});

function quirksOf(choice: object): Quirks {
  return switched(noQuirks, Object.entries(choice)) as Quirks;
}
