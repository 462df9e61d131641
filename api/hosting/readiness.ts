import type { Ledger } from '../../engine/ledger/database.ts';
import { Router, type RequestHandler } from 'express';

/** Answer of `GET /ready` (docs/spec/control-plane.md). */
export interface ReadyState {
  readonly status: 'starting' | 'checking' | 'ready' | 'unwritable' | 'missing' | 'broken';
  /** Why it is not ready. */
  readonly detail?: string;
}

/** Tells whether the bank is ready: checks, migrations, seeding and catch-up are done, and its ledger can be written. */
export class Readiness {
  #phase: 'starting' | 'checking' | Pick<Ledger, 'trouble' | 'check'> = 'starting';

  state(): ReadyState {
    if (typeof this.#phase === 'string') return { status: this.#phase };
    const trouble = this.#phase.trouble();
    return trouble === null ? { status: 'ready' } : { status: trouble.kind, detail: trouble.reason };
  }

  /** True when requests are taken. When the ledger cannot be written, each call answers for itself. */
  isStarted(): boolean {
    return typeof this.#phase !== 'string';
  }

  /** A large ledger is being checked. */
  checking(): void {
    this.#phase = 'checking';
  }

  /** The start is done: from now on the state of the ledger decides. */
  ready(ledger: Pick<Ledger, 'trouble' | 'check'>): void {
    this.#phase = ledger;
  }

  /** Checks a ledger in trouble again: it may have recovered. */
  async lookAgain(): Promise<void> {
    if (typeof this.#phase !== 'string' && this.#phase.trouble() !== null) await this.#phase.check();
  }
}

/**
 * Routes the probes. `GET /health`: the process is alive. `GET /ready`: 503 until checks, migrations, seeding and catch-up
 * are done, and while the ledger cannot be written (docs/spec/control-plane.md). Both answer to any Host.
 */
export function healthRouter(readiness: Pick<Readiness, 'state' | 'lookAgain'>): RequestHandler {
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
  // Leaving a router takes a turn of the event loop, which other requests must not pay for.
  return (request, response, next) => {
    if (probes.test(request.path)) router(request, response, next);
    else next();
  };
}

const probes = /^\/(?:health|ready)\/?$/;
