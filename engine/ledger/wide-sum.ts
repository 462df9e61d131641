import { sql, type RawBuilder } from 'kysely';
import { assert } from '../values/assert.ts';

const half = 1_000_000_000n;

/**
 * Sums amounts whose total can exceed 64 bits, where SQLite's sum() fails: high and low parts are summed separately and
 * returned as one text, which {@link wholeSum} reads. Null when there is nothing to sum.
 */
export function wideSum(amount: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`sum((${amount}) / ${half}) || ' ' || sum((${amount}) % ${half})`;
}

/** Reads the text of {@link wideSum}; null is zero. */
export function wholeSum(parts: string | null): bigint {
  if (parts === null) return 0n;
  const [high, low] = parts.split(' ');
  assert(high !== undefined && low !== undefined, `a sum in two parts: ${parts}`);
  return BigInt(high) * half + BigInt(low);
}
