import { setTimeout } from '../../../engine/time/clock.ts';
import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { catalogue } from '../../catalogue/catalogue.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { found, foundIn } from '../../pipeline/problem.ts';
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
import { platformBanks } from '../../start/platform.ts';
import { switchAddress } from '../banks/switch.ts';

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
  return {
    title: profile.id === null ? 'A sandbox bank for open banking' : call.title,
    windowTitle: 'Overview',
    lead: html`Test your payment app against a Norwegian bank: it answers like the real one, and its clock moves when
    you say so.`,
    content: html`<div class="doors">
        <a class="button main" href="${call.to(payPath)}">Make a payment</a>
        ${call.plays !== null && actionForm(call, playEaster, { button: 'Pay over Easter' })}
        <a class="button" href="${call.out('docs')}">Open the API</a>
      </div>
      ${headed('Needs attention', attention.length > 0 && list(attention, 'attention'))}
      ${payments.length === 0 && call.title === null && hero(call)}
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

let banks: ReturnType<typeof platformBanks> | null = null;

/** Shortens the name of a bank: `SpareBank 1 Helgeland` becomes `Helgeland`. */
function shortName(name: string): string {
  return name.replace(/^(SpareBank 1|Sparebanken) | ?(Spareb|-b|B)ank(en)?$| Norge$/g, '');
}

const monthsOfPicture = ['Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar'];

/** The balance of Felleskonto in `a-year-of-life` from April 2026 to March 2027, in a box of 480 by 100. */
const yearPath =
  'M0 57H8V63H17V69H18V19H25V78H29V80H30V22H36V43H43V54H45V58H53V72H55V76H58V23H66V84H67V19H74V49H76V41H82V48H89V' +
  '58H95V60H99V8H104V46H109V98H112V17H117V45H122V59H126V63H132V69H135V71H138V16H149V84H150V22H154V47H155V40H163V5' +
  '0H168V63H176V72H178V7H181V26H187V81H191V84H192V28H200V41H205V56H209V59H214V66H220V20H231V87H233V31H237V42H242V' +
  '53H246V63H251V68H258V78H259V22H264V31H267V81H270V18H275V47H279V45H287V59H292V62H296V71H297V9H305V41H312V97H313' +
  'V34H316V45H322V54H325V60H330V66H338V73H339V17H348V78H350V18H356V36H359V38H360V43H367V52H375V58H379V62H380V23H3' +
  '89V86H393V31H397V43H402V55H405V61H413V78H417V84H421V26H423V36H431V98H434V41H439V59H441V61H448V65H452V73H458V18' +
  'H459V24H467V85H469V19H477V49H480';

/** One picture of what Sandbank can be: each bank of the platform, for a year of somebody's life. The year is the one of `a-year-of-life`. */
function hero(call: PageCall): Html {
  banks ??= platformBanks();
  const address = switchAddress(call);
  const title = `${banks.length} banks`;
  return html`<figure class="hero">
    <div>
      <p class="big">${address === null ? title : html`<a href="${address}">${title}</a>`}</p>
      <p>Be any of them. Each answers as that bank was seen to answer.</p>
      <ul class="tiles" aria-label="Banks">
        ${banks.map(({ name }) => html`<li title="${name}">${shortName(name)}</li>`)}
      </ul>
    </div>
    <div>
      <p class="big">1 year of life</p>
      <p>Salary, rent and groceries move this balance as the clock moves. Payments wait while banks are closed.</p>
      <svg
        width="100%"
        height="140"
        role="img"
        aria-label="The balance of a family from April to March: each salary lifts it, each rent lowers it; Easter closes the bank for five days"
      >
        <rect class="closed" x="97.5%" width="1.7%" height="118" />
        <text x="97%" y="12" text-anchor="end">Easter: closed</text>
        <svg y="18" width="100%" height="100" viewBox="0 0 480 100" preserveAspectRatio="none">
          <path d="${yearPath}V220H-9Z" />
        </svg>
        ${monthsOfPicture.map((month, index) => html`<text class="${index % 3 !== 0 && 'spare'}" x="${(index * 100) / 12}%" y="134">${month}</text>`)}
      </svg>
    </div>
  </figure>`;
}
