import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isProblem, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { type Instant, osloDate } from '../../engine/values/instant.ts';
import { addDays } from '../../engine/values/local-date.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { messageOf } from '../start/error-text.ts';
import { type Beneath, type Config, type Profile, trialFile, trialVariable } from '../start/config.ts';
import { listedProfile } from '../start/profile.ts';
import type { Line, Trial, TrialFile } from './trial.ts';

/* The trial that a gauntlet has given this process, and what the process records of it. */

/** Marks the requests that the harness makes itself, as `tpp.pay` does: no trial of the wire or of an SCA is for them. */
export const harnessHeader = 'sandbank-harness';

export interface OwnTrial {
  /** Null: no trial is applied, and all are heard. */
  readonly trial: Trial | null;
  /** All trials, to hear them. */
  readonly all: readonly Trial[];
  /** The bank of a profile trial. Null for another trial. */
  readonly profile: Profile | null;
  /** The trials that this process has heard. */
  readonly heard: Set<string>;
  /** Adds a line to the recording of this process. */
  record(line: Line): void;
}

const read = new Map<string, Promise<OwnTrial>>();

/** The trial of this process, read once for each file. Null if no gauntlet runs it. Throws a Mistake for a file that this version cannot read. */
export async function ownTrial(): Promise<OwnTrial | null> {
  const file = trialFile();
  if (file === null) return null;
  const own = read.get(file) ?? readFrom(file);
  read.set(file, own);
  return own;
}

async function readFrom(file: string): Promise<OwnTrial> {
  const { trial: name, late } = trialIn(file);
  // Loaded here only: few processes run under a gauntlet.
  const { allTrials } = await import('./trials.ts');
  const all = await allTrials(late);
  const trial = all.find((one) => one.name === name) ?? null;
  if (name !== null && trial === null) throw unreadable(file, `this version of sandbank has no trial ${name}`);
  const recording = join(dirname(file), `${process.pid}.jsonl`);
  return {
    trial,
    all,
    profile: trial !== null && 'profile' in trial.does ? await listedProfile(trial.does.profile) : null,
    heard: new Set(),
    // At once: a runner may kill its workers.
    record: (line) => appendFileSync(recording, `${JSON.stringify(line)}\n`),
  };
}

function trialIn(file: string): TrialFile {
  let given: Partial<TrialFile>;
  try {
    given = Object(JSON.parse(readFileSync(file, 'utf8'))) as Partial<TrialFile>;
  } catch (error) {
    throw unreadable(file, messageOf(error));
  }
  const { version, trial, late } = given;
  if (version !== 1) throw unreadable(file, `it has version ${String(version)}, and this sandbank reads version 1`);
  if ((trial === null || typeof trial === 'string') && typeof late === 'string') return { version, trial, late };
  throw unreadable(file, 'it names no trial');
}

function unreadable(file: string, why: string): Mistake {
  const cure = 'the gauntlet and the tests need the same version of sandbank';
  return new Mistake(`${trialVariable} is "${file}", and that trial cannot be read: ${why}; ${cure}`);
}

/** How many banks each file has opened. */
const opened = new Map<string, number>();

/** One bank under the trial, before it is opened. */
export class TrialSettings {
  readonly own: OwnTrial;
  /** The bank, see {@link SeenBank}. Alike in each run. */
  readonly key: string;

  private constructor(own: OwnTrial, key: string) {
    this.own = own;
    this.key = key;
  }

  /** The next bank that the running test file opens. */
  static next(own: OwnTrial): TrialSettings {
    // Runners that tell no file have a process for each, or one that runs all in order.
    const file = runningTest().file || (process.argv[1] ?? '');
    const count = (opened.get(file) ?? 0) + 1;
    opened.set(file, count);
    return new TrialSettings(own, `${file}#${count}`);
  }

  /** A bank that the server of this one makes beside it. */
  named(name: string): TrialSettings {
    return new TrialSettings(this.own, `${this.key}/${name}`);
  }

  /**
   * Reads settings over those of the trial. Where both cannot go together, the trial changes nothing. Throws what `read` throws without the
   * trial.
   */
  read(read: (beneath: Beneath, profile: Profile | null) => Config): Config {
    const { key, own } = this;
    const without = read({}, null);
    const isNowOpen = without.clockNow === null;
    own.record({ opened: { bank: key, file: key.replace(/#\d+$/, ''), isNowOpen } });
    try {
      const config = read(this.#beneath(without.clockNow ?? systemClock.now()), own.profile);
      if (changeable(config) !== changeable(without)) own.record({ applied: true });
      return config;
    } catch (error) {
      if (error instanceof Mistake) return without;
      throw error;
    }
  }

  #beneath(start: Instant): Beneath {
    // Ids are alike in each run, so that answers can be compared.
    const idSeed = `gauntlet ${this.key}`;
    const change = this.own.trial?.does;
    if (change !== undefined && 'now' in change) return { idSeed, clockNow: change.now };
    if (change === undefined || !('quirk' in change)) return { idSeed };
    const { quirk } = change;
    const value = quirk === 'maintenance' ? nextNight(start) : change.value;
    return { idSeed, quirks: value === true ? quirk : `${quirk}=${value}` };
  }

  /** Quirks that were chosen for a named bank, with that of the trial beneath them. */
  over(chosen: Quirks): Quirks {
    const change = this.own.trial?.does;
    if (change === undefined || !('quirk' in change) || chosen.has(change.quirk) || change.quirk === 'maintenance')
      return chosen;
    const both = switched(chosen, [[change.quirk, change.value]]);
    if (isProblem(both)) return chosen;
    this.own.record({ applied: true });
    return both;
  }
}

/** What a trial changes in settings, as text. */
function changeable({ quirks, profile, clockNow }: Config): string {
  return JSON.stringify([[...quirks], profile?.id, clockNow]);
}

/** The hours of the bank's next night: a window that has passed would be refused. */
function nextNight(start: Instant): string {
  return `${addDays(osloDate(start), 1)}T01:00/PT4H`;
}

/** The file and the name of the running test, as jest and vitest tell them; empty where they do not. */
export function runningTest(): { readonly file: string; readonly test: string } {
  const { state } = Object(Reflect.get(globalThis, Symbol.for('$$jest-matchers-object'))) as {
    readonly state?: unknown;
  };
  const { testPath = '', currentTestName = '' } = Object(state) as Readonly<Record<string, unknown>>;
  return { file: String(testPath), test: String(currentTestName) };
}
