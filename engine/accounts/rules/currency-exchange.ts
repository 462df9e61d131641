import type { Currency } from '../../values/currency.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { formatAmount, type Amount } from '../../values/money.ts';

/** An amount as the interface writes it. */
export interface FormattedAmount {
  readonly amount: string;
  readonly currency: Currency;
}

/** An exchange as a transaction tells it: the members of Berlin Group's reportExchangeRate, and the amount that was instructed. */
export interface CurrencyExchange {
  /** Left out of a mock transaction that was not told it. */
  readonly instructedAmount?: FormattedAmount;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  /** The currency of which one unit is worth the rate. */
  readonly unitCurrency: string;
  readonly exchangeRate: string;
  readonly quotationDate: LocalDate;
}

/** A line of a foreign payment, seen from the account it stands on. */
export interface ExchangedLine {
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  readonly instructed: Amount;
  /** How much of the account's currency one unit as instructed is worth. */
  readonly rate: string;
  readonly quotationDate: LocalDate;
}

/** What a converted line shows beside its amount (rules.md P11); `originalAmount` has the sign of the line. */
export function formatExchange({ amount, instructed, rate, quotationDate }: ExchangedLine) {
  const isDebit = amount.minor < 0n;
  const [source, target] = isDebit ? [amount, instructed] : [instructed, amount];
  const exchange: CurrencyExchange = {
    instructedAmount: formattedAmount(instructed),
    sourceCurrency: source.currency,
    targetCurrency: target.currency,
    unitCurrency: instructed.currency,
    exchangeRate: rate,
    quotationDate,
  };
  const original = isDebit ? { ...instructed, minor: -instructed.minor } : instructed;
  return { originalAmount: formattedAmount(original), currencyExchange: [exchange] };
}

/** As the interface writes an amount: a decimal string with its currency. */
export function formattedAmount(amount: Amount): FormattedAmount {
  return { amount: formatAmount(amount), currency: amount.currency };
}
