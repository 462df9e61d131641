import { Router, type RequestHandler } from 'express';
import { Problem } from './control/problem.ts';
import { tell } from './middleware/request-log.ts';
import type { Readiness } from './readiness.ts';
import { html } from './sca/html.ts';
import { pageHeaders } from './sca/page-headers.ts';
import { page } from './sca/page.ts';

const text = 'The bank is starting. Send the request again in a moment.';

/**
 * Answers what comes before the bank is ready, which listens at once: 503, in the form of the path that was asked. It lies
 * before everything but the probes. Once the bank is ready it lets everything pass.
 */
export function whileStarting(readiness: Pick<Readiness, 'state'>): Router {
  const router = Router();
  router.use((_request, response, next) => {
    if (readiness.state() !== 'starting') {
      next('router');
      return;
    }
    tell(response, { code: 'SYSTEM_ERROR' });
    response.status(503).set({ 'retry-after': '1', 'cache-control': 'no-store' });
    next();
  });
  router.use(['/v1', '/api-sandbox/v1', '/banks/:name/v1', '/banks/:name/api-sandbox/v1'], tppMessage);
  router.use(['/sandbox', '/banks/:name/sandbox'], problem);
  router.use(pageHeaders(), shortPage);
  return router;
}

const tppMessage: RequestHandler = (_request, response) => {
  response.json({ tppMessages: [{ category: 'ERROR', code: 'SYSTEM_ERROR', text }] });
};

const problem: RequestHandler = (_request, response) => {
  response.type('application/problem+json').send(JSON.stringify(new Problem({ status: 503, detail: text }).json()));
};

const shortPage: RequestHandler = (_request, response) => {
  const content = html`<p class="lead">Wait a moment, and load this page again.</p>`;
  response.type('html').send(page({ heading: 'The bank is starting', problem: null, today: null, content }));
};
