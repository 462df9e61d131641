/** What a bundle needs of a bank. */
export interface TestBank {
  /** The bank as the bytes of one file. */
  bundle(): Promise<Buffer>;
  /** Frees its ledger and its journal. */
  end(): Promise<void>;
}

/** Saves one bank of a test as the bytes of a file. */
export type Save = () => Promise<Buffer>;

/** One run of a test: a retry is another one. */
export interface TestRun {
  /** Whether the test has failed so far. */
  readonly isRed: () => boolean;
}

/** Owner of the banks of a test whose run is unknown: they belong to no other test. */
export const untoldRun: TestRun = { isRed: () => false };

/** State of a run until it ends. */
interface RunState {
  /** Banks that were closed in the run, at most {@link maxClosed}. */
  readonly closed: TestBank[];
  /** Bundles that were made before the bank went back, as `afterEach(() => bank.reset())` has it. */
  readonly saved: Map<TestBank, Promise<Buffer>>;
  /** No other test has run at the same time. */
  isAlone: boolean;
  /** A bank was opened or called meanwhile, and the runner does not tell by which test. */
  isUnsure: boolean;
}

/** Why a test that ran beside others has no bank: it used none, or the runner does not tell which one is its own. */
export type NoBank = 'none used' | 'not told';

/** Maximum number of closed banks that wait for the end of their test. */
const maxClosed = 5;

/**
 * The banks of this process, for the bundles of red tests. A closed bank keeps its ledger until its test ends, as `await using` closes it
 * before the result is known. A green test copies nothing.
 *
 * A test that runs alone owns all banks that were open during it. A test that runs beside others owns the banks that it opened or called.
 */
class TestBanks {
  readonly #current: () => TestRun | null;
  /** The open banks, each with the runs that opened or called it. */
  readonly #open = new Map<TestBank, Set<TestRun>>();
  readonly #running = new Map<TestRun, RunState>();
  #hasOpened = false;

  /** `current`: the run of the code that asks; null where the test runner does not tell. */
  constructor(current: () => TestRun | null) {
    this.#current = current;
  }

  opened(bank: TestBank): void {
    this.#hasOpened = true;
    this.#open.set(bank, new Set());
    this.called(bank);
  }

  called(bank: TestBank): void {
    const [only] = this.#running.keys();
    const run = this.#current() ?? (this.#running.size === 1 ? only : undefined);
    if (run !== undefined) this.#open.get(bank)?.add(run);
    else for (const state of this.#running.values()) state.isUnsure = true;
  }

  /** Ends the bank when the tests that own it are over. */
  async closed(bank: TestBank): Promise<void> {
    this.called(bank);
    const owners = this.#ownersOf(bank);
    this.#open.delete(bank);
    for (const { closed } of owners) closed.push(bank);
    const over = owners.flatMap(({ closed }) => (closed.length > maxClosed ? closed.splice(0, 1) : []));
    await this.#end(owners.length === 0 ? [bank] : over);
  }

  /** Call before a reset or restore: saves the bank for each of its tests that is red already. */
  async goesBack(bank: TestBank): Promise<void> {
    const [...runs] = this.#running;
    const owners = new Set(this.#ownersOf(bank));
    const wanted = runs.flatMap(([run, state]) => (owners.has(state) && run.isRed() ? [state] : []));
    if (wanted.every(({ saved }) => saved.has(bank))) return;
    const bundle = bank.bundle();
    for (const { saved } of wanted) if (!saved.has(bank)) saved.set(bank, bundle);
    await Promise.allSettled([bundle]);
  }

  begins(run: TestRun): void {
    this.#running.set(run, { closed: [], saved: new Map(), isAlone: true, isUnsure: false });
    if (this.#running.size > 1) for (const state of this.#running.values()) state.isAlone = false;
  }

  /**
   * Calls `work` with the last banks of the run: first the closed ones, then the open ones. `why`: why a run beside others has none,
   * although this process has opened banks; else null.
   */
  async ends(run: TestRun, work: (banks: readonly Save[], why: NoBank | null) => Promise<void>): Promise<void> {
    const state = this.#running.get(run);
    if (state === undefined) return;
    const open = [...this.#open.keys()].filter((bank) => this.#ownersOf(bank).includes(state));
    const banks = [...state.closed, ...open].slice(-maxClosed);
    const isUnsure = state.isUnsure || [...this.#open.values()].some(({ size }) => size === 0);
    const isMissed = !state.isAlone && banks.length === 0 && this.#hasOpened;
    const why = isUnsure ? 'not told' : 'none used';
    try {
      await work(
        banks.map((bank) => () => state.saved.get(bank) ?? bank.bundle()),
        isMissed ? why : null,
      );
    } finally {
      this.#running.delete(run);
      for (const runs of this.#open.values()) runs.delete(run);
      await this.#end(state.closed);
    }
  }

  /** The running tests that a bank belongs to. */
  #ownersOf(bank: TestBank): readonly RunState[] {
    const users = this.#open.get(bank) ?? new Set();
    return [...this.#running].flatMap(([run, state]) => {
      const isOwn = state.isAlone ? !users.has(untoldRun) : users.has(run);
      return isOwn ? [state] : [];
    });
  }

  /** Ends the banks that no running test owns. */
  async #end(banks: readonly TestBank[]): Promise<void> {
    const held = new Set([...this.#running.values()].flatMap(({ closed }) => closed));
    for (const bank of banks) if (!held.has(bank)) await bank.end();
  }
}

/** Whether a call resets a bank: a red test saves it before. */
export function takesBack(method: string, path: string): boolean {
  return method === 'POST' && /\/(?:reset|restore|initialize|undo)$/.test(path);
}

/** Where `sandbank` and `sandbank/jest` find them: in CommonJS each has a copy of this module. */
const place = Symbol.for('sandbank.test-banks');

/** The banks of this process; undefined: bundles are off. */
export function testBanks(): TestBanks | undefined {
  return Reflect.get(globalThis, place) as TestBanks | undefined;
}

/** Begins to keep banks for bundles; null: another caller did already. */
export function keepTestBanks(current: () => TestRun | null): TestBanks | null {
  if (testBanks() !== undefined) return null;
  const banks = new TestBanks(current);
  Reflect.set(globalThis, place, banks);
  return banks;
}
