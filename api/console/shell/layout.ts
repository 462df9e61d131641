import { createHash } from 'node:crypto';
import { html, Html, type HtmlValue, withoutMarkup } from '../../pages/html.ts';
import { icon } from '../../pages/styles.ts';
import type { Policy } from '../../pages/page-security.ts';
import { type ConsoleView, PageCall, type Shown } from '../page-call.ts';
import type { PageAddresses } from '../page-addresses.ts';
import { hiddenInputs, ownForm, sameByCurl } from '../parts/forms.ts';
import { problemBox } from '../parts/blocks.ts';
import { toForecast, toBanks } from '../parts/links.ts';
import { bankTitle, rootBank, tag, withCopies } from '../parts/text.ts';
import { instantText, momentText, shortDateText, timeText } from '../../pages/format.ts';
import type { ProblemFacts } from '../../pipeline/problem.ts';
import { searchForm } from '../overview/search.ts';
import { menuList, waysOut } from './menu.ts';
import { pictureStyles } from '../../settlement-line/styles.ts';
import { consoleStyles, stylesOfParts } from './styles.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import type { LastMove } from '../clock/moves.ts';
import { switchedOn } from './switched-on.ts';
import { advance, nextBankingDay, setMode, undoMove, whatHappened } from '../clock/views.ts';

/** What a page shows of its bank around its content. */
interface OfBank {
  readonly call: PageCall;
  /** It is null if the clock cannot be read. */
  readonly clock: Html | null;
  /** What is on and changes answers. */
  readonly switched?: Html | null;
  /** Each of these events reloads the page. */
  readonly live?: ConsoleView['live'];
}

/** What the pages may load and run: stylesheets, in the page, and one script. */
export const policy: Policy = {
  'style-src': [
    consoleStyles,
    ...stylesOfParts.map(([, styles]) => styles),
    pictureStyles('light'),
    pictureStyles('dark'),
  ].map((styles) => `'sha256-${createHash('sha256').update(styles).digest('base64')}'`),
  'script-src': ["'self'"],
  'connect-src': ["'self'"],
  // The icon is a data: address.
  'img-src': ['data:'],
  'form-action': ["'self'"],
};

/** The stylesheets of a page with this content. */
function stylesFor(content: HtmlValue): readonly Html[] {
  const { text } = html`${content}`;
  const parts = stylesOfParts.filter(([mark]) => mark.test(text)).map(([, styles]) => styles);
  return [consoleStyles, ...parts].map((styles) => new Html(`<style>${styles}</style>`));
}
const iconLink = new Html(`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}" />`);

const refresh = new Html('<noscript><meta http-equiv="refresh" content="2" /></noscript>');

/** The page of a view. */
export async function viewPage(call: PageCall, view: ConsoleView): Promise<string> {
  // Tables leave out the year of the bank.
  await call.clock();
  const shown = await view.show(call);
  const happened = await whatHappened(call);
  const [first, second] = isGoing(call) ? [happened, shown.content] : [shown.content, happened];
  const content = html`${first} ${second} ${sameByCurl([...call.lines, ...call.formLines.values()])}`;
  const [clock, switched] = [await clockBar(call), await switchedOn(call)];
  return layout(call, { ...shown, content }, { call, clock, switched, live: view.live });
}

/** The page of a request that was refused. The clock is left out when it cannot be read. */
export async function errorPage(call: PageCall, problem: ProblemFacts): Promise<string> {
  const isMissing = problem.status === 404;
  const title = isMissing ? 'It is not here' : 'This did not work';
  const content = html`<div class="${isMissing && 'missing'}">${problemBox(problem, waysOut(call))}</div>
    ${isMissing && searchForm(call, 'q', html`<button>Search</button>`)}`;
  return layout(call, { title, content }, { call, clock: await clockBar(call).catch(() => null) });
}

/** A whole page of the console. `of` is null if it shows nothing of the bank, has no script and leads nowhere. */
export function layout(
  page: PageAddresses,
  { title, windowTitle, lead = null, content }: Shown,
  of: OfBank | null = null,
): string {
  const call = of?.call ?? null;
  const name = page instanceof PageCall ? page.title : page.bankName === rootBank ? null : page.bankName;
  const ofWindow = windowTitle ?? withoutMarkup(html`${title}`);
  const owner = name === null ? 'Sandbank' : `${name} – Sandbank`;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${ofWindow} – ${owner}</title>
        ${iconLink} ${stylesFor(content)} ${call !== null && scripts(call)}
      </head>
      <body data-events="${page.out('sandbox/events')}">
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <p class="brand">
            <a href="${page.to('')}">Sandbank</a>
            ${(call !== null && bankLink(call)) || (name !== null && html`<span class="bank">${name}</span>`)}
            ${call === null && unreal}
          </p>
          ${call !== null && menu(call)}
        </header>
        <div>
          ${of?.clock ?? null}
          <p role="status" class="unseen" id="told"></p>
          <main id="main" tabindex="-1" data-live="${of?.live?.join(' ') ?? ''}">
            ${of?.switched ?? null} ${call !== null && noteOf(call)}
            <h1>${title}</h1>
            ${lead !== null && html`<p class="lead">${lead}</p>`} ${content}
          </main>
        </div>
      </body>
    </html> `;
  return document.text;
}

function scripts(call: PageCall): Html {
  return html`${isGoing(call) && refresh}
    <script src="${call.to('/live.js')}" type="module"></script>`;
}

/** The name of the bank; a link to the others where there are some. The key `b` opens it. */
function bankLink(call: PageCall): HtmlValue {
  const address = toBanks(call);
  if (address === null) return null;
  return html`<a class="bank" id="switch" href="${address}" aria-keyshortcuts="b" title="Go to another bank: key b"
    ><bdi>${call.title ?? bankTitle(call.bankName)}</bdi></a
  >`;
}

const unreal = new Html('<span class="unreal">No real money</span>');

/** Where there is room the menu stands beside the page; on a phone a button opens it. */
function menu(call: PageCall): Html {
  return html`<button class="to-menu" popovertarget="menu">Menu</button>
    <div id="menu" popover>
      <p class="badges"><a class="books" href="${call.to('/proof')}">${tag('over', 'Check the books')}</a> ${unreal}</p>
      ${searchForm(call, 'search')}
      <nav aria-label="Views">${menuList(call)}</nav>
    </div>`;
}

/**
 * Whether the work of a form is under way. Then the script asks for the page again; without a script the browser does.
 */
function isGoing({ note }: PageCall): boolean {
  return note?.going !== undefined;
}

function noteOf(call: PageCall): HtmlValue {
  const { note } = call;
  if (note === null) return null;
  const { problem, going, done, isFailure } = note;
  if (problem !== undefined) {
    return problemBox(
      problem,
      (problem.ways ?? []).map(({ text, to }) => ({ text, href: call.to(to) })),
    );
  }
  const message = withCopies(going ?? done ?? '');
  if (isFailure === true) return html`<p class="problem" id="note" role="alert">${message}</p>`;
  const more = note.moved !== undefined && html` <a href="#happened">What happened</a>`;
  return html`<p class="note" id="note" role="status" ${isGoing(call) && html`data-going`}>${message}${more}</p>`;
}

/**
 * The bar above every view: the time of the bank, and the ways to move it. A move to the next run or the next banking
 * day happens at once, as an Undo takes it back. The console first shows a move that cannot be undone, and a move to a
 * date.
 */
async function clockBar(call: PageCall): Promise<Html> {
  const { now, mode, rate, nextRun } = await call.clock();
  const nextDay = await nextBankingDay(call, now);
  const canUndo = (await call.moves.obstacle()) === null;
  const { last } = call.moves;
  const isFrozen = mode === 'frozen';
  const dateOfRun = nextRun.at.slice(0, 10);
  const [weekday = '', day = ''] = shortDateText(now.slice(0, 10)).split(/ (.*)/);
  const nextMoment = dateOfRun === now.slice(0, 10) ? timeText(nextRun.at) : momentText(nextRun.at);
  const move = (to: string, text: string, more: Readonly<Record<string, string>> = {}): Html =>
    canUndo
      ? ownForm(call, advance.path, html`${hiddenInputs({ ...more, from: now, to })}<button>${text}</button>`)
      : html`<a class="button" href="${toForecast(call, to)}">${text}</a>`;
  return html`<section class="clock" id="clock" aria-label="Bank clock" data-mode="${mode}">
    <p class="now">
      <time datetime="${now}"
        ><span>${weekday} </span>${day}<span> ${now.slice(0, 4)}</span>,
        <strong>${isFrozen ? timeText(now) : now.slice(11, 16)}</strong></time
      >
      ${tag(isFrozen ? 'goes' : 'good', isFrozen ? 'frozen' : `running${rate === 1 ? '' : ` × ${rate}`}`)}
    </p>
    <button class="to-moves" popovertarget="moves">Move the clock</button>
    <div class="moves" id="moves" popover>
      <p class="next">
        <span class="soft">Next run</span>
        <time datetime="${nextRun.at}">${nextMoment}</time>
      </p>
      ${last !== null && undo(call, last)} ${move(nextRun.at, '+1 run', { runs: '1' })}
      ${move(nextDay, 'Next banking day')}
      ${ownForm(
        call,
        setMode.path,
        html`<button name="mode" value="${isFrozen ? 'running' : 'frozen'}">${isFrozen ? 'Resume' : 'Freeze'}</button>`,
      )}
      <form method="get" action="${toForecast(call)}">
        <label class="unseen" for="clock-to">To a date</label>
        <input type="date" id="clock-to" name="to" required min="${now.slice(0, 10)}" /><button>Go</button>
      </form>
    </div>
  </section>`;
}

/** Takes the last move back at once where nothing was changed since; else it first says what would be lost. */
function undo(call: PageCall, { move, hasChanged, seen }: LastMove): Html {
  const about = `Back to ${instantText(formatInstant(move.from))}`;
  if (hasChanged) return html`<a class="button" title="${about}" href="${call.to(undoMove.path)}">Undo…</a>`;
  return ownForm(call, undoMove.path, html`${hiddenInputs({ seen })}<button title="${about}">Undo</button>`);
}
