import { html, type HtmlValue } from '../../pages/html.ts';
import { platformBanks } from '../../start/platform.ts';
import { view, type ConsoleRoom, type PageCall } from '../page-call.ts';
import { handleForm } from '../clock/views.ts';
import { listed } from '../parts/blocks.ts';
import { payPath, toBanks } from '../parts/links.ts';
import { daysAround, lineFigure, settlementLine } from '../parts/settlement.ts';
import { type Line, totalsText } from '../../settlement-line/model.ts';
import { noPayments } from '../payments/views.ts';
import { makePayment, payView } from './make-payment.ts';
import { searchView } from './search.ts';

/** Number of latest requests that are searched for refusals. */
const maxRequests = 50;

/** The first page: the settlement line of the days around now, what waits for somebody, and what you can do. */
const overviewView = view('', ['payment', 'sca', 'request'], async (call) => {
  const { date: today } = await call.clock();
  const profile = await call.ask('/profile');
  const others = toBanks(call);
  const ways = html`<a class="button" href="${call.out('docs')}">Open the API</a>
    ${others !== null && html`<a class="button" href="${others}">Be one of ${platformBanks().length} banks</a>`}`;
  if ((await call.read('/payments', { query: { limit: '1' } })).total === 0) {
    return {
      title: profile.id === null ? 'A sandbox bank for open banking' : call.title,
      windowTitle: 'Overview',
      lead: html`Test your payment app against a Norwegian bank: it answers like the real one, and its clock moves when
      you say so.`,
      content: html`${noPayments(call)}
        <div class="doors">${ways}</div>`,
    };
  }
  const window = await daysAround(call, today);
  const line = await settlementLine(call, window);
  return {
    title: totalsText(line),
    windowTitle: 'Overview',
    lead: await waiting(call, line),
    content: html`${lineFigure(call, line, window, await handleForm(call))}
      <div class="doors">
        <a class="button main" href="${call.to(payPath)}">Make a payment</a>
        <a class="button" href="${call.to('/payments')}">All payments</a>
        ${ways}
      </div>`,
  };
});

/** Links to the open SCAs and to the requests that were refused lately: to the page of one, to the list of several. */
async function waiting(call: PageCall, { rows }: Line): Promise<HtmlValue> {
  const { scas } = await call.ask('/sca');
  // Not every bank has a journal.
  const { requests } = call.has('/requests')
    ? await call.ask('/requests', { query: { limit: String(maxRequests) } })
    : { requests: [] };
  const refused = requests.filter(({ status }) => status !== null && status >= 400 && status < 500);
  const [[sca, ...moreScas], [request, ...moreRequests]] = [scas, refused];
  const row = rows.find(({ paymentId }) => sca?.payments.length === 1 && sca.payments[0] === paymentId);
  const what = row === undefined ? '' : ` of ${row.amount} to ${row.name}`;
  const links = [
    sca !== undefined &&
      (moreScas.length === 0
        ? html`<a
            href="${row === undefined ? call.out(`sca/${sca.id}`) : call.to('/payments/:paymentId', { params: { paymentId: row.paymentId } })}"
            >Approve the ${sca.purpose}${what}</a
          >`
        : html`<a href="${call.to('/sca')}">Approve ${scas.length} open SCAs</a>`),
    request !== undefined &&
      (moreRequests.length === 0
        ? html`<a href="${call.to('/requests/:requestId', { params: { requestId: request.requestId } })}"
            >See the refused request</a
          >`
        : html`<a href="${call.to('/requests', { query: { answer: '4xx' } })}"
            >See ${refused.length} refused requests</a
          >`),
  ];
  return links.some((link) => link !== false) && html`<span class="attention">${listed(links, ' · ')}</span>`;
}

export const overviewRoom: ConsoleRoom = {
  views: [overviewView, payView, searchView],
  actions: [makePayment],
};
