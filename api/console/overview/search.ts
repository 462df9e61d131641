import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ConsoleView, PageCall } from '../page-call.ts';
import { filterForm } from '../parts/forms.ts';
import { empty, problemBox } from '../parts/lists.ts';
import { amountAt } from '../../bodies/rule.ts';
import { date, foreign, money, status } from '../parts/text.ts';

type Result = AnswerTo<'GET /search'>['results'][number];

const path = '/search';
/** How many of each kind are shown at first, and after "More". */
const [few, many] = [5, 50] as const;

const headings: Readonly<Record<Result['kind'], string>> = {
  payment: 'Payments',
  account: 'Accounts',
  person: 'People',
  request: 'Requests',
  guide: 'Guide',
};

/** What a search finds, by kind: `GET /sandbox/search`. */
export const searchView: ConsoleView & { readonly path: string } = {
  path,
  show: async (call) => {
    const q = call.query.get('q') ?? '';
    const more = call.query.get('more');
    const field = [{ name: 'q', label: 'An id, an account number, a name, or words of the guide', isLong: true }];
    const form = filterForm(call, field, 'Search');
    if (q === '') return { title: 'Search', content: form };
    // One more than is shown tells whether there are more.
    const limit = String((more === undefined ? few : many) + 1);
    const { answer, problem } = await call.attempt('/search', { query: { q, limit } });
    const all = (answer?.results ?? []).filter(({ kind }) => more === undefined || kind === more);
    const groups: Html[] = [];
    for (const [kind, results] of Map.groupBy(all, (result) => result.kind))
      groups.push(await group(call, kind, results));
    return {
      title: 'Search',
      content: html`${problemBox(problem)} ${form}
      ${
        answer !== null &&
        (all.length === 0
          ? empty('Nothing has this id, number or name.', { href: call.to('/payments'), text: 'Show all payments' })
          : groups)
      }`,
    };
  },
};

async function group(call: PageCall, kind: Result['kind'], results: readonly Result[]): Promise<Html> {
  const isMore = call.query.has('more');
  const shown = results.slice(0, isMore ? many : few);
  const rows: Html[] = [];
  for (const each of shown)
    rows.push(html`<li>${link(call, each)} ${kind === 'payment' && (await aboutPayment(call, each.id))}</li>`);
  const to = pathTo(path, { query: { q: call.query.get('q') ?? '', more: kind } });
  return html`<h2>${headings[kind]}</h2>
    <ul class="found">
      ${rows}
    </ul>
    ${
      results.length > shown.length &&
      (isMore ? html`<p>And more: search for more words.</p>` : html`<p><a href="${call.to(to)}">More of these</a></p>`)
    }`;
}

function link(call: PageCall, { kind, label, href }: Result): Html {
  const below = href.slice(call.ownAddress.length + 1);
  return html`<a href="${kind === 'guide' ? call.out(below) : call.to(below.slice('console'.length))}"
    >${foreign(label)}</a
  >`;
}

/** What tells a payment from others of the same payee: amount, kind, date and status. */
async function aboutPayment(call: PageCall, paymentId: string): Promise<Html> {
  const {
    initiation,
    service,
    executionDate,
    status: own,
  } = await call.read('/payments/:paymentId', { params: { paymentId } });
  const amount = amountAt(initiation, 'instructedAmount');
  const kind = { payments: '', 'periodic-payments': 'standing order', 'bulk-payments': 'bulk payment' }[service];
  return html`${amount !== null && money(amount)} ${kind} ${executionDate !== null && date(executionDate)}
  ${status(own)}`;
}
