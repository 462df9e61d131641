import type { ScaAnswer } from '../../engine/approval/finish-sca.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import type { FaultEffect } from '../pipeline/fault-effect.ts';
import type { ShownAnswer } from '../pipeline/shaping.ts';
import type { Hearing, SeenCall } from '../quirks/hearing.ts';
import type { WholeQuirk } from '../quirks/index.ts';

/**
 * What a trial changes: how the bank behaves, which bank it is, the wire, what a client has to tolerate, its time, how
 * a status comes, a forged answer, which the suite has to notice, or several of these together.
 */
export type TrialKind = 'quirk' | 'profile' | 'wire' | 'tolerance' | 'time' | 'status' | 'forged' | 'together';

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
  /** Of the trials with the same slot a bank is under one at most. */
  readonly slot: string;
  /** Of a trial that is several together. */
  readonly parts?: readonly Trial[];
}

/**
 * Which of the calls of an operation a fault strikes, of those that the bank would carry out: from the first one, 0,
 * on.
 */
export interface Strikes {
  readonly from: number;
  readonly until: number;
  /** Of the calls that read a further page of a list alone. */
  readonly isPage?: true;
}

/** The one change of a trial: one of these members, those of a fault together. */
export interface Change {
  /** `alone`: no other quirk is on. `given`: its value; null: the usual one, or what it tries. */
  readonly quirk?: WholeQuirk & { readonly alone: Quirks; readonly given: string | null };
  /** Refuses account numbers with a wrong check digit that the bank does not hold. */
  readonly checksNumbers?: true;
  /** The id of a profile. */
  readonly profile?: string;
  /** The time at which the bank starts. */
  readonly now?: string;
  /** Strikes calls that the client makes. */
  readonly fault?: FaultEffect;
  readonly strikes?: Strikes;
  /** The only operation that the fault strikes, as {@link operationWord} writes it. Left out: each one. */
  readonly at?: string;
  /** A suite must fail under it: the answer is forged. */
  readonly isForged?: true;
  /** The names of headers are in capitals. */
  readonly capitals?: true;
  /** Ends the first SCA, whatever the PSU wanted. */
  readonly sca?: ScaAnswer;
  /** The first payment that has left the bank comes back. */
  readonly returns?: true;
  /**
   * Entries with these amounts, in øre, are booked on an account whose transactions are read, of two days before: at
   * once, or each time that it is read later.
   */
  readonly entries?: { readonly amounts: readonly bigint[]; readonly isLate: boolean };
  /** The first run that tries a payment finds no funds. */
  readonly isShortAtFirst?: true;
  /** `path`: of the request, below /v1. `memory`: of the bank, for this trial. */
  readonly show?: (answer: ShownAnswer, path: string, memory: Map<string, unknown>) => ShownAnswer;
}

/** A line of a recording. */
export type Line =
  | { readonly seen: SeenCall }
  /** The name of a trial that is heard. */
  | { readonly heard: string }
  /** The trial changed the settings of a bank, what an answer shows, or its books. */
  | { readonly applied: true };

/** The file that SANDBANK_TRIAL names. */
export interface TrialFile {
  readonly version: 1;
  /** The name of the trial, or names joined by `+`. Null if the process only records, and hears all trials. */
  readonly trial: string | null;
  /** How long a late answer takes: `PT3S`. */
  readonly late: string;
  /** Hears all other trials too, for those that the suite meets only under this one. */
  readonly hears?: boolean;
}
