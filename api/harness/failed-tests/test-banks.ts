/** What is needed of a bank to save it when a test fails. */
export interface TestBank {
  /** The bank as the bytes of one file. */
  bundle(): Promise<Buffer>;
  /** Frees its ledger and its journal. */
  end(): Promise<void>;
}

/** One run of a test. A retry is another one. */
export interface TestRun {
  /** Whether the test has failed so far. */
  readonly hasFailed: () => boolean;
}

/** Maximum number of banks that are saved of a test, and of closed banks that wait for the end of theirs. */
const maxBanks = 5;

/**
 * The banks of a test file, for the files of its failed tests: those that were open while the test ran. A bank that is
 * closed keeps its ledger until the running tests end, as `await using` closes it before anybody knows how the test
 * ends.
 */
export class TestBanks {
  readonly #open = new Set<TestBank>();
  /** Those that were closed while a test ran. */
  readonly #closed: TestBank[] = [];
  /** The tests that run now, each with its banks as they were before a reset after its failure. */
  readonly #running = new Map<TestRun, Map<TestBank, Promise<Buffer>>>();

  opened(bank: TestBank): void {
    this.#open.add(bank);
  }

  /** Ends the bank, at once if no test runs. */
  async closed(bank: TestBank): Promise<void> {
    this.#open.delete(bank);
    this.#closed.push(bank);
    await this.#end(this.#running.size === 0 ? 0 : maxBanks);
  }

  /**
   * Call before a reset or a restore, as `afterEach(() => bank.reset())` has it: keeps the bank for the tests that have
   * failed.
   */
  async goesBack(bank: TestBank): Promise<void> {
    const failed = [...this.#running].flatMap(([run, before]) =>
      run.hasFailed() && !before.has(bank) ? [before] : [],
    );
    if (failed.length === 0) return;
    const bundle = bank.bundle();
    for (const before of failed) before.set(bank, bundle);
    await Promise.allSettled([bundle]);
  }

  begins(run: TestRun): void {
    this.#running.set(run, new Map());
  }

  /** What saves the last banks of a test, the closed ones first. */
  banksOf(run: TestRun): readonly (() => Promise<Buffer>)[] {
    const before = this.#running.get(run);
    const last = [...this.#closed, ...this.#open].slice(-maxBanks);
    return last.map((bank) => () => before?.get(bank) ?? bank.bundle());
  }

  async ends(run: TestRun): Promise<void> {
    this.#running.delete(run);
    if (this.#running.size === 0) await this.#end(0);
  }

  /** Ends the closed banks but so many of the last ones. */
  async #end(kept: number): Promise<void> {
    for (const bank of this.#closed.splice(0, this.#closed.length - kept)) await bank.end();
  }
}

/** Whether a call takes a bank back, so that a failed test saves it before. */
export function takesBack(method: string, path: string): boolean {
  return method === 'POST' && /\/(?:reset|restore|initialize|undo)$/.test(path);
}

/** Where they are in the global object of a test file: `sandbank` and the runner's part of it do not share modules. */
const place = Symbol.for('sandbank.test-banks');

/** The banks of this test file, or undefined if failed tests save none. */
export function testBanks(): TestBanks | undefined {
  return Reflect.get(globalThis, place) as TestBanks | undefined;
}

/** Begins to keep the banks of the test file with this global object. */
export function keepTestBanks(global: object): TestBanks {
  const banks = new TestBanks();
  Reflect.set(global, place, banks);
  return banks;
}
