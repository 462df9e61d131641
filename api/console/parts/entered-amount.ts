import { isCurrency, minorUnits } from '../../../engine/values/currency.ts';
import { withoutTrailing } from '../../../engine/values/text.ts';
import { refusedAt } from '../../pipeline/problem.ts';

/** Digits with or without groups of three between blanks, commas or points, and perhaps a fraction. */
const grouped = /^(-?)(\d+|\d{1,3}(?: \d{3})+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)(?:([.,])(\d+))?$/;
const blanks = /[\s\u00a0\u202f']+/g;

/**
 * Converts an amount as people write it (`1000`, `1 000,50`, `1,000.50`) to the bank's form (`1000.00`, `1000.50`), with the digits of the
 * currency. A text that is no amount stays as it is: the bank refuses it. Throws a Problem at `amount` for three digits after a single
 * separator, which can be thousands or a fraction (control-plane.md C8).
 */
export function enteredAmount(text: string, currency: string): string {
  const plain = text.replace(blanks, ' ').trim();
  const digits = isCurrency(currency) ? minorUnits(currency) : 2;
  const [, sign = '', one = '', separator = '', rest = ''] = /^(-?)([1-9]\d{0,2})([.,])(\d{3})$/.exec(plain) ?? [];
  if (separator !== '') {
    const [thousands, fraction] = [
      amountOf(sign + one + rest, '', digits),
      amountOf(sign + one, withoutTrailing(rest, '0'), digits),
    ];
    const detail = `${plain} can mean ${thousands} or ${fraction}. Write it so that it has one meaning.`;
    throw refusedAt('amount', detail, [thousands, fraction]);
  }
  const match = grouped.exec(plain);
  if (match === null) return text;
  const [, minus = '', whole = '', point = '', fraction = ''] = match;
  // `1.000.50`: one separator for thousands and for the fraction.
  if (point !== '' && whole.includes(point)) return text;
  return amountOf(minus + whole.replaceAll(/\D/g, ''), fraction, digits);
}

function amountOf(whole: string, fraction: string, digits: number): string {
  const filled = fraction.padEnd(digits, '0');
  return filled === '' ? whole : `${whole}.${filled}`;
}
