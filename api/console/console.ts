import { Router, type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable } from '../../engine/bank.ts';
import { clip } from '../../engine/values/text.ts';
import { Problem, problemOf, unexpectedProblem } from '../pipeline/problem.ts';
import { addFacts } from '../pipeline/request-log.ts';
import { consoleEntrance, pathIn, readFields, refusePage, sendPage, valuesOf } from './entrance.ts';
import { Notes } from './notes.ts';
import { noteParameter, partsOf } from './page-addresses.ts';
import { type ConsoleBank, PageCall } from './page-call.ts';
import { cameFromField, formTokenField } from './parts/forms.ts';
import { Books } from './proof/books.ts';
import type { ConsoleSessions } from './sessions.ts';
import { errorPage, viewPage } from './shell/layout.ts';
import { takeAction } from './take-action.ts';
import { consoleActions, consoleViews } from './views.ts';

interface ConsoleOptions extends ConsoleBank {
  readonly sessions: ConsoleSessions;
  readonly log: Logger;
}

/** The console of a bank, to mount at `/console` (rules.md A2d). GET shows a view; POST carries out an action and redirects. */
export function bankConsole(options: ConsoleOptions): Router {
  const { sessions, config, log } = options;
  const notes = new Notes();
  const books = new Books(options.bank);
  const router = Router({ caseSensitive: true });
  /** A request without a session reads pages; its forms are refused. */
  const callOf = (request: Request): PageCall => {
    const session = sessions.of(request);
    const id = new URLSearchParams(partsOf(request).search).get(noteParameter);
    const [note, formToken] = session === null ? [null, ''] : [notes.find(id), sessions.formTokens.of(session)];
    return new PageCall({ ...options, books }, request, { note, formToken });
  };

  router.use(consoleEntrance(config, () => ({ sessions, base: options.base })));
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
    if (sessions.of(request) === null) refusePage(callOf(request), response, problem.facts);
    else sendPage(response, problem.facts.status, await errorPage(callOf(request), problem.facts));
  });
}

function foreignForm(): Problem {
  const detail =
    'The form does not carry the token of its page: it comes from another site, or from a page that was loaded before the ' +
    'server or the browser was started again. Open the page again and send it from there.';
  return new Problem({ status: 403, detail });
}
