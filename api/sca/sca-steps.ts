import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WallClock } from '../../engine/time/clock.ts';
import { scaLifetime } from '../../engine/sca/rules/sca.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import type { Problem } from '../pages/page.ts';

/** What a person has answered on the way through an SCA: enough to show the page that follows, and to show it again. */
export interface Step {
  /** The national identity number as it was entered. */
  readonly psu: string;
  /** As contextValue writes it; null: not chosen yet. */
  readonly context: string | null;
  /** What was wrong with the last answer; with the field `psu` the number is not that of a known person. */
  readonly problem: Problem | null;
  /** The method that the TPP prefers (rules.md A10). */
  readonly method: string | null;
}

interface KeptStep {
  readonly scaId: string;
  readonly step: Step;
  readonly at: Instant;
}

/** How many steps a bank keeps; the oldest goes for a new one. */
const mostSteps = 1_000;

/**
 * The steps of the SCA pages of one bank, in the server's memory (rules.md A2c): a restart begins with the first page again.
 * A step lives as long as an SCA link does. Also makes the form tokens, which hold for this process.
 */
export class ScaSteps {
  readonly #wall: WallClock;
  readonly #secret = randomIds.secret();
  /** By step id, the oldest first. */
  readonly #kept = new Map<string, KeptStep>();

  constructor(wall: WallClock) {
    this.#wall = wall;
  }

  /** Keeps a step under an unguessable id. */
  keep(scaId: string, step: Step): string {
    const at = this.#wall.now();
    for (const [id, kept] of this.#kept) {
      if (this.#kept.size < mostSteps && at - kept.at <= scaLifetime) break;
      this.#kept.delete(id);
    }
    const stepId = randomIds.secret();
    this.#kept.set(stepId, { scaId, step, at });
    return stepId;
  }

  /** Null: there is none such, or no longer. */
  find(scaId: string, stepId: string): Step | null {
    const kept = this.#kept.get(stepId);
    const isLive = kept !== undefined && kept.scaId === scaId && this.#wall.now() - kept.at <= scaLifetime;
    return isLive ? kept.step : null;
  }

  /** What the forms of a page carry, so that no other site can send them: the page of that step, or the first (null). */
  formToken(scaId: string, stepId: string | null): string {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([scaId, stepId]))
      .digest('base64url');
  }

  isFormToken(given: string, scaId: string, stepId: string | null): boolean {
    const expected = Buffer.from(this.formToken(scaId, stepId));
    const received = Buffer.from(given);
    return received.length === expected.length && timingSafeEqual(received, expected);
  }
}
