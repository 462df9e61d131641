import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable } from '../../engine/bank.ts';
import { clip, withoutTrailing } from '../../engine/values/text.ts';
import { pageHeaders } from '../pages/page-headers.ts';
import { fieldsOf, readForm } from '../pipeline/body-bytes.ts';
import { tooManyWrong } from '../pipeline/control-token.ts';
import { ownPages, ownSite } from '../pipeline/own-site.ts';
import { Problem, problemOf, type ProblemFacts, unexpectedProblem } from '../pipeline/problem.ts';
import { addFacts } from '../pipeline/request-log.ts';
import { Notes } from './notes.ts';
import { type ConsoleBank, noteParameter, PageCall, partsOf } from './page-call.ts';
import { cameFromField, formTokenField } from './parts/forms.ts';
import { problemBox } from './parts/lists.ts';
import { Books } from './proof/books.ts';
import type { ConsoleSessions } from './sessions.ts';
import { loginFields, loginPage, loginPath } from './shell/login.ts';
import { errorPage, plainPage, policy, viewPage } from './shell/layout.ts';
import { takeAction } from './take-action.ts';
import { consoleActions, consoleViews } from './views.ts';

interface ConsoleOptions extends ConsoleBank {
  readonly sessions: ConsoleSessions;
  readonly log: Logger;
}

/** Size limit of a form, in bytes. */
const formLimit = 32 * 1024;

/** The console of a bank, to mount at `/console` (rules.md A2d). GET shows a view; POST carries out an action and redirects. */
export function bankConsole(options: ConsoleOptions): Router {
  const { sessions, config, log } = options;
  const [site, ownForms] = [ownSite(config), ownPages(ownSite(config))];
  const notes = new Notes();
  const books = new Books(options.bank);
  const router = Router({ caseSensitive: true });
  /** Of a request without a session: it can ask, and its forms are refused. */
  const callOf = (request: Request): PageCall => {
    const session = sessions.of(request);
    const id = new URLSearchParams(partsOf(request).search).get(noteParameter);
    const [note, formToken] = session === null ? [null, ''] : [notes.find(id), sessions.formTokens.of(session)];
    return new PageCall({ ...options, books }, request, { note, formToken });
  };
  const refuse = (request: Request, response: Response, facts: ProblemFacts): void => {
    const page = plainPage(callOf(request), 'This did not work', problemBox(facts));
    sendPage(response, facts.status, page);
  };

  router.use(pageHeaders(policy));
  router.use((request, response, next) => {
    const fault = (request.method === 'POST' ? ownForms : site)(request);
    if (fault === null) next();
    else refuse(request, response, { status: 403, detail: fault.text, allowed: fault.hosts });
  });
  router.get('/live.js', sendScript);
  router.use(withoutSlashAtEnd);
  router.post(loginPath, readFields, (request, response) => {
    const fields = valuesOf(request);
    const to = pathIn(fields.get(loginFields.to));
    const begun = sessions.begin(fields.get(loginFields.token) ?? '', request);
    if (begun === 'wrong' || 'retryAfter' in begun) {
      if (begun !== 'wrong') response.setHeader('retry-after', begun.retryAfter);
      const fault = begun === 'wrong' ? 'This is not the control token of the server.' : tooManyWrong;
      sendPage(response, begun === 'wrong' ? 401 : 429, loginPage(callOf(request), { to, fault }));
      return;
    }
    response.setHeader('set-cookie', sessions.cookie(request, begun.id));
    response.status(303).setHeader('location', callOf(request).to(to)).end();
  });
  router.use((request, response, next) => {
    if (sessions.of(request) !== null) {
      next();
      return;
    }
    if (sessions.asksToken) {
      const to = request.method === 'GET' ? callOf(request).here : '';
      sendPage(response, 401, loginPage(callOf(request), { to, fault: null }));
      return;
    }
    const session = sessions.open();
    response.setHeader('set-cookie', sessions.cookie(request, session));
    // This request, too, is of the session: the forms of its page carry its token.
    if (request.method === 'GET') request.headers.cookie = sessions.cookie(request, session);
    next();
  });
  for (const view of consoleViews) {
    router.get(view.path || '/', async (request, response) => {
      sendPage(response, 200, await viewPage(callOf(request), view));
    });
  }
  for (const action of consoleActions) {
    router.post(action.path, readFields, async (request, response) => {
      const session = sessions.of(request);
      const fields = valuesOf(request);
      if (session === null || !sessions.formTokens.isOf(fields.get(formTokenField) ?? '', session)) throw foreignForm();
      const call = callOf(request);
      const cameFrom = pathIn(fields.get(cameFromField));
      for (const name of [formTokenField, cameFromField]) fields.delete(name);
      const to = await takeAction({ action, call, fields, cameFrom, notes, log });
      response.status(303).setHeader('location', to).end();
    });
  }
  router.use((request) => {
    const detail = `The console has nothing for ${request.method} ${clip(partsOf(request).path, 200) || '/'}.`;
    throw new Problem({ status: 404, detail });
  });
  return router.use(async (error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = problemOf(error) ?? unexpectedProblem();
    if (problem.facts.status >= 500) {
      const err = error instanceof LedgerUnavailable ? error.cause : error;
      log.error({ err, method: request.method, path: request.originalUrl }, 'a page of the console failed');
    }
    addFacts(response, { code: problem.code });
    if (sessions.of(request) === null) refuse(request, response, problem.facts);
    else sendPage(response, problem.facts.status, await errorPage(callOf(request), problem.facts));
  });
}

function sendPage(response: Response, status: number, page: string): void {
  response.status(status).type('html').send(page);
}

const readFields = readForm(formLimit);

/** Fields with a value, without the blanks around it; the first of each name. */
function valuesOf(request: Request): Map<string, string> {
  const fields = [...fieldsOf(request)].toReversed();
  return new Map(fields.map(([name, value]) => [name, value.trim()] as const).filter(([, value]) => value !== ''));
}

/** An address below `/console` that a form carried; empty for any other text. */
function pathIn(text: string | undefined): string {
  return text !== undefined && /^\/[!-~]*$/.test(text) ? text : '';
}

function foreignForm(): Problem {
  const detail =
    'The form does not carry the token of its page: it comes from another site, or from a page that was loaded before the ' +
    'server or the browser was started again. Open the page again and send it from there.';
  return new Problem({ status: 403, detail });
}

/** Addresses in the pages are relative to one without a slash at its end. */
const withoutSlashAtEnd: RequestHandler = (request, response, next) => {
  const { path, search } = partsOf(request);
  const whole = `/console${path}`;
  const kept = withoutTrailing(whole, '/');
  if (kept === whole) {
    next();
    return;
  }
  const last = kept.slice(kept.lastIndexOf('/') + 1);
  const to = `${'../'.repeat(whole.length - kept.length)}${last}${search === '' ? '' : `?${search}`}`;
  response.status(308).setHeader('location', to).end();
};

/** The script of the pages. The bundle keeps the addresses of the sources, so the relative address works in both. */
const script = new URL('../console/live.js', import.meta.url);

const sendScript: RequestHandler = async (request, response) => {
  const content = await readFile(script);
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  response.set({ 'cache-control': 'no-cache', etag, 'x-content-type-options': 'nosniff' });
  if (request.headers['if-none-match'] === etag) response.status(304).end();
  else response.type('text/javascript; charset=utf-8').send(content);
};
