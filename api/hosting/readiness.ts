import type { Ledger } from '../../engine/ledger/database.ts';
import { Router } from 'express';

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

/**
 * `GET /health`: the process is alive. `GET /ready`: 503 until checks, migrations, seeding and catch-up are done, and as long
 * as the ledger cannot be written (docs/spec/control-plane.md). Both answer to any host: a probe knows no name.
 */
export function healthRouter(readiness: Pick<Readiness, 'state' | 'lookAgain'>): Router {
  const router = Router({ caseSensitive: true });
  router.get('/health', (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'alive' });
  });
  router.get('/ready', async (_request, response) => {
    await readiness.lookAgain();
    const state = readiness.state();
    response
      .status(state.status === 'ready' ? 200 : 503)
      .set('cache-control', 'no-store')
      .json(state);
  });
  return router;
}
