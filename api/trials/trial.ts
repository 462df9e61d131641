import type { Quirk } from '../../engine/bank/rules/quirk.ts';
import type { FaultEffect } from '../pipeline/fault-effect.ts';
import type { ShownAnswer } from '../pipeline/shaping.ts';
import type { EndedCall, QuirkHearing } from '../quirks/hearing.ts';

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

/** How it is told whether any call of a suite hears a trial (GA1). */
export interface Hearing extends Pick<QuirkHearing, 'by'> {
  /** Whether this call hears it. `changed`: an answer would be another. `now`: a bank whose time the test leaves open. */
  readonly in: 'changed' | 'now' | ((call: SeenCall) => boolean);
}

/** The one change of a trial. */
export type Change =
  | { readonly quirk: Quirk; readonly value: true | string }
  | { readonly profile: string }
  | { readonly now: string }
  | { readonly fault: FaultEffect }
  | { readonly headers: 'in capitals' }
  | { readonly sca: 'cancel' | 'fail' | 'expire' }
  /** `path`: of the request, below /v1. `memory`: of the bank, for this trial. */
  | { readonly show: (answer: ShownAnswer, path: string, memory: Map<string, unknown>) => ShownAnswer };

/** A call under /v1 or the answer to an SCA, as a process under a gauntlet records it. */
export interface SeenCall extends EndedCall {
  /** The bank: the file of its test, and its place among those of that file. */
  readonly bank: string;
  /** The running test; empty: the runner does not tell. */
  readonly test: string;
  /** Null: the client got no answer. */
  readonly status: number | null;
  /** The content type; empty: none. */
  readonly type: string;
  /** Whether the bank signed the answer. */
  readonly isSigned: boolean;
  /** Whether the harness itself made it, as in `tpp.pay`. */
  readonly isOfHarness: boolean;
  /** Whether the trial acted on it in a way that its body does not show. */
  readonly did: boolean;
}

/** A bank that a process has opened. */
export interface SeenBank {
  readonly bank: string;
  readonly file: string;
  /** Whether the test leaves `now` to the bank. */
  readonly isNowOpen: boolean;
}

/** A line of a recording. */
export type Line =
  | { readonly opened: SeenBank }
  | { readonly seen: SeenCall }
  | { readonly heard: string; readonly by: string }
  /** The trial changed the settings of a bank, or what an answer shows. */
  | { readonly applied: true };

/** The file of {@link trialFile}. */
export interface TrialFile {
  readonly version: 1;
  /** The name of the trial. Null if the process only records, and hears all trials. */
  readonly trial: string | null;
  /** How long a late answer takes: `PT3S`. */
  readonly late: string;
}
