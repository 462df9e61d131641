import { setTimeout } from '../../../engine/time/clock.ts';
import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { catalogue } from '../../catalogue/catalogue.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { found, foundIn } from '../../pipeline/problem.ts';
import { platformBanks } from '../../start/platform.ts';
import { switchAddress } from '../banks/switch.ts';
import { ownAction, view, type ConsoleRoom, type PageCall } from '../page-call.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { actionForm } from '../parts/forms.ts';
import { empty, headed, list } from '../parts/blocks.ts';
import { table } from '../parts/tables.ts';
import { paymentLink, runLink, toForecast, payPath } from '../parts/links.ts';
import { makesNoBanks, counted, foreign } from '../parts/text.ts';
import { noPayments, paymentTable } from '../payments/views.ts';
import { makePayment, payView } from './make-payment.ts';
import { searchView } from './search.ts';

/** How many of each the first page shows. */
const latest = 5;
/** Maximum age of a run that is shown, in days. */
const daysBack = 31;
/** Maximum number of things of each kind that are named. */
const maxAttention = 3;
/** Number of latest requests that are searched for refusals. */
const maxRequests = 50;

const easter = 'easter';
/** How long the browser waits for the story to end, and how often it is looked at, in ms. */
const [easterWaitMs, easterLookMs] = [10_000, 50];

/** Plays the story of Easter at once in a bank of its own, and shows its calendar. */
const playEaster = ownAction('/play-easter', `play ${easter} --keep`, async (call) => {
  const plays = found(call.plays, `${makesNoBanks(call)} A scenario needs one.`, 409);
  const scenario = foundIn(catalogue(), ({ name }) => name === easter, 'There is no story of Easter.');
  const { id, bank } = await plays.start(scenario, 0);
  const isOver = (): boolean => plays.find(id)?.state !== 'under way';
  for (let waited = 0; !isOver() && waited < easterWaitMs; waited += easterLookMs)
    await new Promise<void>((resolve) => void setTimeout(resolve, easterLookMs));
  const isDone = plays.find(id)?.state === 'done';
  return {
    text: `The bank ${bank} was made for it.`,
    to: pathTo('/scenarios/plays/:playId', { params: { playId: id } }),
    ...(isDone && { leave: call.toBank(bank, pathTo('/calendar', { query: { left: call.bankName } })) }),
  };
});

/** The first page: what Sandbank is, what you can do, what needs attention, the latest payments and runs. */
const overviewView = view('', ['payment', 'sca', 'request'], async (call) => {
  const { payments, total } = await call.ask('/payments', { query: { limit: String(latest) } });
  const { date: today } = await call.clock();
  const { runs } = await call.ask('/runs', { query: { from: addDays(localDate(today), -daysBack) } });
  const attention = await needsAttention(call);
  const profile = await call.ask('/profile');
  const others = switchAddress(call);
  return {
    title: profile.id === null ? 'A sandbox bank for open banking' : call.title,
    windowTitle: 'Overview',
    lead: html`Test your payment app against a Norwegian bank: it answers like the real one, and its clock moves when
    you say so.`,
    content: html`<div class="doors">
        <a class="button main" href="${call.to(payPath)}">Make a payment</a>
        ${call.plays !== null && actionForm(call, playEaster, { button: 'Pay over Easter' })}
        <a class="button" href="${call.out('docs')}">Open the API</a>
        ${others !== null && html`<a class="button" href="${others}">Be one of ${platformBanks().length} banks</a>`}
      </div>
      ${headed('Needs attention', attention.length > 0 && list(attention, 'attention'))}
      ${differences(call, profile, await call.ask('/quirks'))}
      <h2>Latest payments</h2>
      ${
        payments.length === 0
          ? noPayments(call)
          : html`${paymentTable(call, payments, 'The latest payments, the newest first')}
              <p>
                <a href="${call.to('/payments')}">${total === 1 ? 'The one payment' : `All ${total} payments`}</a>
              </p>`
      }
      <h2>Latest settlement runs</h2>
      ${
        runs.length === 0
          ? empty('No run has processed a payment. A signed payment settles in the next run.', {
              href: toForecast(call),
              text: 'Show the forecast',
            })
          : table('The latest runs that processed something', runs.slice(0, latest), [
              ['Run', (run) => runLink(call, run)],
              ['Settled', ({ settled }) => settled, 'figures'],
              ['Short of funds', ({ retried }) => retried, 'figures'],
              ['Rejected', ({ rejected }) => rejected, 'figures'],
              ['Booked', ({ booked }) => booked, 'figures'],
            ])
      }`,
  };
});

/** Maximum number of differences that the first page names. */
const maxDifferences = 4;

/** In how many ways the bank differs from the interface document, and some of them; nothing if it does not. */
function differences(
  call: PageCall,
  { settings }: AnswerTo<'GET /profile'>,
  { quirks: on }: AnswerTo<'GET /quirks'>,
): HtmlValue {
  const all = [...Object.keys(on), ...Object.keys(settings)];
  if (all.length === 0) return null;
  const named = all.slice(0, maxDifferences);
  return html`<section class="card">
    <h2>Differs from the document in ${counted(all.length, 'way')}</h2>
    <p>${named.join(', ')}${named.length < all.length && ', …'}</p>
    <p><a href="${call.to('/quirks')}">See and switch what differs</a></p>
  </section>`;
}

/** Open SCAs, payments short of funds and refused requests, the newest first; empty if all is well. */
async function needsAttention(call: PageCall): Promise<Html[]> {
  const { scas } = await call.ask('/sca');
  const query = { status: 'ACCP', limit: String(maxAttention) };
  const short = await call.ask('/payments', { query });
  // Not every bank has a journal.
  const { requests } = call.has('/requests')
    ? await call.ask('/requests', { query: { limit: String(maxRequests) } })
    : { requests: [] };
  const refused = requests.filter(({ status }) => status !== null && status >= 400);
  const more = (count: number, path: string, one: string, many = `${one}s`): Html[] =>
    count > maxAttention ? [html`<a href="${call.to(path)}">All ${counted(count, one, many)}</a>`] : [];
  return [
    ...scas
      .slice(0, maxAttention)
      .map(
        ({ id, purpose, tpp, signers }) =>
          html`<a href="${call.out(`sca/${id}`)}">Approve the ${purpose}</a> as
            ${signers === null ? 'any customer' : foreign(signers.map(({ name }) => name).join(' or '))}:
            ${foreign(tpp.name)} waits`,
      ),
    ...more(scas.length, '/sca', 'open SCA'),
    ...short.payments.map(
      ({ paymentId, creditor }) =>
        html`${paymentLink(call, paymentId, `Payment to ${creditor?.name ?? 'several payees'}`)} is short of funds`,
    ),
    ...more(short.total, '/payments?status=ACCP', 'payment short of funds', 'payments short of funds'),
    ...refused
      .slice(0, maxAttention)
      .map(
        ({ requestId, method, target, code }) =>
          html`<a class="target" href="${call.to('/requests/:requestId', { params: { requestId } })}"
              >${foreign(`${method ?? ''} ${target ?? 'A request that could not be read'}`.trim())}</a
            >
            was refused${code !== null && `: ${code}`}`,
      ),
    ...more(refused.length, '/requests', 'refused request'),
  ];
}

export const overviewRoom: ConsoleRoom = {
  views: [overviewView, payView, searchView],
  actions: [makePayment, playEaster],
};
