import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { singlePayment } from '../lab/bodies.ts';
import { markdownLines } from '../support/markdown.ts';
import { accounts, balancesOf, nora, transactionsOf, even, paid } from '../lab/products.ts';
import { instantOf } from '../lab/simulation/days.ts';
import { testBank } from '../support/test-bank.ts';

/** The two tables of docs/account-information/reconcile.md, by the heading of their first column. */
const rows = markdownLines(readFileSync('docs/account-information/reconcile.md', 'utf8')).filter(
  ({ section, kind }) => section === 'A worked day' && kind === 'row',
);
const table = (first: string) => rows.filter(({ columns }) => columns[0] === first).map(({ cells }) => cells);
const payments = table('when');
const looks = table('after');

const bank = testBank('2027-03-24T12:00:00+01:00');

async function advanceTo(time: string): Promise<void> {
  const to = new Date(instantOf(time)).toISOString();
  expect((await bank.advance({ to })).status).toBe(200);
}

/** One row of payments: initiated and signed. */
function play([, from, to, amount = '', how = '']: readonly string[]): Promise<string> {
  const [, date] = /, for (\S+)$/.exec(how) ?? [];
  const body = singlePayment({
    instructedAmount: { amount, currency: 'NOK' },
    ...(from === 'Testperson 2' && { debtorAccount: accounts.evenNok }),
    ...(to === 'Testperson 3' && { creditorAccount: accounts.noraNok }),
    ...(date !== undefined && { requestedExecutionDate: date }),
  });
  return paid(bank, how === 'straks' ? 'straks' : 'domestic', body, from === 'Testperson 2' ? even : nora);
}

const bban = accounts.noraNok.bban;

/** What a TPP reads of Nora's account, as a row of the page. */
async function look(time: string): Promise<string[]> {
  const { openingBooked, interimBooked, interimAvailable, expected } = await balancesOf(bank, nora, bban);
  const today = time.slice(0, 10);
  const { booked, pending } = await transactionsOf(bank, nora, bban, { from: today });
  expect(booked.filter((item: object) => !('bookingDate' in item && 'transactionId' in item))).toEqual([]);
  expect(pending.filter((item: object) => 'bookingDate' in item || 'transactionId' in item)).toEqual([]);
  const amounts = (list: readonly { transactionAmount: { amount: string } }[]): string =>
    list.map(({ transactionAmount }) => transactionAmount.amount).join(', ') || 'none';
  const balances = [openingBooked, interimBooked, interimAvailable, expected].map(String);
  return [time, ...balances, amounts(booked), amounts(pending)];
}

test('S6: the worked day of the page is what a reader sees after each of its runs', async () => {
  expect([payments.length, looks.length]).toEqual([6, 7]);
  const events = [...payments, ...looks].toSorted(([one = ''], [other = '']) => one.localeCompare(other));
  const seen: string[][] = [];
  for (const event of events) {
    const [time = ''] = event;
    await advanceTo(time);
    if (payments.includes(event)) await play(event);
    else seen.push(await look(time));
  }
  expect(seen).toEqual(looks);
});

test('S6: that day reconciles: what opened it and what was booked on it open the next one', async () => {
  const { booked } = await transactionsOf(bank, nora, bban, { from: '2027-03-30', to: '2027-03-30' });
  const oere = (amount: string): number => Math.round(Number(amount) * 100);
  const sum = booked.reduce(
    (total: number, item: { transactionAmount: { amount: string } }) => total + oere(item.transactionAmount.amount),
    0,
  );
  const opening = (day: string): number => oere(looks.find(([time]) => time?.startsWith(day))?.[1] ?? '');
  expect(booked).toHaveLength(5);
  expect(opening('2027-03-30') + sum).toBe(opening('2027-03-31'));
  const { openingBooked = '' } = await balancesOf(bank, nora, bban);
  expect(oere(openingBooked)).toBe(opening('2027-03-31'));
});
