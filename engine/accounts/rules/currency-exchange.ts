import type { Currency } from '../../values/currency.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { formatAmount, type Amount } from '../../values/money.ts';

/** An amount as the interface writes it. */
export interface FormattedAmount {
  readonly amount: string;
  readonly currency: Currency;
}

/** The exchange in a transaction: the members of Berlin Group's reportExchangeRate, with the instructed amount. */
export interface CurrencyExchange {
  /** Optional in a mock transaction. */
  readonly instructedAmount?: FormattedAmount;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  /** One unit of this currency is worth `exchangeRate`. */
  readonly unitCurrency: string;
  readonly exchangeRate: string;
  readonly quotationDate: LocalDate;
}

/** A converted entry of a foreign payment, seen from its account. */
interface ExchangedLine {
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  readonly instructed: Amount;
  /** Price of one unit of the instructed currency, in the account's currency. */
  readonly rate: string;
  readonly quotationDate: LocalDate;
}

/** `originalAmount`, with the sign of the entry, and `currencyExchange` of a converted entry (rules.md P11). */
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

/** Formats an amount for the interface: a decimal string with its currency. */
export function formattedAmount(amount: Amount): FormattedAmount {
  return { amount: formatAmount(amount), currency: amount.currency };
}
