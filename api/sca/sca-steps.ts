import type { Bank } from '../../engine/open-bank.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import { scaLifetime } from '../../engine/sca/rules/sca.ts';
import type { FaultCode } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import type { WrongNumber } from '../../engine/approval/find-signer.ts';
import { FormTokens } from '../pages/page-security.ts';
import type { PageLanguage } from '../pages/language.ts';

/**
 * What is wrong with a national identity number; after a wrong one `left` further attempts are allowed (rules.md A2c).
 */
export type NumberProblem =
  | { readonly why: 'missing' | 'malformed' }
  | { readonly why: WrongNumber; readonly left: number }
  /** A PSU who cannot approve, for this reason (rules.md A4e). */
  | { readonly why: 'unable'; readonly code: FaultCode };

/** The answers of a PSU so far in an SCA: enough to render the next page, any number of times. */
export interface Step {
  /** The national identity number as it was entered. */
  readonly psu: string;
  /** As contextValue writes it; null if not chosen yet. */
  readonly context: string | null;
  /** What the PSU is asked once more: to share no account (rules.md A7c), or to reject a payment for all (A4c). */
  readonly askedAgain: 'shares nothing' | 'reject' | null;
  /** What was wrong with the number; the PSU is not identified then. */
  readonly problem: NumberProblem | null;
  /** The method that the TPP prefers (rules.md A10). */
  readonly method: string | null;
}

/** A request for the page of a step, or a form sent from it. */
export interface StepCall {
  readonly bank: Bank;
  /** The name on the pages. Null is that of the sandbox. */
  readonly bankName: string | null;
  /** The page of the console about the SCA, or null for a browser that was not there. */
  readonly toConsole: string | null;
  readonly steps: ScaSteps;
  readonly scaId: string;
  /** Null on the first page, as the step. */
  readonly stepId: string | null;
  readonly step: Step | null;
  readonly method: string | null;
  readonly shown: PageLanguage;
}

/** Maximum number of steps of a bank. A new one replaces the oldest. */
const maxSteps = 1_000;

/**
 * The steps of one bank's SCA pages, in memory (rules.md A2c): after a restart the PSU starts at the first page. A step
 * expires like an SCA link.
 */
export class ScaSteps {
  /** Bound to the SCA and the id of its step; null is the first page. */
  readonly formTokens = new FormTokens();
  readonly #clock: Pick<WallClock, 'now'>;
  /** By step id, the oldest first. */
  readonly #steps = new Map<string, { readonly scaId: string; readonly step: Step; readonly at: Instant }>();

  /** `clock`: that of the bank's security. */
  constructor(clock: Pick<WallClock, 'now'>) {
    this.#clock = clock;
  }

  /** Stores a step and returns its unguessable id. */
  keep(scaId: string, step: Step): string {
    const at = this.#clock.now();
    for (const [id, stored] of this.#steps) {
      if (this.#steps.size < maxSteps && at - stored.at <= scaLifetime) break;
      this.#steps.delete(id);
    }
    const stepId = randomIds.secret();
    this.#steps.set(stepId, { scaId, step, at });
    return stepId;
  }

  /** Null if there is no such step, or it has expired. */
  find(scaId: string, stepId: string): Step | null {
    const stored = this.#steps.get(stepId);
    const isLive = stored !== undefined && stored.scaId === scaId && this.#clock.now() - stored.at <= scaLifetime;
    return isLive ? stored.step : null;
  }
}
