/** A bank of a test, as far as its bundle goes. */
export interface TestBank {
  /** The bank as the bytes of one file. */
  bundle(): Promise<Buffer>;
  /** Frees its ledger and its journal. */
  end(): Promise<void>;
}

/** How many closed banks wait for the end of their test: one with more has made them for a sweep, and its last ones tell enough. */
const mostClosed = 5;

/**
 * The banks of this process, for tests whose red ones leave bundles. A bank that a test closes, as `await using` does before anybody knows
 * how the test ends, keeps its ledger until then: nothing is copied for a green test.
 */
export class TestBanks {
  readonly #open = new Set<TestBank>();
  /** Closed in the running test; null: none is running. */
  #closed: TestBank[] | null = null;

  opened(bank: TestBank): void {
    this.#open.add(bank);
  }

  /** Ends the bank, or waits with that for the end of the test. */
  async closed(bank: TestBank): Promise<void> {
    this.#open.delete(bank);
    if (this.#closed === null) return bank.end();
    this.#closed.push(bank);
    if (this.#closed.length > mostClosed) await this.#closed.shift()?.end();
  }

  testBegins(): void {
    this.#closed ??= [];
  }

  /** Calls `work` with the banks that were open in the test, the last ones of them, in the order of their opening or closing. */
  async testEnds(work: (banks: readonly TestBank[]) => Promise<void>): Promise<void> {
    const closed = this.#closed ?? [];
    this.#closed = null;
    try {
      await work([...closed, ...this.#open].slice(-mostClosed));
    } finally {
      for (const bank of closed) await bank.end();
    }
  }
}

/** Where `sandbank` and `sandbank/jest` find them: in CommonJS each has a copy of this module. */
const place = Symbol.for('sandbank.test-banks');

/** Those of this process; undefined: nobody wants bundles. */
export function testBanks(): TestBanks | undefined {
  return Reflect.get(globalThis, place) as TestBanks | undefined;
}

/** Begins to keep banks for bundles; null: somebody does already. */
export function keepTestBanks(): TestBanks | null {
  if (testBanks() !== undefined) return null;
  const banks = new TestBanks();
  Reflect.set(globalThis, place, banks);
  return banks;
}
