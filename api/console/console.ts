import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable } from '../../engine/open-bank.ts';
import { clip } from '../../engine/values/text.ts';
import { bundleType } from '../control/control-endpoint.ts';
import { Problem, problemOf, unexpectedProblem } from '../pipeline/problem.ts';
import { addFacts } from '../pipeline/request-log.ts';
import { noteUse } from '../pipeline/use-of-program.ts';
import { filePath } from './banks/snapshots.ts';
import { consoleEntrance, pathIn, readFields, refusePage, sendPage, valuesOf } from './entrance.ts';
import { lastRefusalId, type Note, Notes } from './notes.ts';
import { noteParameter, partsOf } from './page-addresses.ts';
import { type CallAction, type ConsoleAction, type ConsoleBank, type Done, PageCall } from './page-call.ts';
import { bodyOfFields, cameFromField, formTokenField } from './parts/forms.ts';
import { linePicture } from './parts/settlement.ts';
import type { ConsoleSessions } from './sessions.ts';
import { errorPage, viewPage } from './shell/layout.ts';
import { consoleActions, consoleViews } from './views.ts';
import { clearTimeout, setTimeout } from '../../engine/time/clock.ts';

interface ConsoleOptions extends ConsoleBank {
  readonly sessions: ConsoleSessions;
  readonly log: Logger;
}

/**
 * The console of a bank, to mount at `/console` (rules.md A2d). GET shows a view; POST carries out an action and
 * redirects.
 */
export function bankConsole(options: ConsoleOptions): Router {
  const { sessions, config, log } = options;
  const notes = new Notes();
  const router = Router({ caseSensitive: true });
  /** A request without a session reads pages; its forms are refused. */
  const callOf = (request: Request): PageCall => {
    const session = sessions.of(request);
    const id = new URLSearchParams(partsOf(request).search).get(noteParameter);
    const [note, formToken] = session === null ? [null, ''] : [notes.find(id), sessions.formTokens.of(session)];
    return new PageCall(options, request, { note, formToken, notes });
  };

  router.use(consoleEntrance(config, sessions, options.base));
  for (const view of consoleViews) {
    router.get(view.path || '/', async (request, response) => {
      sendPage(response, 200, await viewPage(callOf(request), view));
      noteUse('the console answered');
    });
  }
  router.get('/line.svg', async (request, response) => {
    response.type('image/svg+xml').send(await linePicture(callOf(request)));
  });
  router.get(filePath, async (request, response) => {
    const call = callOf(request);
    response
      .attachment(`${call.bankName}.sandbank`)
      .type(bundleType)
      .send(await call.carryOut('GET /bundle'));
  });
  for (const action of consoleActions) {
    router.post(action.path, readFields, async (request, response) => {
      const session = sessions.of(request);
      const fields = valuesOf(request);
      if (session === null || !sessions.formTokens.isOf(fields.get(formTokenField) ?? '', session)) throw foreignForm();
      const call = callOf(request);
      const cameFrom = pathIn(fields.get(cameFromField));
      for (const name of [formTokenField, cameFromField]) fields.delete(name);
      const to = await takeAction({ action, call, fields, cameFrom, log });
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

interface SentForm {
  readonly action: ConsoleAction;
  readonly call: PageCall;
  readonly fields: ReadonlyMap<string, string>;
  /** Address of the view with the form, below `/console`. */
  readonly cameFrom: string;
  readonly log: Logger;
}

/** How long the page of a form waits for a call that may take long, in ms. */
const formWaitMs = 1_500;

/**
 * Carries out what a form asks for. Returns the address of the page that says what came of it, relative to the form's.
 * The page of the form shows a refusal. Anything unexpected is thrown, or logged once the page no longer waits.
 */
async function takeAction({ action, call, fields, cameFrom, log }: SentForm): Promise<string> {
  const { notes } = call;
  const about = { form: call.here, fields };
  // The way back leads to the address of the form without a note.
  const last = lastRefusalId(call.formToken, cameFrom, call.here);
  const viewAfter = (done: Done) => ({ to: cameFrom, ...(typeof done === 'string' ? { text: done } : done) });
  const make = ({ call: name, body, movesClock }: CallAction): Promise<unknown> =>
    call.carryOut(name, { params: call.params }, bodyOfFields(call, name, fields, body), movesClock);
  const finish = async (): Promise<{ note: Note; to: string; leave?: string | undefined }> => {
    try {
      const done = 'act' in action ? await action.act(call, fields) : action.done(await make(action), cameFrom);
      const { text, to, leave, moved, isFailure = false }: Exclude<Done, string> & { to: string } = viewAfter(done);
      notes.forget(last);
      return { note: { ...about, done: text, isFailure, moved }, to, leave };
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null) throw error;
      if (problem.facts.status >= 500) log.error({ err: error }, 'an action of the console failed');
      const note: Note = { ...about, problem: problem.facts };
      notes.keep(note, last);
      return { note, to: cameFrom };
    }
  };
  const finishing = finish();
  const meanwhile = 'act' in action ? undefined : action.meanwhile;
  const outcome = meanwhile === undefined ? await finishing : await within(formWaitMs, finishing);
  if (outcome?.leave !== undefined) return outcome.leave;
  if (outcome !== null) return call.to(addressWith(notes.keep(outcome.note), outcome.to));
  const { text, to, moved }: Exclude<Done, string> & { to: string } = viewAfter(meanwhile?.(fields) ?? '');
  const id = notes.keep({ ...about, going: text, moved });
  void finishing.then(
    ({ note }) => notes.change(id, note),
    (error: unknown) => {
      log.error({ err: error }, 'an action of the console failed');
      notes.change(id, { ...about, problem: unexpectedProblem().facts });
    },
  );
  return call.to(addressWith(id, to));
}

function addressWith(note: string, to: string): string {
  const [path = '', search = ''] = to.split('?');
  const query = new URLSearchParams(search);
  query.set(noteParameter, note);
  return `${path}?${query}`;
}

/** The result of the work, or null if it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
