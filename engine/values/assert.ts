/** A bug, or a ledger that contradicts itself: what the bank keeps may be wrong from here on. */
export class InvariantBroken extends Error {
  constructor(what: string) {
    super(`invariant broken: ${what}`);
    this.name = 'InvariantBroken';
  }
}

/** Stays on in production: a broken invariant must stop the transaction that broke it. */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new InvariantBroken(what);
}

/** For the end of an exhaustive switch, and for values that the types cannot rule out. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`);
}
