/* Money of the auditor's own counting, in øre. */

/** `-1890.00` as -189000n. */
export function ore(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

/** A quotient of zero or more, rounded half to even. */
export function halfEven(amount: bigint, by: bigint): bigint {
  const [whole, rest] = [amount / by, 2n * (amount % by)];
  return rest > by || (rest === by && whole % 2n === 1n) ? whole + 1n : whole;
}
