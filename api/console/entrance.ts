import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { withoutTrailing } from '../../engine/values/text.ts';
import { ownResources, pageHeaders } from '../pages/page-security.ts';
import { fieldsOf, readForm } from '../pipeline/read-body.ts';
import { ownCalls, ownSite } from '../pipeline/own-site.ts';
import type { ProblemFacts } from '../pipeline/problem.ts';
import type { Config } from '../start/config.ts';
import { PageAddresses, partsOf } from './page-addresses.ts';
import { fieldOf, hiddenInputs } from './parts/forms.ts';
import { problemBox } from './parts/blocks.ts';
import type { ConsoleSessions } from './sessions.ts';
import { layout, policy } from './shell/layout.ts';
import { html } from '../pages/html.ts';

/** Size limit of a form, in bytes. */
const formLimit = 32 * 1024;

/**
 * The entrance of a console, to mount at `/console` (rules.md A2d): it refuses other web sites, and lets in who has a
 * session. Without a control token every browser gets one; with one the login asks for it. It reads nothing of the
 * bank. `base`: the path of the bank.
 */
export function consoleEntrance(config: Config, sessions: ConsoleSessions, base: string): Router {
  const site = ownCalls(ownSite(config));
  const router = Router({ caseSensitive: true });
  const addresses = (request: Request): PageAddresses => new PageAddresses(request, base);
  router.use(pageHeaders(policy), ownResources);
  router.use((request, response, next) => {
    const fault = site(request);
    if (fault === null) next();
    else refusePage(addresses(request), response, { status: 403, detail: fault.text, allowed: fault.hosts });
  });
  router.get('/live.js', sendScript);
  router.use(withoutSlashAtEnd);
  router.post(loginPath, readFields, (request, response) => {
    const page = addresses(request);
    const fields = valuesOf(request);
    const to = pathIn(fields.get(loginFields.to));
    const begun = sessions.begin(fields.get(loginFields.token) ?? '');
    if (begun === null) {
      sendPage(response, 401, loginPage(page, { to, fault: 'This is not the control token of the server.' }));
      return;
    }
    response.setHeader('set-cookie', sessions.cookie(request, begun));
    response.status(303).setHeader('location', page.to(to)).end();
  });
  router.use((request, response, next) => {
    if (sessions.of(request) !== null) {
      next();
      return;
    }
    if (sessions.haveLogin) {
      const page = addresses(request);
      sendPage(response, 401, loginPage(page, { to: request.method === 'GET' ? page.here : '', fault: null }));
      return;
    }
    const session = sessions.open();
    response.setHeader('set-cookie', sessions.cookie(request, session));
    // This request, too, is of the session: the forms of its page carry its token.
    if (request.method === 'GET') request.headers.cookie = sessions.cookie(request, session);
    next();
  });
  return router;
}

/** Answers with the page of a problem, which shows nothing of the bank. */
export function refusePage(page: PageAddresses, response: Response, facts: ProblemFacts): void {
  sendPage(response, facts.status, layout(page, { title: 'This did not work', content: problemBox(facts) }));
}

export function sendPage(response: Response, status: number, page: string): void {
  response.status(status).type('html').send(page);
}

/** Reads the fields of a form. */
export const readFields = readForm(formLimit);

/** Fields with a value, without the blanks around it; the first of each name. */
export function valuesOf(request: Request): Map<string, string> {
  const fields = [...fieldsOf(request)].toReversed();
  return new Map(fields.map(([name, value]) => [name, value.trim()] as const).filter(([, value]) => value !== ''));
}

/** An address below `/console` that a form carried; empty for any other text. */
export function pathIn(text: string | undefined): string {
  return text !== undefined && /^\/[!-~]*$/.test(text) ? text : '';
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

/** The script of the pages. The build keeps the addresses of the sources, so the relative address works in both. */
const script = new URL('../console/live.js', import.meta.url);

const sendScript: RequestHandler = async (request, response) => {
  // Without indents and comments: a third of it.
  const content = (await readFile(script, 'utf8')).replaceAll(/^\s*(?:\/\/.*\n|\/?\*.*\n)?/gm, '');
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  response.set({ 'cache-control': 'no-cache', etag, 'x-content-type-options': 'nosniff' });
  if (request.headers['if-none-match'] === etag) response.status(304).end();
  else response.type('text/javascript; charset=utf-8').send(content);
};

/** Where the form is sent, below `/console`. */
const loginPath = '/session';

/** Names of the fields of the form. */
const loginFields = { token: 'control-token', to: 'to' };

/**
 * The page that asks for the control token. `to`: the page to show then, below `/console`; `fault`: why the token
 * before was not taken.
 */
function loginPage(call: PageAddresses, { to, fault }: { readonly to: string; readonly fault: string | null }): string {
  const content = html`<p class="lead">
      This server has a control token, the value of SANDBANK_CONTROL_TOKEN. It asks for the token once: this browser
      then has a session until the server stops.
    </p>
    <form class="filter fields" method="post" action="${call.to(loginPath)}">
      ${hiddenInputs({ [loginFields.to]: to })}
      ${fieldOf('login', { name: loginFields.token, label: 'Control token', type: 'password', required: true, isFirst: true }, fault)}
      <button class="main">Open the console</button>
    </form>`;
  return layout(call, { title: fault !== null ? 'Another control token' : 'The control token', content });
}
