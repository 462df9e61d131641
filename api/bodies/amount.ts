import * as Type from 'typebox';
import {
  type Amount,
  currencies,
  isCurrency,
  minorUnits,
  parseAmount,
  parseInstructedAmount,
  parseSandboxAmount,
} from '../../engine/values/money.ts';
import { faultAt, formatValue, type Members, type RuleFault } from './rule.ts';
import { type Static, text, titled } from './schema.ts';
import { currency } from './values.ts';

/** rules.md P4: the amount of a payment, above zero. */
export const instructedAmount = titled('InstructedAmount', 'What the creditor is to receive, above zero.', {
  rules: [isAboveZero],
  documented: digitsByCurrency(''),
}).closed({
  amount: text('a decimal string with the fraction digits of its currency', '100.00'),
  currency,
});

/** What JSON Schema can say of the form of an amount: the fraction digits of its currency. `sign`: a pattern. */
export function digitsByCurrency(sign: string): Readonly<Record<string, unknown>> {
  const byDigits = [...Map.groupBy(currencies, minorUnits)].toSorted(([, one], [, other]) => other.length - one.length);
  const ofDigits = (digits: number): object => {
    const fraction = digits === 0 ? '' : `\\.\\d{${digits}}`;
    return { properties: { amount: { pattern: `^${sign}(0|[1-9]\\d*)${fraction}$` }, currency: {} } };
  };
  // The usual digits are those of all other currencies.
  const [[usual = 2] = [], ...others] = byDigits;
  return others.reduce<object>(
    (rest, [digits, codes]) => ({
      // Each part names both members: linters refuse those that a part does not name.
      if: { properties: { amount: {}, currency: { enum: codes } }, required: ['currency'] },
      ...{ then: ofDigits(digits), else: rest },
    }),
    ofDigits(usual),
  ) as Readonly<Record<string, unknown>>;
}

/** Read it with parseSandboxAmount. */
export const sandboxAmount = Type.Unsafe<number | string>({
  title: 'SandboxAmount',
  description: 'a number, or a decimal string with the fraction digits of its currency',
  type: ['number', 'string'],
  examples: ['100.00'],
});

/** An amount of the sandbox data with its currency. */
export const sandboxMoney = titled('SandboxMoney', { rules: [fitsCurrency] }).closed({
  amount: sandboxAmount,
  currency,
});

export type SandboxMoney = Static<typeof sandboxMoney>;

/** rules.md P4: the fraction digits of the currency, greater than zero. */
function isAboveZero({ amount, currency: code }: Members): readonly RuleFault[] {
  return decimalFaults('amount', amount, code, parseInstructedAmount);
}

/** Faults of a decimal string that `parse` refuses. */
export function decimalFaults(
  member: string,
  value: unknown,
  code: unknown,
  parse = parseAmount,
): readonly RuleFault[] {
  if (typeof value !== 'string' || typeof code !== 'string' || !isCurrency(code)) return [];
  return refusedAmount(member, value, parse(value, code));
}

function refusedAmount(member: string, value: unknown, read: Amount | string | null): readonly RuleFault[] {
  return typeof read === 'string' ? faultAt(member, `${formatValue(value)} is refused: ${read}.`) : [];
}

/** rules.md P4, D3: a number or a decimal string that fits the currency. */
export function fitsCurrency({ amount, currency: code }: Members): readonly RuleFault[] {
  return amountFaults('amount', amount, code);
}

/**
 * Reads the amount of an unchecked body. Returns a text if it does not fit its currency, null if one of the two has the
 * wrong type.
 */
function readAmount(value: unknown, code: unknown): Amount | string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  return typeof code === 'string' && isCurrency(code) ? parseSandboxAmount(value, code) : null;
}

/** The minor units of such an amount, or null if it does not fit its currency or one of the two has the wrong type. */
export function minorIn(value: unknown, code: unknown): bigint | null {
  const read = readAmount(value, code);
  return read === null || typeof read === 'string' ? null : read.minor;
}

/** The fault of an amount below zero, a number or a decimal string. */
export function belowZero(member: string, value: unknown): readonly RuleFault[] {
  const isBelow = typeof value === 'number' ? value < 0 : typeof value === 'string' && value.startsWith('-');
  return isBelow ? faultAt(member, `${formatValue(value)} is below zero. Send 0 or more.`) : [];
}

/** Faults of an amount, a number or a decimal string, that does not fit its currency. */
export function amountFaults(member: string, value: unknown, code: unknown): readonly RuleFault[] {
  return refusedAmount(member, value, readAmount(value, code));
}
