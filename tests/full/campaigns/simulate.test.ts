import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Bank } from '../../../engine/open-bank.ts';
import { changeRows } from '../../lab/rows.ts';
import { dayAfter, isClosed } from '../../lab/simulation/days.ts';
import { simulate } from '../../lab/simulation/simulate.ts';

const days = 80;

describe('a simulated bank and the auditor', () => {
  test.each([1, 2])(
    `agree on every status, balance and settlement of ${days} days (seed %i)`,
    async (seed) => {
      const { problems, counts } = await simulate(seed, days);
      expect(problems).toEqual([]);
      expect(Math.min(counts.payments, counts.settled, counts.cancelled)).toBeGreaterThan(10);
      // Payments that lack funds five times.
      expect(counts.rejected).toBeGreaterThan(3);
    },
    60_000,
  );

  test('P5c, S9c, R9c: agree where accounts are closed and opened again, and the days meet each of the rules', async () => {
    const { problems, counts } = await simulate(6, 150);
    expect(problems).toEqual([]);
    expect(Math.min(counts.toClosed, counts.partsEnded, counts.ordersKept)).toBeGreaterThan(0);
  }, 60_000);

  test('D3e, L5: agree with a shop whose salaries a forecast tells before they are ordered', async () => {
    const { problems, counts } = await simulate(3, 100, { profile: 'every-quirk', persona: 'shop' });
    expect(problems).toEqual([]);
    expect(counts.foreseen).toBeGreaterThan(20);
  }, 60_000);

  test('P10b, D3c: agree under quirks of times and dates', async () => {
    const quirks = {
      'own-accounts-at-once': true,
      'same-bank-at-once': 'without-kid',
      'weekend-values': true,
      'month-end-bookings': true,
    } as const;
    const { problems, counts } = await simulate(2, 45, { quirks, firstDay: '2027-01-20' });
    expect(problems).toEqual([]);
    expect(Math.min(counts.atOnce, counts.closedValues)).toBeGreaterThan(0);
  }, 60_000);

  test.each(['handelsbanken-norge', 'sparebanken-ost'])(
    'S6c: agree at %s',
    async (profile) => {
      const { problems } = await simulate(5, 40, { profile });
      expect(problems).toEqual([]);
    },
    60_000,
  );

  test('the same seed gives the same days', async () => {
    expect(await simulate(4, 20)).toEqual(await simulate(4, 20));
  }, 60_000);
});

describe('the auditor finds', () => {
  const sabotages: readonly (readonly [string, string])[] = [
    [
      'an øre that came from nowhere',
      "update account set balance_minor = balance_minor + 1 where bban = '09232911044'",
    ],
    ['a forgotten execution', "delete from execution where status in ('ACSP', 'PDNG') and attempts = 0"],
    ['a payment that was rejected behind its back', "update payment set status = 'RJCT' where status = 'ACSP'"],
    [
      'a date that was moved',
      "update execution set execution_date = date(execution_date, '+7 days') where status = 'ACSP'",
    ],
    ['money that was reserved and released behind its back', 'delete from reservation'],
    ['a credit line that nobody granted', 'update account set credit_line_minor = 100000000'],
  ];
  test.each(sabotages)(
    '%s',
    async (_, statement) => {
      const eachDay = async (bank: Bank, day: number): Promise<void> => {
        if (day > 10) await changeRows(bank, statement);
      };
      const { problems } = await simulate(5, days, { eachDay });
      expect(problems).not.toEqual([]);
    },
    60_000,
  );
});

test('T3: the days that the auditor holds closed are those of the outside list', () => {
  const lines = readFileSync(new URL('../../data/norway-holidays.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const holidays = new Set(lines.map((line) => line.slice(0, 10)));
  for (let day = '2020-01-01'; day <= '2035-12-31'; day = dayAfter(day, 1)) {
    const isWeekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
    expect(`${day} ${isClosed(day)}`).toBe(`${day} ${isWeekend || holidays.has(day)}`);
  }
});
