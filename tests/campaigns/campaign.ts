import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { brokenProofs } from '../lab/proof.ts';
import { type Seeded, seeded } from '../lab/seeded.ts';

/**
 * A long search for faults of the bank. The same seed makes the same moves. A test may give a `Change`: it makes the campaign smaller, or
 * does harm behind its back, to prove that it finds the harm.
 */
export interface Campaign<Change = never> {
  /** What one unit of `count` is: `kills`, `requests`, `years`. */
  readonly unit: string;
  /** Default number of units. */
  readonly usualCount: number;
  /** Ends with a {@link Violation} as soon as the bank breaks a promise. */
  run(soak: Soak, change?: Change): Promise<void>;
}

/** One run of a campaign. */
export interface Soak {
  readonly count: number;
  /** Derived from the seed; the only source of randomness. */
  readonly random: Seeded;
  /** Counts an event, such as an answer's status or a killed reset. */
  tally(what: string, by?: number): void;
  /** Counts each of these, named `of` before. */
  tallyAll(counts: Readonly<Record<string, number>>, of?: string): void;
  /** Units that are not done yet. */
  left(): number;
  /** So many units are done; left out: one. */
  step(units?: number): void;
  /** Does the work `count` times, one unit each. */
  each(work: (index: number) => Promise<void>): Promise<void>;
  /** Does the work for so many units at a time, the last time for what is left of `count`. */
  inParts(units: number, work: (units: number) => Promise<void>): Promise<void>;
  /** Makes a new folder, which is removed when the campaign ends. */
  folder(): string;
  /** Runs the work when the campaign ends, however it ends. The last one given runs first. */
  after(work: () => unknown): void;
}

/** The bank broke a promise. The message says which one and how. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Throws a {@link Violation} unless the promise is kept. */
export function demand(isKept: boolean, broken: string | (() => string)): asserts isKept {
  if (!isKept) throw new Violation(typeof broken === 'string' ? broken : broken());
}

/** Demands that the books of a bank balance, by the auditor's own SQL. */
export async function demandBooks(bank: Parameters<typeof brokenProofs>[0], about = ''): Promise<void> {
  const broken = await brokenProofs(bank);
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

interface CampaignReport {
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

/** Thrown by {@link Soak.step} to end a campaign early. */
class Ending extends Error {}

/** Runs a campaign to its end, to the first violation or until it is to end. Rethrows other errors. */
export async function runCampaign<Change>(
  campaign: Campaign<Change>,
  options: CampaignOptions<Change>,
): Promise<CampaignReport> {
  const { seed, count, progress, ending } = options;
  const tallies = new Map<string, number>();
  const cleanups: (() => unknown)[] = [];
  let done = 0;
  let violation: string | null = null;
  const soak: Soak = {
    count,
    random: seeded(seed),
    tally: (what, by = 1) => void tallies.set(what, (tallies.get(what) ?? 0) + by),
    tallyAll: (counts, of = '') => {
      for (const [what, times] of Object.entries(counts)) soak.tally(of + what, times);
    },
    left: () => count - done,
    step: (units = 1) => {
      done += units;
      progress?.(done);
      if (ending?.aborted === true && done < count) throw new Ending();
    },
    each: async (work) => {
      for (let index = 0; soak.left() > 0; index += 1) {
        await work(index);
        soak.step();
      }
    },
    inParts: async (units, work) => {
      while (soak.left() > 0) {
        const part = Math.min(units, soak.left());
        await work(part);
        soak.step(part);
      }
    },
    folder: () => {
      const folder = mkdtempSync(join(tmpdir(), 'sandbank-soak-'));
      cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
    after: (work) => void cleanups.push(work),
  };
  try {
    await campaign.run(soak, options.change);
  } catch (error) {
    if (error instanceof Violation) violation = error.message;
    else if (!(error instanceof Ending)) throw error;
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
  const sorted = [...tallies].sort(([one], [other]) => (one < other ? -1 : 1));
  return { seed, done, tallies: Object.fromEntries(sorted), violation };
}
