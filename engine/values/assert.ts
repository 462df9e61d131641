/** Thrown for a bug or a ledger that contradicts itself. After it the stored data may be wrong. */
export class InvariantBroken extends Error {
  constructor(what: string) {
    super(`invariant broken: ${what}`);
    this.name = 'InvariantBroken';
  }
}

/**
 * Throws InvariantBroken unless the condition holds. Stays on in production: it must stop the transaction that breaks
 * it.
 */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new InvariantBroken(what);
}
