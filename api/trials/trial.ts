import type { ScaAnswer } from '../../engine/approval/finish-sca.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import type { FaultEffect } from '../pipeline/fault-effect.ts';
import type { ShownAnswer } from '../pipeline/shaping.ts';
import type { Hearing, SeenCall } from '../quirks/hearing.ts';
import type { WholeQuirk } from '../quirks/index.ts';

/** What a trial changes: how the bank behaves, which bank it is, the wire, what a client has to tolerate, its time, or how a status comes. */
export type TrialKind = 'quirk' | 'profile' | 'wire' | 'tolerance' | 'time' | 'status';

/** One change of a bank (docs/spec/control-plane.md GA2), as docs/gauntlet.md tells it. */
export interface Trial {
  readonly name: string;
  readonly kind: TrialKind;
  /** What the bank does: a sentence with its full stop. */
  readonly sentence: string;
  /** What clients do wrong because of it; empty: nobody has told. */
  readonly mistake: string;
  /** The ids of the profiles of the banks that were seen to do so. */
  readonly banks: readonly string[];
  /** The rule of rules.md that it follows, if there is one. */
  readonly rule: string | null;
  /** Where the guide tells more: `docs/habits.md#h4`. */
  readonly docs: string;
  readonly heard: Hearing;
  readonly does: Change;
}

/** The one change of a trial: one of these members. */
export interface Change {
  /** `alone`: no other quirk is on. */
  readonly quirk?: WholeQuirk & { readonly alone: Quirks };
  /** The id of a profile. */
  readonly profile?: string;
  /** The time at which the bank starts. */
  readonly now?: string;
  /** Strikes the first call of each operation that the client makes. */
  readonly fault?: FaultEffect;
  /** The names of headers are in capitals. */
  readonly capitals?: true;
  /** Ends the first SCA, whatever the PSU wanted. */
  readonly sca?: ScaAnswer;
  /** The first payment that has left the bank comes back. */
  readonly returns?: true;
  /** `path`: of the request, below /v1. `memory`: of the bank, for this trial. */
  readonly show?: (answer: ShownAnswer, path: string, memory: Map<string, unknown>) => ShownAnswer;
}

/** A line of a recording. */
export type Line =
  | { readonly seen: SeenCall }
  /** A trial that is heard, and by what. */
  | { readonly heard: string; readonly by: string }
  /** The trial changed the settings of a bank, what an answer shows, or its books. */
  | { readonly applied: true };

/** The file that SANDBANK_TRIAL names. */
export interface TrialFile {
  readonly version: 1;
  /** The name of the trial. Null if the process only records, and hears all trials. */
  readonly trial: string | null;
  /** How long a late answer takes: `PT3S`. */
  readonly late: string;
}
