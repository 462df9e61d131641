import type { Ledger } from '../../engine/ledger/database.ts';

/** As `GET /ready` tells it (docs/spec/control-plane.md). */
export interface ReadyState {
  readonly status: 'starting' | 'checking' | 'ready' | 'unwritable' | 'missing' | 'broken';
  /** Why it is not ready. */
  readonly detail?: string;
}

/** Whether the bank can be used: checks, migrations, seeding and catch-up are done, and nothing keeps its ledger from being written. */
export class Readiness {
  #phase: 'starting' | 'checking' | Pick<Ledger, 'trouble' | 'check'> = 'starting';

  state(): ReadyState {
    if (typeof this.#phase === 'string') return { status: this.#phase };
    const trouble = this.#phase.trouble();
    return trouble === null ? { status: 'ready' } : { status: trouble.kind, detail: trouble.reason };
  }

  /** Whether requests can be taken; where the ledger cannot be written, each call says what it cannot do. */
  isStarted(): boolean {
    return typeof this.#phase !== 'string';
  }

  /** A ledger is being looked through, which takes a while where it is large. */
  checking(): void {
    this.#phase = 'checking';
  }

  /** From here on it is as ready as its ledger. */
  ready(ledger: Pick<Ledger, 'trouble' | 'check'>): void {
    this.#phase = ledger;
  }

  /** Looks again at a ledger that is in trouble: it may be over. */
  async lookAgain(): Promise<void> {
    if (typeof this.#phase !== 'string' && this.#phase.trouble() !== null) await this.#phase.check();
  }
}
