import { sql, type RawBuilder } from 'kysely';
import { assert } from '../values/assert.ts';

const half = 1_000_000_000n;

/**
 * The sum of many amounts, which can outgrow 64 bits on the way, where SQLite fails: high and low part are summed apart
 * and told as one text, which {@link wholeSum} reads. Null where there is nothing to sum.
 */
export function wideSum(amount: RawBuilder<unknown>): RawBuilder<string | null> {
  const { high, low } = sumParts(amount);
  return joinParts(high, low);
}

/** The two sums that {@link wideSum} joins, for sums that are summed once more. */
export function sumParts(amount: RawBuilder<unknown>): { high: RawBuilder<bigint>; low: RawBuilder<bigint> } {
  return { high: sql`sum((${amount}) / ${half})`, low: sql`sum((${amount}) % ${half})` };
}

/** One text of the two parts. */
export function joinParts(high: RawBuilder<bigint>, low: RawBuilder<bigint>): RawBuilder<string | null> {
  return sql`${high} || ' ' || ${low}`;
}

/** The sum behind the text of {@link wideSum}; zero where there was nothing to sum. */
export function wholeSum(parts: string | null): bigint {
  if (parts === null) return 0n;
  const [high, low] = parts.split(' ');
  assert(high !== undefined && low !== undefined, `a sum in two parts: ${parts}`);
  return BigInt(high) * half + BigInt(low);
}
