/** Stays on in production: a broken invariant must stop the transaction that broke it. */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${what}`);
}

/** For the end of an exhaustive switch, and for values that the types cannot rule out. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`);
}
