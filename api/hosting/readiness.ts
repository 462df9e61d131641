import type { Application, RequestHandler } from 'express';
import type { Ledger } from '../../engine/ledger/database.ts';
import { Problem } from '../pipeline/problem.ts';
import type { FaketimeFile } from './faketime-file.ts';
import { addFacts } from '../pipeline/request-log.ts';
import { html } from '../pages/html.ts';
import { pageHeaders, setPageHeaders } from '../pages/page-security.ts';
import { page } from '../pages/page.ts';

/** Answer of `GET /ready` (docs/spec/control-plane.md). */
interface ReadyState {
  readonly status: 'starting' | 'checking' | 'ready' | 'unwritable' | 'missing' | 'broken';
  /** Why it is not ready, or what does not work though it is. */
  readonly detail?: string;
}

/** Whether the bank is ready: checks, migrations, seeding and catch-up are done, and its ledger can be written. */
export class Readiness {
  #file: Pick<FaketimeFile, 'problem'> | null = null;
  #phase: 'starting' | 'checking' | Pick<Ledger, 'trouble' | 'check'> = 'starting';

  state(): ReadyState {
    if (typeof this.#phase === 'string') return { status: this.#phase };
    const trouble = this.#phase.trouble();
    if (trouble !== null) return { status: trouble.kind, detail: trouble.reason };
    const problem = this.#file?.problem ?? null;
    return { status: 'ready', ...(problem !== null && { detail: problem }) };
  }

  /** A large ledger is being checked. */
  checking(): void {
    this.#phase = 'checking';
  }

  /**
   * The start is done: from now on the state of the ledger decides. `file`: the file of `--faketime-file`, if there is
   * one.
   */
  ready(ledger: Pick<Ledger, 'trouble' | 'check'>, file: Pick<FaketimeFile, 'problem'> | null = null): void {
    this.#file = file;
    this.#phase = ledger;
  }

  /** Checks a ledger in trouble again: it may have recovered. */
  async lookAgain(): Promise<void> {
    if (typeof this.#phase !== 'string' && this.#phase.trouble() !== null) await this.#phase.check();
  }
}

/**
 * Adds the probes to an app. `GET /health`: the process is alive. `GET /ready`: 503 until checks, migrations, seeding
 * and catch-up are done, and while the ledger cannot be written (docs/spec/control-plane.md). Both answer to any Host.
 */
export function addProbes(app: Application, readiness: Pick<Readiness, 'state' | 'lookAgain'>): void {
  app.get(/^\/health\/?$/, (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'alive' });
  });
  app.get(/^\/ready\/?$/, async (_request, response) => {
    await readiness.lookAgain();
    const state = readiness.state();
    response
      .status(state.status === 'ready' ? 200 : 503)
      .set('cache-control', 'no-store')
      .json(state);
  });
}

const texts = {
  starting: 'The bank is starting. Send the request again in a moment.',
  checking: 'The bank is starting, and checks its ledger. Send the request again in a moment.',
};

/** Answers requests before the bank is ready with 503: tppMessages, a problem or a page, by the path. */
export function whileStarting(readiness: Pick<Readiness, 'state'>): RequestHandler {
  const headersOfPage = pageHeaders();
  return (request, response) => {
    const text = texts[readiness.state().status === 'checking' ? 'checking' : 'starting'];
    addFacts(response, { code: 'SYSTEM_ERROR' });
    response.status(503).set({ 'retry-after': '1', 'cache-control': 'no-store' });
    const [, place] = /^(?:\/banks\/[^/]+)?\/(v1|api-sandbox\/v1|sandbox)(?=\/|$)/.exec(request.path) ?? [];
    if (place === undefined) {
      setPageHeaders(headersOfPage, request, response);
      const content = html`<p class="lead">Wait a moment, and load this page again.</p>`;
      response.type('html').send(page({ heading: 'The bank is starting', content }));
    } else if (place === 'sandbox')
      response.type('application/problem+json').send(JSON.stringify(new Problem({ status: 503, detail: text }).json()));
    else response.json({ tppMessages: [{ category: 'ERROR', code: 'SYSTEM_ERROR', text }] });
  };
}
