import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { accounts, crossBorderPayment, inspected, paid, sepaPayment } from '../lab/products.ts';
import { markdownLines } from '../support/markdown.ts';
import { testBank } from '../support/test-bank.ts';

/* docs/foreign-payments.md row by row: the figures by arithmetic of the test's own, and what the bank debits. */
const { nokPerUnit } = JSON.parse(readFileSync('fixtures/exchange-rates.json', 'utf8')) as {
  nokPerUnit: Record<string, string>;
};
const fees = JSON.parse(readFileSync('fixtures/fees.json', 'utf8')) as Record<string, string>;
const rows = markdownLines(readFileSync('docs/foreign-payments.md', 'utf8'))
  .filter(({ kind, columns }) => kind === 'row' && columns.includes('leaves the account'))
  .map(({ cells: [product = '', from = '', amount = '', rate = '', exactly = '', debited = '', fee = ''] }) => {
    return { product: product.replaceAll('`', ''), from, amount, rate, exactly, debited, fee };
  });

/** A decimal number as a whole number of its last digits, and how many there are. */
function scaled(text: string): { readonly digits: bigint; readonly scale: number } {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Half to even, to so many decimals. */
function rounded({ digits, scale }: { readonly digits: bigint; readonly scale: number }, decimals: number): string {
  const unit = 10n ** BigInt(Math.max(0, scale - decimals));
  const [below, rest] = [digits / unit, digits % unit];
  const isUp = rest * 2n > unit || (rest * 2n === unit && below % 2n === 1n);
  const text = String(isUp ? below + 1n : below).padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

function times(one: string, other: string): { readonly digits: bigint; readonly scale: number } {
  const [a, b] = [scaled(one), scaled(other)];
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** The quotient with forty digits more than are shown, so that what is cut off decides nothing here. */
function divided(one: string, other: string): { readonly digits: bigint; readonly scale: number } {
  const [a, b] = [scaled(one), scaled(other)];
  return { digits: (a.digits * 10n ** BigInt(50 + b.scale)) / (b.digits * 10n ** BigInt(a.scale)), scale: 50 };
}

const quoted = (currency: string): string => (currency === 'NOK' ? '1' : (nokPerUnit[currency] ?? ''));

const bank = testBank('2027-03-24T14:00:00+01:00');

describe('P11b: docs/foreign-payments.md', () => {
  test('has rows that halves to even decide both ways', () => {
    expect(rows.length).toBeGreaterThan(5);
    const halves = rows.filter(({ exactly }) => /\.\d\d5$/.test(exactly)).map(({ debited }) => debited.slice(0, -4));
    expect(halves.some((debited) => /[02468]$/.test(debited))).toBe(true);
    expect(readFileSync('docs/foreign-payments.md', 'utf8')).toContain(
      '118.305 becomes 118.30, and 354.915 becomes 354.92',
    );
  });

  test.each(rows)('P11b: $amount from $from: $exactly exactly, $debited leaves the account', async (row) => {
    const [sum = '', currency = ''] = row.amount.split(' ');
    const rate = row.from === 'NOK' ? quoted(currency) : rounded(divided(quoted(currency), quoted(row.from)), 10);
    expect(row.rate).toBe(rate);
    const exact = times(sum, rate);
    expect(Number(row.exactly)).toBe(Number(exact.digits) / 10 ** exact.scale);
    expect(row.debited).toBe(`${rounded(exact, 2)} ${row.from}`);
    const feeInNok = fees[row.product] ?? '';
    const fee =
      row.from === 'NOK' ? feeInNok : rounded(times(feeInNok, rounded(divided('1', quoted(row.from)), 10)), 2);
    expect(row.fee).toBe(`${fee} ${row.from}`);

    const debtorAccount = row.from === 'NOK' ? accounts.noraNok : accounts.noraEur;
    const change = { debtorAccount, instructedAmount: { amount: sum, currency } };
    const isSepa = row.product === 'sepa-credit-transfers';
    const id = await (isSepa
      ? paid(bank, 'sepa', sepaPayment(change))
      : paid(bank, 'crossBorder', crossBorderPayment(change)));
    await bank.advance({ runs: 1 });
    const { entries } = await inspected(bank, id);
    const left = (entries as { leg: string; amount: { amount: string; currency: string } }[])
      .filter(({ leg }) => leg === 'debtor')
      .map(({ amount }) => `${amount.amount} ${amount.currency}`);
    expect(left.toSorted()).toEqual([`-${row.debited}`, `-${row.fee}`].toSorted());
  });
});
