import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html, Html } from '../../api/pages/html.ts';
import { accountText } from '../../api/pages/format.ts';
import type { Language } from '../../api/pages/language.ts';
import { viewOf } from '../../api/sca/sca-page.ts';
import { frequencyWords } from '../../api/sca/payment-page.ts';
import type { ScaView } from '../../engine/approval/read-sca.ts';
import { formatDate, fromEpochDay, localDate } from '../../engine/values/local-date.ts';
import { currencies, formatAmount } from '../../engine/values/money.ts';
import type { Schedule } from '../../engine/time/rules/occurrences.ts';
import { at } from '../lab/bank.ts';

const blanksAsBlanks = (text: string): string => text.replaceAll('\u00a0', ' ');

/** As the people of a country write it: amounts, dates. */
const english = viewIn('en');
const norwegian = viewIn('nb');

function viewIn(language: Language) {
  const view: ScaView = {
    purpose: 'payment',
    tppName: 'Test TPP',
    redirectUri: 'https://tpp.example/back',
    today: localDate('2027-03-24'),
    wanted: null,
    psus: [],
    closed: null,
    signing: null,
  };
  const shown = { language, chosen: null, other: null };
  return viewOf(view, {
    formToken: 'token',
    bankName: null,
    toConsole: null,
    shown,
    payeesAt: (page) => `?payees=${page}`,
  });
}

describe('A2e: amounts are written as each language writes them', () => {
  test.each([
    [123450n, 'NOK', '1,234.50 NOK', '1 234,50 kr'],
    [1n, 'NOK', '0.01 NOK', '0,01 kr'],
    [99900n, 'NOK', '999.00 NOK', '999,00 kr'],
    [999999999999999n, 'NOK', '9,999,999,999,999.99 NOK', '9 999 999 999 999,99 kr'],
    [12345678901234567890n, 'NOK', '123,456,789,012,345,678.90 NOK', '123 456 789 012 345 678,90 kr'],
    [100n, 'JPY', '100 JPY', '100 JPY'],
    [1234n, 'KWD', '1.234 KWD', '1,234 KWD'],
    [1050n, 'EUR', '10.50 EUR', '10,50 EUR'],
    [-123450n, 'NOK', '-1,234.50 NOK', '\u22121 234,50 kr'],
  ] as const)('%s minor units of %s are %s and %s', (minor, currency, inEnglish, inNorwegian) => {
    expect(blanksAsBlanks(english.format.amount({ minor, currency }))).toBe(inEnglish);
    expect(blanksAsBlanks(norwegian.format.amount({ minor, currency }))).toBe(inNorwegian);
  });

  test('nothing in them breaks over a line, and no digit is lost in any currency', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 19n }), fc.constantFrom(...currencies), (minor, currency) => {
        const decimal = formatAmount({ minor, currency });
        for (const { format } of [english, norwegian]) {
          const text = format.amount({ minor, currency });
          expect(text).not.toMatch(/[ \t\n]/);
          expect(text.replace(/\D/g, '')).toBe(decimal.replace(/\D/g, ''));
        }
      }),
    );
  });

  test('a rate keeps its digits', () => {
    expect([english.format.number('11.4500'), norwegian.format.number('11.4500')]).toEqual(['11.4500', '11,4500']);
  });
});

describe('dates carry their weekday', () => {
  test('24 December 2027 is a Friday', () => {
    const date = localDate('2027-12-24');
    expect([english.format.date(date), norwegian.format.date(date)]).toEqual([
      'Fri 24 Dec 2027',
      'fredag 24. desember 2027',
    ]);
  });

  test('English dates are those of the bank’s other texts', () => {
    fc.assert(
      fc.property(fc.integer({ min: -600_000, max: 900_000 }), (days) => {
        const date = fromEpochDay(days);
        const short = formatDate(date).replaceAll(/[A-Za-z]+/g, (word) => word.slice(0, 3));
        expect(english.format.date(date)).toBe(short);
      }),
    );
  });

  test('a moment is in the time of Oslo, summer and winter', () => {
    const summer = at('2027-07-01T23:30:00+00:00');
    expect([english.format.moment(summer), norwegian.format.moment(summer)]).toEqual([
      'Fri 2 Jul 2027, 01:30',
      'fredag 2. juli 2027 kl. 01:30',
    ]);
    expect(english.format.moment(at('2027-01-01T11:00:00+00:00'))).toBe('Fri 1 Jan 2027, 12:00');
  });
});

test.each([
  [{ bban: '09232911044' }, '0923 29 11044'],
  [{ bban: '09232911044', iban: 'NO7809232911044' }, '0923 29 11044'],
  [{ bban: null, iban: 'NO7809232911044' }, 'NO78 0923 2911 044'],
  [{ iban: 'DE89 3704 0044 0532 0130 00' }, 'DE89 3704 0044 0532 0130 00'],
  [{ bban: 'ABC-1' }, 'ABC-1'],
])('the account %j is read as %s', (account, shown) => {
  expect(blanksAsBlanks(accountText(account))).toBe(shown);
});

const schedule: Schedule = {
  startDate: localDate('2027-03-25'),
  endDate: null,
  frequency: 'Monthly',
  executionRule: 'following',
  dayOfExecution: null,
  monthsOfExecution: null,
};

test.each<[Partial<Schedule>, string, string]>([
  [{ frequency: 'Daily' }, 'Every day', 'Hver dag'],
  [{ frequency: 'Weekly' }, 'Every week, on Thursday', 'Hver uke, på torsdager'],
  [{ frequency: 'EveryTwoWeeks' }, 'Every two weeks, on Thursday', 'Annenhver uke, på torsdager'],
  [{}, 'Every month, on day 25', 'Hver måned, den 25.'],
  [{ dayOfExecution: 28 }, 'Every month, on day 28', 'Hver måned, den 28.'],
  [
    { dayOfExecution: 29 },
    'Every month, on day 29 or the month’s last day',
    'Hver måned, den 29. eller månedens siste dag',
  ],
  [{ frequency: 'EveryTwoMonths' }, 'Every two months, on day 25', 'Annenhver måned, den 25.'],
  [{ frequency: 'Quarterly' }, 'Every three months, on day 25', 'Hver tredje måned, den 25.'],
  [{ frequency: 'SemiAnnual' }, 'Every six months, on day 25', 'Hver sjette måned, den 25.'],
  // The first day 1 after 25 March is in April (R4).
  [{ frequency: 'Annual', dayOfExecution: 1 }, 'Every year, on 1 April', 'Hvert år, 1. april'],
  [{ frequency: 'Annual' }, 'Every year, on 25 March', 'Hvert år, 25. mars'],
  [
    { frequency: 'Annual', startDate: localDate('2028-02-29') },
    'Every year, in February, on day 29 or the month’s last day',
    'Hvert år, i februar, den 29. eller månedens siste dag',
  ],
  [
    { frequency: 'MonthlyVariable', monthsOfExecution: [9] },
    'Every year, in September, on day 25',
    'Hvert år, i september, den 25.',
  ],
  [
    { frequency: 'MonthlyVariable', monthsOfExecution: [11, 3, 6] },
    'Every year, in March, June and November, on day 25',
    'Hvert år, i mars, juni og november, den 25.',
  ],
])('R1, R3: the schedule %j is read as %s and %s', (change, inEnglish, inNorwegian) => {
  expect(frequencyWords(english, { ...schedule, ...change })).toBe(inEnglish);
  expect(frequencyWords(norwegian, { ...schedule, ...change })).toBe(inNorwegian);
});

describe('a template escapes every value', () => {
  test('null and false leave nothing, lists are joined, Html stays as it is', () => {
    expect(html`a${null}b${false}c${[1, html`<i>${'<'}</i>`]}`.text).toBe('abc1<i>&lt;</i>');
  });

  test('any text reads back, and none opens a tag or ends an attribute', () => {
    const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const escaped = html`${text}`;
        expect(escaped).toBeInstanceOf(Html);
        expect(escaped.text).not.toMatch(/[<>"']/);
        expect(escaped.text.replace(/&([^;]+);/g, (_all, name: string) => named[name] ?? '?')).toBe(text);
      }),
      { examples: [['<script>'], ['" onload="x'], ["'&amp;"]] },
    );
  });
});
