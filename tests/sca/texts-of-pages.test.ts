import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html, Html } from '../../api/pages/html.ts';
import { frequencyWords, ruleWords } from '../../api/sca/schedule-words.ts';
import { accountText, amountText } from '../../api/pages/format.ts';
import { formatDate, fromEpochDay, localDate } from '../../engine/values/local-date.ts';
import { currencies } from '../../engine/values/currency.ts';
import { formatAmount } from '../../engine/values/money.ts';
import type { Schedule } from '../../engine/time/rules/occurrences.ts';

const blanksAsBlanks = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('amounts are written as people in Norway write them', () => {
  test.each([
    ['1234.50', 'NOK', '1 234,50 NOK'],
    ['0.01', 'NOK', '0,01 NOK'],
    ['999.00', 'NOK', '999,00 NOK'],
    ['9999999999999.99', 'NOK', '9 999 999 999 999,99 NOK'],
    ['100', 'JPY', '100 JPY'],
    ['1000000', 'JPY', '1 000 000 JPY'],
    ['1.234', 'KWD', '1,234 KWD'],
    ['-1234.50', 'NOK', '\u22121 234,50 NOK'],
  ])('%s %s is %s', (amount, currency, shown) => {
    expect(blanksAsBlanks(amountText({ amount, currency }))).toBe(shown);
  });

  test('nothing in them breaks over a line', () => {
    expect(amountText({ amount: '1234567.00', currency: 'NOK' })).not.toMatch(/[ \t\n]/);
  });

  test('Intl of Norway writes the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.constantFrom(...currencies), (minor, currency) => {
        const amount = formatAmount({ minor, currency });
        const digits = amount.split('.')[1]?.length ?? 0;
        const norwegian = new Intl.NumberFormat('nb-NO', { minimumFractionDigits: digits, useGrouping: 'always' });
        expect(amountText({ amount, currency })).toBe(
          `${norwegian.format(amount as Intl.StringNumericLiteral)}\u00a0${currency}`,
        );
      }),
    );
  });
});

describe('dates carry their weekday', () => {
  test('24 December 2027 is a Friday', () => {
    expect(formatDate(localDate('2027-12-24'))).toBe('Friday 24 December 2027');
  });

  test('Intl of Britain writes the same', () => {
    const british = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 47_000 }), (days) => {
        const text = british.format(days * 86_400_000).replace(',', '');
        expect(formatDate(fromEpochDay(days))).toBe(text);
      }),
    );
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

test.each<[Partial<Schedule>, string]>([
  [{ frequency: 'Daily' }, 'Every day'],
  [{ frequency: 'Weekly' }, 'Every week, on Thursday'],
  [{ frequency: 'EveryTwoWeeks' }, 'Every two weeks, on Thursday'],
  [{}, 'Every month, on day 25'],
  [{ dayOfExecution: 28 }, 'Every month, on day 28'],
  [{ dayOfExecution: 29 }, 'Every month, on day 29 or the month’s last day'],
  [{ frequency: 'EveryTwoMonths' }, 'Every two months, on day 25'],
  [{ frequency: 'Quarterly' }, 'Every three months, on day 25'],
  [{ frequency: 'SemiAnnual' }, 'Every six months, on day 25'],
  [{ frequency: 'Annual', dayOfExecution: 1 }, 'Every year, on day 1'],
  [{ frequency: 'MonthlyVariable', monthsOfExecution: [9] }, 'Every year, in September, on day 25'],
  [
    { frequency: 'MonthlyVariable', monthsOfExecution: [11, 3, 6] },
    'Every year, in March, June and November, on day 25',
  ],
])('R1, R3: the schedule %j is read as %s', (change, shown) => {
  expect(frequencyWords({ ...schedule, ...change })).toBe(shown);
});

test('R6: the rule says which way a closed day moves', () => {
  expect(ruleWords('following')).toBe('Paid on the next banking day');
  expect(ruleWords('preceding')).toBe('Paid on the banking day before');
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
