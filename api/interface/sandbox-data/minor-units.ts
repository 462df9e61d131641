import { assert } from '../../../engine/values/assert.ts';
import type { Currency } from '../../../engine/values/currency.ts';
import { parseSandboxAmount } from '../../../engine/values/money.ts';

/** An amount of a body that its schema let through, in minor units; one that was left out is 0. */
export function minorUnitsOf(value: number | string | undefined, currency: Currency): bigint {
  if (value === undefined) return 0n;
  const amount = parseSandboxAmount(value, currency);
  assert(typeof amount !== 'string', `${value} ${currency} was checked with the body`);
  return amount.minor;
}
