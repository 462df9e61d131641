import { createHash } from 'node:crypto';
import { html, Html, type HtmlValue } from '../../pages/html.ts';
import { icon } from '../../pages/styles.ts';
import type { Policy } from '../../pages/page-security.ts';
import type { ConsoleView, Shown } from '../console-view.ts';
import type { PageAddresses } from '../page-addresses.ts';
import type { PageCall } from '../page-call.ts';
import { sameByCurl } from '../parts/forms.ts';
import { problemBox } from '../parts/lists.ts';
import { tag } from '../parts/text.ts';
import type { ProblemFacts } from '../../pipeline/problem.ts';
import { searchView } from '../overview/search.ts';
import { consoleViews } from '../views.ts';
import { clockBar, type ClockFacts, clockFacts } from './clock-bar.ts';
import { consoleStyles } from './styles.ts';

/** What a page of a bank has around its content. */
interface Around {
  readonly head?: HtmlValue;
  readonly badge?: HtmlValue;
  readonly tools?: HtmlValue;
  readonly clock?: HtmlValue;
  /** What came of a form. */
  readonly note?: HtmlValue;
  /** Each of these events reloads the page. */
  readonly live?: readonly string[];
}

/** What the pages may load and run: one stylesheet, in the page, and one script. */
export const policy: Policy = {
  'style-src': [`'sha256-${createHash('sha256').update(consoleStyles).digest('base64')}'`],
  'script-src': ["'self'"],
  'connect-src': ["'self'"],
  // The icon is a data: address.
  'img-src': ['data:'],
  'form-action': ["'self'"],
};

const stylesheet = new Html(`<style>${consoleStyles}</style>`);
const iconLink = new Html(`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}" />`);

const refresh = new Html('<noscript><meta http-equiv="refresh" content="2" /></noscript>');

/** The page of a view. */
export async function viewPage(call: PageCall, view: ConsoleView): Promise<string> {
  // Tables leave out the year of the bank.
  await call.clock();
  const shown = await view.show(call);
  const content = html`${shown.content} ${sameByCurl([...call.lines, ...call.formLines.values()])}`;
  return bankPage(call, { ...shown, content }, await clockFacts(call), view.live);
}

/** The page of a request that was refused. The clock is left out when it cannot be read. */
export async function errorPage(call: PageCall, problem: ProblemFacts): Promise<string> {
  const title = problem.status === 404 ? 'It is not here' : 'This did not work';
  const clock = await clockFacts(call).catch(() => null);
  return bankPage(call, { title, content: problemBox(problem) }, clock);
}

/** A page of the bank. `clock` null: it cannot be read. */
function bankPage(call: PageCall, shown: Shown, clock: ClockFacts | null, live: Around['live'] = []): string {
  return layout(call, shown, {
    head: html`${(isGoing(call) || shown.goesOn === true) && refresh}
      <script src="${call.to('/live.js')}" type="module"></script>`,
    badge: booksBadge(call),
    tools: html`${searchForm(call, 'search')} ${navigation(call)}`,
    clock: clock !== null && clockBar(call, clock),
    note: noteOf(call),
    live,
  });
}

/** A whole page of the console. Without `around` it shows nothing of the bank, has no script and leads nowhere. */
export function layout(
  page: PageAddresses,
  { title, windowTitle = String(title), content, goesOn = false }: Shown,
  { head = null, badge = null, tools = null, clock = null, note = null, live = [] }: Around = {},
): string {
  const { bankName: bank } = page;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${windowTitle} – ${bank === 'default' ? 'Sandbank' : `${bank} – Sandbank`}</title>
        ${iconLink} ${stylesheet} ${head}
      </head>
      <body data-events="${page.out('sandbox/events')}">
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <p class="brand">
            <a href="${page.to('')}">Sandbank</a> ${bank !== 'default' && html`<span class="bank">${bank}</span>`}
            <span class="unreal">No real money</span>
            ${badge}
          </p>
          ${tools}
        </header>
        <div>
          ${clock}
          <p role="status" class="unseen" id="told"></p>
          <main id="main" tabindex="-1" data-live="${live.join(' ')}" ${goesOn && html`data-goes-on`}>
            ${note}
            <h1>${title}</h1>
            ${content}
          </main>
        </div>
      </body>
    </html> `;
  return document.text;
}

function navigation(call: PageCall): Html {
  const [here = ''] = call.here.split('?');
  const isHere = (path: string): boolean => path === here || (path !== '' && here.startsWith(`${path}/`));
  const list = html`<ul>
    ${consoleViews.map(
      ({ path, nav }) =>
        nav !== undefined &&
        html`<li><a href="${call.to(path)}" ${isHere(path) && html`aria-current="page"`}>${nav}</a></li>`,
    )}
    <li><a href="${call.out('docs')}">API</a></li>
    <li><a href="${call.out('docs/first-payment')}">Guide</a></li>
  </ul>`;
  // Where there is room the list stands open beside the page; on a phone it is folded behind one button.
  return html`<nav class="wide" aria-label="Views">${list}</nav>
    <details class="menu">
      <summary>Menu</summary>
      <nav aria-label="Views">${list} ${searchForm(call, 'menu-search')}</nav>
    </details>`;
}

/** The field for a search; the key `/` leads to it. */
function searchForm(call: PageCall, id: string): Html {
  return html`<form class="search" role="search" method="get" action="${call.to(searchView.path)}">
    <label class="unseen" for="${id}">Search for a payment, an account, a name or a request</label>
    <input
      id="${id}"
      name="q"
      type="search"
      placeholder="Search"
      maxlength="200"
      autocomplete="off"
      spellcheck="false"
      aria-keyshortcuts="/"
    />
  </form>`;
}

/** Whether the books are right, as far as it is known, and the page that checks them. */
function booksBadge(call: PageCall): Html {
  const { areRight } = call.books;
  const [tone, text] =
    areRight === null
      ? (['over', 'Check the books'] as const)
      : areRight
        ? (['good', 'Books right'] as const)
        : (['bad', 'Books wrong'] as const);
  return html`<a class="books" href="${call.to('/proof')}">${tag(tone, text)}</a>`;
}

/** Whether the work of a form is under way. Then the script asks for the page again; without a script the browser does. */
function isGoing({ note }: PageCall): boolean {
  return note !== null && note.going !== null;
}

function noteOf(call: PageCall): HtmlValue {
  const { note } = call;
  if (note === null) return null;
  if (note.problem !== null) return problemBox(note.problem);
  const { going, done, isFailure } = note;
  if (isFailure) return html`<p class="problem" id="note" role="alert">${done}</p>`;
  return html`<p class="note" id="note" role="status" ${isGoing(call) && html`data-going`}>${going ?? done}</p>`;
}
