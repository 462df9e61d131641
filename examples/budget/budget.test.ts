import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bank, createBank } from 'sandbank';
import { categories, categorise, comesMonthly, ore, plainText, type Transaction } from './categorise.ts';
import { safeToSpend } from './safe-to-spend.ts';

/** A family with a year of past: two salaries, a mortgage, children. */
const family = { bban: '09232911044', psu: '13039319955' };
let bank: Bank;
beforeAll(async () => {
  bank = await createBank({ now: '2027-01-12T12:00:00+01:00', fixtures: 'a-year-of-life' });
});
afterAll(() => bank.close());

async function booked(from: string): Promise<readonly Transaction[]> {
  const reader = await bank.tpp().consent({ psu: family.psu });
  return (await reader.transactions(family.bban, { from })).booked;
}

test('a year of a family falls into categories, and little is left over', async () => {
  const year = await booked('2026-01-12');
  const monthly = comesMonthly(year);
  const sums = new Map(categories.map((category) => [category, 0]));
  for (const one of year) {
    const category = categorise(one, monthly);
    sums.set(category, (sums.get(category) ?? 0) + ore(one));
  }
  const all = year.reduce((sum, one) => sum + ore(one), 0);
  expect([...sums.values()].reduce((sum, one) => sum + one, 0)).toBe(all);
  expect(sums.get('salary')).toBeGreaterThan(75_000_000);
  expect(sums.get('food')).toBeLessThan(-9_000_000);
  expect(Math.abs(sums.get('other') ?? 0)).toBeLessThan(1_500_000);
  const subscriptions = [...monthly].filter((text) => /strømmly|skylager|ordlek/.test(text));
  expect(subscriptions).toHaveLength(3);
});

test('what is safe to spend leaves enough for the bills until payday, week after week', async () => {
  const large = new Set<string>();
  for (let week = 0; week < 12; week += 1) {
    const now = await bank.clock.now();
    const today = now.slice(0, 10);
    const past = await booked('2026-01-12');
    const { payday, bills } = safeToSpend(0, past, today);
    expect(payday > today).toBe(true);
    await bank.clock.advance('P7D');
    const monthly = comesMonthly(past);
    const came = (await booked(today)).filter((one) => (one.bookingDate ?? '') > today && monthly.has(plainText(one)));
    for (const { text, amount } of bills) if (amount > 100_000) large.add(text);
    const expected = new Map(bills.map(({ text, amount }) => [text, amount]));
    const before = came.filter(({ bookingDate = '' }) => bookingDate < payday);
    const surprises = before.filter((one) => !expected.has(plainText(one)));
    expect([today, surprises.map(plainText)]).toEqual([today, []]);
  }
  expect([...large].join(', ')).toMatch(/boliglån/);
  expect(large.size).toBeGreaterThan(5);
});
