import type { GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import type { Trial } from '../../api/gauntlet/trial.ts';
import { isOfWire, operationWord, partsOf } from '../../api/gauntlet/trials.ts';
import { changesIn } from './cause.ts';
import type { Recording } from './recording.ts';

/**
 * The trials of the wire that are in worlds: a gateway's page and a lost answer at each place, two others at the first
 * call alone.
 */
const worldsWire = /^(?:closed|gateway)|^(?:cut|too-many-requests)$/;

/** What the runs of a gauntlet have met, for the storm. */
export class Met {
  /** The operations whose answers a trial changed that was survived, by its name. */
  readonly touched = new Map<string, Set<string>>();
  readonly #baseline: readonly [Recording, Recording];
  readonly #trials: readonly Trial[];
  readonly #survived: Set<Trial>;
  /** Of the trials of the wire: their trials at one operation, by their names. */
  readonly #parts = new Map<string, Trial>();

  /** `trials`: all of this gauntlet. `untried`: those that others have survived, or not tried. */
  constructor(baseline: readonly [Recording, Recording], trials: readonly Trial[], untried: readonly Trial[]) {
    this.#baseline = baseline;
    this.#trials = trials;
    this.#survived = new Set(untried);
  }

  /** Adds a run under a trial. Under it other trials are heard, and other calls reached. */
  add(trial: Trial, verdict: GauntletTrial['verdict'] | undefined, recording: Recording): void {
    const [{ heard }] = this.#baseline;
    for (const other of this.#trials)
      if (recording.heard.has(other.name) && !heard.has(other.name)) this.#survived.add(other);
    if (verdict !== 'survived') return;
    this.#survived.add(trial);
    for (const { calls } of [recording, this.#baseline[0]])
      for (const each of this.#trials) for (const part of partsOf(each, calls)) this.#parts.set(part.name, part);
    const changes = changesIn(this.#baseline, recording);
    this.touched.set(trial.name, new Set(changes.map(({ call }) => operationWord(call.operation))));
  }

  /** What is tried together: of the wire what {@link worldsWire} says; of banks and forged answers nothing. */
  parts(broken: readonly GauntletTrial[]): readonly Trial[] {
    const parts = [...this.#survived].flatMap((trial) => {
      if (!isOfWire(trial)) return trial;
      if (!worldsWire.test(trial.name)) return [];
      return [...this.#parts.values()].filter(({ name }) => name.startsWith(`${trial.name}@`));
    });
    const isBroken = (name: string): boolean => broken.some((row) => row.name === name);
    return parts.filter(({ kind, name, does: { fault } }) => {
      return kind !== 'profile' && kind !== 'together' && fault?.delay === undefined && !isBroken(name);
    });
  }
}
