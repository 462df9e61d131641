import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { brokenProofs } from '../lab/proof.ts';
import { type Seeded, seeded } from '../lab/seeded.ts';

/**
 * A long search for faults of the bank. The same seed makes the same moves. Ends with a {@link Violation} as soon as the bank breaks a
 * promise. A test may give a `Change`: it makes the campaign smaller, or does harm behind its back, to prove that it finds the harm.
 */
export type Campaign<Change = never> = (search: Search, change?: Change) => Promise<void>;

/** The bank broke a promise. The message says which one and how. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Throws a {@link Violation} unless the promise is kept. */
export function demand(isKept: boolean, broken: string | (() => string)): asserts isKept {
  if (!isKept) throw new Violation(typeof broken === 'string' ? broken : broken());
}

/** Demands that the books of a bank balance, by the auditor's own SQL and by `more` of it. */
export async function demandBooks(
  bank: Parameters<typeof brokenProofs>[0],
  about = '',
  more?: Readonly<Record<string, string>>,
): Promise<void> {
  const broken = await brokenProofs(bank, more);
  const told = (): string => JSON.stringify(broken, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  demand(Object.keys(broken).length === 0, () => `the books are wrong${about}: ${told().slice(0, 2_000)}`);
}

/** A value of the arbitrary, derived from the seed. */
export function drawn<Value>(random: Seeded, arbitrary: fc.Arbitrary<Value>): Value {
  return fc.sample(arbitrary, { seed: random.below(2 ** 31), numRuns: 1 })[0] as Value;
}

/** One of the items; undefined if there are none. */
export function anyOf<Item>(random: Seeded, items: readonly Item[]): Item | undefined {
  return items[random.below(Math.max(1, items.length))];
}

export interface CampaignReport {
  readonly seed: number;
  /** Units done. */
  readonly done: number;
  readonly tallies: Readonly<Record<string, number>>;
  /** Null if the bank kept every promise. */
  readonly violation: string | null;
}

interface CampaignOptions<Change> {
  readonly seed: number;
  readonly count: number;
  /** Called after each unit. */
  readonly progress?: (done: number) => void;
  /** Aborted: the campaign ends after the unit under way, and reports what it has counted. */
  readonly ending?: Pick<AbortSignal, 'aborted'>;
  readonly change?: Change;
}

/** Thrown by {@link Search.step} to end a campaign early. */
class Ending extends Error {}

/** One run of a campaign. */
export class Search {
  readonly count: number;
  readonly seed: number;
  /** Derived from the seed; the only source of randomness. */
  readonly random: Seeded;
  readonly tallies = new Map<string, number>();
  done = 0;
  readonly #cleanups = new AsyncDisposableStack();
  readonly #options: Omit<CampaignOptions<unknown>, 'change'>;

  constructor(options: Omit<CampaignOptions<unknown>, 'change'>) {
    this.count = options.count;
    this.seed = options.seed;
    this.random = seeded(options.seed);
    this.#options = options;
  }

  /** Counts an event, such as an answer's status or a killed reset. */
  readonly tally = (what: string, by = 1): void => void this.tallies.set(what, (this.tallies.get(what) ?? 0) + by);

  /** Counts each of these, named `of` before. */
  readonly tallyAll = (counts: Readonly<Record<string, number>>, of = ''): void => {
    for (const [what, times] of Object.entries(counts)) this.tally(of + what, times);
  };

  /** Units that are not done yet. */
  readonly left = (): number => this.count - this.done;

  /** Counts units as done. */
  readonly step = (units = 1): void => {
    this.done += units;
    this.#options.progress?.(this.done);
    if (this.#options.ending?.aborted === true && this.left() > 0) throw new Ending();
  };

  /** Does `units` of work at a time; the last part is what is left of `count`. */
  readonly inParts = async (units: number, work: (units: number) => Promise<void>): Promise<void> => {
    while (this.left() > 0) {
      const part = Math.min(units, this.left());
      await work(part);
      this.step(part);
    }
  };

  /** Does the work `count` times, one unit each. */
  readonly each = (work: (index: number) => Promise<void>): Promise<void> => {
    let index = 0;
    return this.inParts(1, () => work(index++));
  };

  /** Makes a new folder, which is removed when the campaign ends. */
  readonly folder = (): string => this.#cleanups.use(mkdtempDisposableSync(join(tmpdir(), 'sandbank-campaign-'))).path;

  /** Runs the work when the campaign ends, however it ends. The last one given runs first. */
  readonly after = (work: () => unknown): void => this.#cleanups.defer(async () => void (await work()));

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanups.disposeAsync();
  }
}

/** The campaign that a file exports under this name. */
export async function campaignIn(file: URL, name: string): Promise<Campaign> {
  return ((await import(file.href)) as Readonly<Record<string, Campaign>>)[name] as Campaign;
}

/** Runs a campaign to its end, to the first violation or until it is to end. Rethrows other errors. */
export async function runCampaign<Change>(
  campaign: Campaign<Change>,
  { change, ...options }: CampaignOptions<Change>,
): Promise<CampaignReport> {
  await using search = new Search(options);
  let violation: string | null = null;
  try {
    await campaign(search, change);
  } catch (error) {
    if (error instanceof Violation) violation = error.message;
    else if (!(error instanceof Ending)) throw error;
  }
  const sorted = [...search.tallies].sort(([one], [other]) => (one < other ? -1 : 1));
  return { seed: options.seed, done: search.done, tallies: Object.fromEntries(sorted), violation };
}
