import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable } from '../../engine/open-bank.ts';
import { type Fault, type FaultCode, Refusal } from '../../engine/values/fault.ts';
import { faultResponse } from '../faults/fault-response.ts';
import { interfacePath } from '../pipeline/addresses.ts';
import type { SiteCheck, SiteFault } from '../pipeline/own-site.ts';
import { addFacts } from '../pipeline/request-log.ts';
import { unreadBody } from '../pipeline/read-body.ts';
import { html, type Html } from './html.ts';
import { inEnglish, pageAddress, type PageLanguage, type FaultTexts, pageTexts } from './language.ts';
import { page } from './page.ts';
import { problemOf } from '../pipeline/problem.ts';
import { pageHeaders, setPageHeaders } from './page-security.ts';

/** Answers what `site` refuses with a page, 403. The page is in English, unless `languageOf` says otherwise. */
export function ownPagesOnly(
  site: SiteCheck,
  languageOf: (request: Request) => PageLanguage = () => inEnglish,
): RequestHandler {
  return (request, response, next) => {
    const fault = site(request);
    if (fault === null) {
      next();
      return;
    }
    const page = refusedPage(fault, languageOf(request));
    response.status(403).set('cache-control', 'no-store').type('html').send(page);
  };
}

/**
 * Turns an error into a page with the status of rules.md E2; an unexpected error is a 500 without detail (E4). The
 * page is in English, unless `languageOf` says otherwise.
 */
export function pageErrors(
  log: Logger,
  languageOf: (request: Request) => PageLanguage = () => inEnglish,
): ErrorRequestHandler {
  return (error: unknown, request: Request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const [status, fault] = answerTo(error);
    if (error instanceof LedgerUnavailable) log.error({ err: error.cause, method: request.method }, error.message);
    else if (status === 500) log.error({ err: error, method: request.method }, 'unexpected error on an SCA page');
    addFacts(response, { code: fault.code });
    if (fault.retryAfter !== undefined) response.set('retry-after', String(fault.retryAfter));
    response
      .status(status)
      .type('html')
      .send(faultPage(fault, languageOf(request), bankOf(request)));
  };
}

function answerTo(error: unknown): readonly [number, Fault] {
  if (error instanceof LedgerUnavailable) return [statusOf(error.fault), error.fault];
  const refusal = error instanceof Refusal ? error : unreadBody(error);
  if (refusal === null) return [500, { code: 'SYSTEM_ERROR', text: 'Something unexpected happened in the sandbox.' }];
  const [fault] = refusal.faults;
  const text = error === refusal ? fault.text : 'The request cannot be read.';
  return [statusOf(fault), { ...fault, text }];
}

function statusOf(fault: Fault): number {
  return faultResponse([fault], { signature401: false }).status;
}

/** Page for a refused request: says that nothing was changed and how to go on. */
export function refusedPage({ text, hosts }: SiteFault, shown: PageLanguage): string {
  const { refused } = pageTexts[shown.language];
  const content = html`<p class="lead">${hosts === undefined ? refused.form : refused.host} ${refused.unchanged}</p>
    ${hosts === undefined && html`<p>${wayOn(shown)}</p>`} ${forDevelopers('FORBIDDEN', text)}`;
  return page({ heading: refused.heading, content, shown });
}

/** Path of the bank that a request asks: empty, or `/banks/{name}`. */
function bankOf({ baseUrl }: Request): string {
  return /^\/banks\/[^/]+/.exec(baseUrl)?.[0] ?? '';
}

/** Page for a link or a form that does not work: what happened, what to do, and the way to the console of the bank. */
function faultPage({ code, text }: Fault, shown: PageLanguage, bank: string): string {
  const texts = pageTexts[shown.language];
  const known: Partial<Record<FaultCode, FaultTexts>> = texts.faults;
  const { heading, what, advice } = known[code] ?? texts.anyFault;
  const content = html`<p class="lead">${what} ${advice} ${known[code] === undefined && wayOn(shown)}</p>
    ${forDevelopers(code, text)}
    <p><a href="${bank}/console">${texts.openConsole}</a></p>`;
  return page({ heading, content, shown });
}

/** Link to the same page without its step. */
function wayOn(shown: PageLanguage): Html {
  const { openPage, andAnswer } = pageTexts[shown.language];
  return html`<a href="${pageAddress({}, shown)}">${openPage}</a> ${andAnswer}`;
}

/** The code and the text of a fault, which are English, as the API answers it. */
function forDevelopers(code: string, text: string): Html {
  return html`<p class="code" lang="en"><strong>${code}</strong> ${text}</p>`;
}

/** Where a page that is not there leads, below the bank. */
const waysOn = {
  console: ['Open the console', 'Payments, accounts and people, the calendar and the clock'],
  docs: ['Open the API', 'Each call, with a form that sends it'],
  'docs/first-payment': ['Read the guide', 'It begins with a first payment'],
} as const;

/**
 * Answers a browser with a page for a 404, which leads on. Passes on every other error, and those of other clients
 * (docs/spec/control-plane.md C12). `base`: path of the bank to lead to, empty or `/banks/{name}`. `bankName`: the name
 * of its profile, if it has one.
 */
export function missingPages(base: string, bankName = base.slice('/banks/'.length)): ErrorRequestHandler {
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
      <ul class="people ways">
        ${Object.entries(waysOn).map(
          ([to, [text, about]]) =>
            html`<li>
              <a href="${up}${to}">${text}</a>
              <p class="note">${about}</p>
            </li>`,
        )}
      </ul>`;
    response
      .status(404)
      .vary('accept')
      .type('html')
      .send(page({ heading: 'There is no such page', content, bankName: bankName || null }));
  };
}

/** Whether a browser opens an address: it names text/html, and programs do not. The interface answers all alike. */
export function isForBrowser({ method, headers, baseUrl, path }: Request, base: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const isOfInterface = interfacePath.test((baseUrl + path).slice(base.length));
  return isRead && /\btext\/html\b/.test(headers.accept ?? '') && !isOfInterface;
}
