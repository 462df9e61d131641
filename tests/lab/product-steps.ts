import fc from 'fast-check';
import type { Bank } from '../../engine/bank.ts';
import { type Currency, formatAmount } from '../../engine/values/money.ts';
import { products } from '../../engine/values/product.ts';
import { advanceUntil } from '../../engine/runs/advance-until.ts';
import { initiate, orRefusal, sign } from './payments.ts';

/** Accounts of two people, in NOK and EUR. */
const accounts = [
  { from: 'nora', iban: 'NO7809232911044', currency: 'NOK' },
  { from: 'nora', iban: 'NO8085523166859', currency: 'EUR' },
  { from: 'even', iban: 'NO1874712699947', currency: 'NOK' },
  { from: 'even', iban: 'NO6041305545238', currency: 'EUR' },
] as const;

/** One payment of any product between them or out of the bank, perhaps signed, and perhaps some runs after it. */
export const productStep = fc.record({
  product: fc.constantFrom(...Object.values(products)),
  debtor: fc.constantFrom(...accounts),
  to: fc.constantFrom(...accounts.map(({ iban }) => iban), 'DE89370400440532013000'),
  minor: fc.oneof(fc.bigInt({ min: 1n, max: 100_000n }), fc.bigInt({ min: 1n, max: 3_000_000n })),
  currency: fc.constantFrom<Currency>('NOK', 'EUR', 'SEK', 'JPY', 'KWD', 'XDR'),
  isSigned: fc.boolean(),
  runs: fc.constantFrom(0, 0, 1, 3),
});
export type ProductStep = typeof productStep extends fc.Arbitrary<infer T> ? T : never;

/** Takes the step; refusals are part of life. */
export async function takeProductStep(
  bank: Bank,
  { product, debtor, to, minor, currency, isSigned, runs }: ProductStep,
): Promise<void> {
  const paidIn = product === products.crossBorder ? currency : product === products.sepa ? 'EUR' : 'NOK';
  const body = {
    instructedAmount: { amount: formatAmount({ minor, currency: paidIn }), currency: paidIn },
    creditorName: 'Somebody',
    creditorAccount: { iban: to, currency: paidIn },
    debtorAccount: { iban: debtor.iban, currency: debtor.currency },
  };
  const initiation = { service: 'payments', body } as const;
  const made = await orRefusal(initiate(bank, debtor, initiation, product, { allowLogicalDuplicate: true }));
  if (typeof made !== 'string' && isSigned) await orRefusal(sign(bank, made.payment.resource_id, debtor.from));
  if (runs > 0) await advanceUntil(bank, { runs });
}
