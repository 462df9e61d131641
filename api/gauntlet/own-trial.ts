import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isProblem, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';
import { jsonOr } from '../../engine/values/json-text.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { type Beneath, type Config, type Profile, trialFile, trialVariable } from '../start/config.ts';
import { listedProfile, profileIds } from '../start/profile.ts';
import { opened, type SeenCall } from '../quirks/hearing.ts';
import type { Line, Trial, TrialFile } from './trial.ts';

/* The trial that a gauntlet has given this process, and what the process records of it. */

/**
 * Marks the requests that the harness makes itself, as `tpp.pay` does: no trial of the wire or of an SCA is for them.
 */
export const harnessHeader = 'sandbank-harness';

interface OwnTrial {
  /** The trials that are applied, all at once. */
  readonly trials: readonly Trial[];
  /** All trials but those of banks, to hear them. */
  readonly all: readonly Trial[];
  /** The bank of a profile trial. Null for another trial. */
  readonly profile: Profile | null;
  /** Whether all trials are heard. */
  readonly hears: boolean;
  /** The trials that this process has heard. */
  readonly heard: Set<string>;
  /** How many banks each test file has opened. */
  readonly counts: Map<string, number>;
  /** Adds a line to the recording of this process. */
  record(line: Line): void;
}

const read = new Map<string, Promise<OwnTrial>>();

/**
 * The next bank that the running test file opens, under the trial of this process, which is read once for each file.
 * Null if no gauntlet runs the process. Throws a Mistake for a trial that this version cannot read.
 */
export async function trialOfNextBank(): Promise<TrialSettings | null> {
  const path = trialFile();
  if (path === null) return null;
  const reading = read.get(path) ?? readFrom(path);
  read.set(path, reading);
  const own = await reading;
  // Runners that tell no file have a process for each, or one that runs all in order.
  const file = runningTest().file || (process.argv[1] ?? '');
  const count = (own.counts.get(file) ?? 0) + 1;
  own.counts.set(file, count);
  return new TrialSettings(own, `${file}#${count}`);
}

async function readFrom(path: string): Promise<OwnTrial> {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const { version, trial: name, late, hears = name === null } = Object(jsonOr(text, null)) as TrialFile;
  // Loaded here only: few processes run under a gauntlet.
  const { ownTrials, trialOfBank, trialNamed } = await import('./trials.ts');
  const all = await ownTrials(late);
  const profile = name !== null && profileIds().includes(name) ? await listedProfile(name) : null;
  const own = trialNamed(profile === null ? all : [trialOfBank(profile)], name ?? '');
  if (version !== 1 || (name !== null && own === null))
    throw new Mistake(
      `${trialVariable} is "${path}", which names no trial of this version of sandbank: the gauntlet and the tests need the same version`,
    );
  const recording = join(dirname(path), `${process.pid}.jsonl`);
  return {
    trials: own === null ? [] : (own.parts ?? [own]),
    all,
    hears,
    profile,
    heard: new Set(),
    counts: new Map(),
    // At once: a runner may kill its workers.
    record: (line) => appendFileSync(recording, `${JSON.stringify(line)}\n`),
  };
}

const nothing = { operation: '', status: null, code: null, type: '', answer: '', isSigned: false, did: false };

/** One bank under the trial, before it is opened. */
export class TrialSettings {
  readonly own: OwnTrial;
  /** The quirks of this bank without the trial: those that banks beside it begin with. */
  beside: Partial<Pick<Config, 'quirks'>> = {};
  /** See {@link SeenCall.bank}. Alike in each run. */
  readonly #key: string;

  constructor(own: OwnTrial, key: string) {
    this.own = own;
    this.#key = key;
  }

  /** A bank that the server of this one makes beside it. */
  named(name: string): TrialSettings {
    return new TrialSettings(this.own, `${this.#key}/${name}`);
  }

  record(seen: Omit<SeenCall, 'bank'>): void {
    this.own.record({ seen: { bank: this.#key, ...seen } });
  }

  /**
   * Reads settings over those of the trial. Where both cannot go together, the trial changes nothing. Throws what
   * `read` throws without the trial.
   */
  read(read: (beneath: Beneath, profile: Profile | null) => Config): Config {
    const without = read({}, null);
    this.beside = { quirks: without.quirks };
    const call = without.clockNow === null ? opened.withoutNow : opened.withNow;
    this.record({ ...nothing, call, test: runningTest().test, isOfHarness: true });
    const { now: clockNow } = this.own.trials.find(({ does }) => does.now !== undefined)?.does ?? {};
    const words = quirksOf(this.own.trials).map(([name, value]) => (value === true ? name : `${name}=${value}`));
    const quirks = words.join();
    // Ids are alike in each run, so that answers can be compared.
    const beneath = { idSeed: `gauntlet ${this.#key}`, ...(quirks && { quirks }), ...(clockNow && { clockNow }) };
    try {
      const config = read(beneath, this.own.profile);
      if (!isDeepStrictEqual({ ...config, idSeed: without.idSeed }, without)) this.own.record({ applied: true });
      return config;
    } catch (error) {
      if (error instanceof Mistake) return without;
      throw error;
    }
  }

  /** Quirks that were chosen for a named bank, with those of the trials beneath them. */
  over(chosen: Quirks): Quirks {
    const own = quirksOf(this.own.trials).filter(([name]) => !chosen.has(name));
    const both = switched(chosen, own);
    if (own.length === 0 || isProblem(both)) return chosen;
    this.own.record({ applied: true });
    return both;
  }
}

/** The quirks of trials, each with its value. */
export function quirksOf(trials: readonly Trial[]) {
  return trials.flatMap(({ does: { quirk } }) =>
    quirk === undefined ? [] : [[quirk.name, quirk.given ?? quirk.tried ?? true] as const],
  );
}

/** The file and the name of the running test, as jest and vitest tell them; empty where they do not. */
export function runningTest(): { readonly file: string; readonly test: string } {
  const matchers: unknown = Reflect.get(globalThis, Symbol.for('$$jest-matchers-object'));
  const state: unknown = Reflect.get(Object(matchers), 'state');
  const { testPath = '', currentTestName = '' } = Object(state) as Readonly<Record<string, unknown>>;
  return { file: String(testPath), test: String(currentTestName) };
}
