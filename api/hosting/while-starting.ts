import { Router, type RequestHandler } from 'express';
import { Problem } from '../pipeline/problem.ts';
import { tell } from '../pipeline/request-log.ts';
import type { Readiness } from './readiness.ts';
import { html } from '../pages/html.ts';
import { pageHeaders } from '../pages/page-headers.ts';
import { page } from '../pages/page.ts';

const texts = {
  starting: 'The bank is starting. Send the request again in a moment.',
  checking: 'The bank is starting, and checks its ledger. Send the request again in a moment.',
};

/**
 * Answers requests before the bank is ready with 503: tppMessages, a problem or a page, by the path. Mounted before
 * everything but the probes; passes every request once the bank is ready.
 */
export function whileStarting(readiness: Pick<Readiness, 'state' | 'isStarted'>): RequestHandler {
  const text = (): string => texts[readiness.state().status === 'checking' ? 'checking' : 'starting'];
  const router = Router();
  router.use((_request, response, next) => {
    tell(response, { code: 'SYSTEM_ERROR' });
    response.status(503).set({ 'retry-after': '1', 'cache-control': 'no-store' });
    next();
  });
  router.use(['/v1', '/api-sandbox/v1', '/banks/:name/v1', '/banks/:name/api-sandbox/v1'], tppMessage(text));
  router.use(['/sandbox', '/banks/:name/sandbox'], problem(text));
  router.use(pageHeaders(), shortPage);
  // Leaving a router takes a turn of the event loop: not for each request of a bank that has started.
  return (request, response, next) => {
    if (readiness.isStarted()) next();
    else router(request, response, next);
  };
}

function tppMessage(text: () => string): RequestHandler {
  return (_request, response) => {
    response.json({ tppMessages: [{ category: 'ERROR', code: 'SYSTEM_ERROR', text: text() }] });
  };
}

function problem(text: () => string): RequestHandler {
  return (_request, response) => {
    const body = new Problem({ status: 503, detail: text() }).json();
    response.type('application/problem+json').send(JSON.stringify(body));
  };
}

const shortPage: RequestHandler = (_request, response) => {
  const content = html`<p class="lead">Wait a moment, and load this page again.</p>`;
  response.type('html').send(page({ heading: 'The bank is starting', content }));
};
