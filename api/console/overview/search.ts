import { type AnswerTo } from '../../openapi/calls.ts';
import { numberText } from '../../pages/format.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { type PageCall, view } from '../page-call.ts';
import { empty, list, problemBox } from '../parts/blocks.ts';
import { amountAt } from '../../bodies/rule.ts';
import { foreign, money, status } from '../parts/text.ts';
import { date } from '../parts/times.ts';

type Result = AnswerTo<'GET /search'>['results'][number];

const path = '/search';
/** How many of each kind are shown. */
const limit = 20;

/** The kinds of results: the heading of each, the page below the bank that lists all of them, and what to enter. */
const kinds: Readonly<Record<Result['kind'], readonly [heading: string, list: string, by: string]>> = {
  payment: [
    'Payments',
    'console/payments',
    'The beginning of its id, the name or the account of a payee, its day (YYYY-MM-DD), its status (ACSC) or its amount: a whole one finds those with decimals too',
  ],
  account: ['Accounts', 'console/accounts', 'The beginning of its number, its name or the name of its owner'],
  person: ['People', 'console/people', 'A part of the name, or the whole number'],
  request: ['Requests', 'console/requests', 'The beginning of its X-Request-ID'],
};

/** What a search finds, by kind: `GET /sandbox/search`. */
export const searchView = view(path, [], async (call) => {
  const q = call.query.get('q') ?? '';
  const about = {
    title: 'Search',
    lead: html`Payments, accounts, people and requests of TPPs. The key <kbd>/</kbd> leads to the search from every
      page, the arrow keys go through what was found. The page of an account finds its entries.`,
  };
  const form = searchForm(call, 'q', html`<button class="main">Search</button>`);
  if (q === '') {
    const rows = Object.values(kinds).map(([heading, place, by]) =>
      row(place, html`<a href="${call.out(place)}">${heading}</a>`, { about: by }),
    );
    return { ...about, content: html`${form} ${list(rows, 'found')}` };
  }
  const { answer, problem } = await call.attempt('/search', { query: { q, limit: String(limit) } });
  const all = answer?.results ?? [];
  const groups: Html[] = [];
  for (const [kind, results] of Map.groupBy(all, (result) => result.kind))
    groups.push(await group(call, kind, results));
  return {
    ...about,
    content: html`${form} ${problemBox(problem)}
    ${
      answer !== null &&
      (all.length === 0
        ? empty('Nothing has this id, number, name, amount, day or status.', {
            href: call.to('/payments'),
            text: 'Show all payments',
          })
        : groups)
    }`,
  };
});

/** The field for a search. The one in the header has no button and is the landmark; the key `/` leads to it. */
export function searchForm(call: PageCall, id: string, button: HtmlValue = null): Html {
  return html`<form class="search" ${button === null && html`role="search"`} method="get" action="${call.to(path)}">
    <label class="unseen" for="${id}">Search for a payment, an account, a name or a request</label>
    <input
      id="${id}"
      name="q"
      type="search"
      value="${call.query.get('q') ?? ''}"
      placeholder="Search"
      maxlength="200"
      autocomplete="off"
      spellcheck="false"
      aria-keyshortcuts="/"
    />
    ${button}
  </form>`;
}

async function group(call: PageCall, kind: Result['kind'], results: readonly Result[]): Promise<Html> {
  const [heading, place] = kinds[kind];
  const rows: Html[] = [];
  for (const each of results) rows.push(row(place, linkTo(call, each), await aboutResult(call, each)));
  return html`<h2>${heading}</h2>
    ${list(rows, 'found')}
    ${results.length === limit && html`<p class="soft">There may be more. Enter more words to narrow the search.</p>`}`;
}

/** What stands below a result and, of a payment, at its right. */
interface About {
  readonly about: HtmlValue;
  readonly amount?: ReturnType<typeof amountAt>;
}

const linkTo = (call: PageCall, { href, label }: Result): Html =>
  html`<a href="${call.out(href.slice(call.ownAddress.length + 1))}">${foreign(label)}</a>`;

/** A result: the icon that the menu has for `place`, a link, and what tells it from others. */
function row(place: string, link: Html, { about, amount = null }: About): Html {
  const icon = `#i${place.replace('console', '').replace(/\W/g, '-')}`;
  return html`<svg class="icon" aria-hidden="true"><use href="${icon}" /></svg>
    ${link} ${amount !== null && html`<b>${money(amount)}</b>`}
    <span class="soft">${about}</span>`;
}

/** Tells results with the same words apart: number, id or page; for a payment amount, kind, date and status. */
async function aboutResult(call: PageCall, { kind, id }: Result): Promise<About> {
  // The number of a private customer is masked.
  if (kind === 'account') return { about: numberText(id) };
  if (kind !== 'payment') return { about: !id.startsWith('*') && foreign(id) };
  const {
    initiation,
    service,
    executionDate,
    status: own,
  } = await call.read('/payments/:paymentId', { params: { paymentId: id } });
  const amount = amountAt(initiation, 'instructedAmount');
  const product = { payments: '', 'periodic-payments': 'standing order', 'bulk-payments': 'bulk payment' }[service];
  return { amount, about: html`${status(own)} ${executionDate !== null && date(executionDate)} ${product}` };
}
