import { sql, type RawBuilder } from 'kysely';
import { assert } from '../values/assert.ts';

const half = 1_000_000_000n;

/**
 * Sums amounts whose total can exceed 64 bits, where SQLite's sum() fails: high and low parts are summed separately and
 * returned as one text, which {@link wholeSum} reads. Null when there is nothing to sum.
 */
export function wideSum(amount: RawBuilder<unknown>): RawBuilder<string | null> {
  const { high, low } = wideParts(amount);
  return joinParts(high, low);
}

/** The two sums of {@link wideSum}, for sums of sums. */
export function wideParts(amount: RawBuilder<unknown>): { high: RawBuilder<bigint>; low: RawBuilder<bigint> } {
  return { high: sql`sum((${amount}) / ${half})`, low: sql`sum((${amount}) % ${half})` };
}

/** Joins the two sums of {@link wideParts} into the text that {@link wholeSum} reads. */
export function joinParts(high: RawBuilder<bigint>, low: RawBuilder<bigint>): RawBuilder<string | null> {
  return sql`${high} || ' ' || ${low}`;
}

/** Reads the text of {@link wideSum}; null is zero. */
export function wholeSum(parts: string | null): bigint {
  if (parts === null) return 0n;
  const [high, low] = parts.split(' ');
  assert(high !== undefined && low !== undefined, `a sum in two parts: ${parts}`);
  return BigInt(high) * half + BigInt(low);
}
