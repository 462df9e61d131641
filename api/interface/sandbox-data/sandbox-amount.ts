import { assert } from '../../../engine/values/assert.ts';
import type { Currency } from '../../../engine/values/currency.ts';
import { type Amount, parseSandboxAmount } from '../../../engine/values/money.ts';
import { formattedAmount, type FormattedAmount } from '../../../engine/accounts/rules/transaction-details.ts';
import type { SandboxMoney } from '../../bodies/amount.ts';

/** Parses an amount of a checked body into minor units; 0 if it was left out. */
export function minorUnitsOf(value: number | string | undefined, currency: Currency): bigint {
  if (value === undefined) return 0n;
  const amount = parseSandboxAmount(value, currency);
  assert(typeof amount !== 'string', `${value} ${currency} was checked with the body`);
  return amount.minor;
}

export function amountOf({ amount, currency }: SandboxMoney): Amount {
  return { minor: minorUnitsOf(amount, currency), currency };
}

export function formatMoney(money: SandboxMoney): FormattedAmount {
  return formattedAmount(amountOf(money));
}
