import type { ErrorRequestHandler, Request } from 'express';
import { problemOf } from '../pipeline/problem.ts';
import { addFacts } from '../pipeline/request-log.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { pageHeaders, setPageHeaders } from './page-headers.ts';

/**
 * Answers a browser with a page for a 404, which leads on. Passes on every other error, and those of other clients
 * (docs/spec/control-plane.md C12). `base`: path of the bank to lead to, empty or `/banks/{name}`.
 */
export function missingPages(base: string): ErrorRequestHandler {
  return (error: unknown, request: Request, response, next) => {
    const problem = problemOf(error);
    if (problem?.facts.status !== 404 || response.headersSent || !isForBrowser(request, base)) {
      next(error);
      return;
    }
    setPageHeaders(pageHeaders(), request, response);
    addFacts(response, { code: problem.code });
    const [address = ''] = request.originalUrl.slice(base.length).split('?');
    const up = '../'.repeat(address.split('/').length - 2) || './';
    const content = html`<p class="lead">${problem.facts.detail}</p>
      <p class="buttons"><a href="${up}console">Open the console</a></p>
      <p><a href="${up}docs">Open the API</a> or <a href="${up}docs/first-payment">read the guide</a></p>`;
    response
      .status(404)
      .vary('accept')
      .type('html')
      .send(page({ heading: 'There is no such page', content }));
  };
}

/** Whether a browser opens an address: it names text/html, and programs do not. The interface answers all alike. */
function isForBrowser({ method, headers, baseUrl, path }: Request, base: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const isOfInterface = /^\/(?:api-sandbox\/)?v1(?=\/|$)/.test((baseUrl + path).slice(base.length));
  return isRead && /\btext\/html\b/.test(headers.accept ?? '') && !isOfInterface;
}
