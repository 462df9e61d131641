import type { Currency } from '../../values/currency.ts';
import type { Fault } from '../../values/fault.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { isWithinBalanceLimit, type Amount } from '../../values/money.ts';
import { rateBetween, type PriceList } from '../../values/price-list.ts';
import type { ForeignProduct } from '../../values/product.ts';
import { convert, type Rate } from '../../values/rate.ts';

/** What a foreign payment moves, fixed when it is initiated (rules.md P11). */
export interface ForeignTransfer {
  readonly instructed: Amount;
  /** In the debtor account's currency: for the amount, and the fee beside it. */
  readonly debit: Amount;
  readonly fee: Amount;
  /** In the currency of the creditor's account here; of one elsewhere the bank knows nothing, and it is as instructed. */
  readonly credit: Amount;
  /** How much of the debtor's and the creditor's currency one unit as instructed is worth; null where nothing is converted. */
  readonly debitRate: Rate | null;
  readonly creditRate: Rate | null;
  readonly quotationDate: LocalDate;
}

export interface ForeignOrder {
  readonly product: ForeignProduct;
  readonly instructed: Amount;
  readonly debtorCurrency: Currency;
  /** Null: the account is in another bank. */
  readonly creditorCurrency: Currency | null;
}

/** Prices a foreign payment, or says why it cannot be: no rate, or an amount that is nothing or too much (rules.md P4, P11). */
export function priceForeignTransfer(order: ForeignOrder, prices: PriceList): ForeignTransfer | Fault {
  const { product, instructed, debtorCurrency } = order;
  const creditCurrency = order.creditorCurrency ?? instructed.currency;
  const debitRate = rateBetween(instructed.currency, debtorCurrency, prices);
  const creditRate = rateBetween(instructed.currency, creditCurrency, prices);
  const feeRate = rateBetween('NOK', debtorCurrency, prices);
  if (feeRate === null) return noRate('debtorAccount', debtorCurrency, prices);
  if (debitRate === null) return noRate('instructedAmount.currency', instructed.currency, prices);
  if (creditRate === null) return noRate('creditorAccount', creditCurrency, prices);
  const debit = convert(instructed, debitRate, debtorCurrency);
  const credit = convert(instructed, creditRate, creditCurrency);
  const fault = unpayable(debit) ?? unpayable(credit);
  if (fault !== null) return fault;
  return {
    instructed,
    debit,
    fee: convert({ minor: prices.fees[product], currency: 'NOK' }, feeRate, debtorCurrency),
    credit,
    debitRate: debtorCurrency === instructed.currency ? null : debitRate,
    creditRate: creditCurrency === instructed.currency ? null : creditRate,
    quotationDate: prices.quotationDate,
  };
}

function noRate(path: string, currency: Currency, { nokPerUnit }: PriceList): Fault {
  const quoted = ['NOK', ...nokPerUnit.keys()].join(', ');
  return { code: 'PAYMENT_FAILED', path, text: `The bank quotes no rate for ${currency}. It quotes ${quoted}.` };
}

function unpayable({ minor, currency }: Amount): Fault | null {
  const [code, path] = ['PAYMENT_FAILED', 'instructedAmount.amount'] as const;
  if (minor === 0n) return { code, path, text: `The amount is worth less than the smallest unit of ${currency}.` };
  if (isWithinBalanceLimit(minor)) return null;
  return { code, path, text: `The amount is worth more ${currency} than an account of this bank can hold. Send less.` };
}
