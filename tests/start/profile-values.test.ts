import { expect, test } from '@jest/globals';
import { listedProfiles } from '../../api/start/profile.ts';
import { formatMonth } from '../../engine/values/local-date.ts';

/* rules.md Q8: what a profile sets is what its applied facts say. */

const profiles = await listedProfiles();

// oxlint-disable-next-line typescript/no-explicit-any -- each kind of fact has a value of its own
type Facts = Readonly<Record<string, any>>;

const idLength = (kind: string, length: unknown): string[] =>
  length === undefined ? [] : [`${kind}:${String(length)}`];

/** The value of a quirk by the facts of its bank; undefined: they name none. */
const valuesByFacts: Readonly<Record<string, (facts: Facts) => unknown>> = {
  'id-lengths': ({ transactionIdLength, paymentIdLength, resourceIdLength, transactionIdPadded }) =>
    [
      ...idLength('transaction', transactionIdLength),
      ...idLength('payment', paymentIdLength),
      ...idLength('resource', resourceIdLength),
      ...(transactionIdPadded === false ? ['unpadded'] : []),
    ].join('/'),
  'reissued-ids': ({ transactionIdStable: { after } }) => (after === 'another session' ? 'session' : undefined),
  order: () => 'posting',
  'positional-references': (facts) => /the place on that day/.test(facts['positional-references']),
  'pending-dates': ({ pendingDates: { valueDate } }) => (valueDate === true ? 'both' : 'booking'),
  'text-forms': ({ textPatterns }) => (textPatterns['CARD-NCRD-POSD'] === undefined ? 'sr' : 'bien'),
  'structured-references': ({ structuredReference: { form } }) => (/^one string/.test(form) ? 'joined' : 'strings'),
  'bank-codes': (facts) => facts['bank-codes'] ?? (facts['bankTransactionCodes'] ? 'iso' : 'proprietary'),
  'full-history': ({ fullHistoryWindowMinutes }) => `PT${fullHistoryWindowMinutes / 60}H`,
  'consent-days': ({ consentDays }) => String(consentDays),
  'details-days': ({ unattendedReads: reads }) => reads && String(reads.transactionDetails.consentMaxDays),
  'accept-fix-dates': ({ acceptFixDefaults: dates }) =>
    dates &&
    `card-amounts:${dates['cardaccount-switch-originalamount-and-transactionamount']}/longer-names:${dates['longer-names']}`,
  'same-bank-at-once': ({ sameBankTransfers }) =>
    /without KID/.test(sameBankTransfers)
      ? 'without-kid'
      : /booked on the next banking day/.test(sameBankTransfers)
        ? 'next-day'
        : 'all',
};

test.each(profiles.filter(({ quirks }) => Object.keys(quirks).length > 0))(
  'Q8: the values of the quirks of $id are those of its facts',
  ({ quirks, facts }) => {
    const applied = Object.fromEntries(facts.filter(({ applied: is }) => is).map(({ key, value }) => [key, value]));
    // Some have one value only, and some an assumed one.
    for (const [name, value] of Object.entries(quirks))
      expect([name, value]).toEqual([name, valuesByFacts[name]?.(applied) ?? applied[name] ?? value]);
  },
);

test.each(profiles.filter(({ settings: { cutOffs, earlyClose } }) => cutOffs ?? earlyClose))(
  'T4d, T4e, Q8: each time and day of the cut-offs and early closes of $id stands in an applied fact',
  ({ settings: { cutOffs = {}, earlyClose = {} }, facts }) => {
    const said = facts.filter(({ applied }) => applied).map(({ value }) => JSON.stringify(value));
    const isSaid = (...words: readonly string[]) => said.some((one) => words.every((word) => one.includes(word)));
    for (const [key, time] of Object.entries(cutOffs)) {
      const [currency = ''] = /[A-Z]{3}$/.exec(key) ?? [];
      expect([key, isSaid(currency, time.slice(0, 5))]).toEqual([key, true]);
    }
    for (const [key, time] of Object.entries(earlyClose)) {
      const [, month = '', day = ''] = /(\d\d)-(\d\d)(?:$|:)/.exec(key) ?? [];
      const words = month === '' ? ['last banking day'] : [day, formatMonth(Number(month))];
      expect([key, isSaid(time, ...words)]).toEqual([key, true]);
    }
  },
);

test('T4f, Q8: the fixings of a profile are those of its facts', () => {
  const fixings = profiles.filter(({ settings }) => settings.fxFixings !== undefined);
  expect(fixings.map(({ id }) => id)).toEqual(['sparebank1-sogn-og-fjordane']);
  for (const { settings, facts } of fixings)
    expect(facts).toContainEqual(
      expect.objectContaining({ key: 'fxFixingTimes', value: settings.fxFixings, applied: true }),
    );
});
