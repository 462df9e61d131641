import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { moneyText, numberText } from '../../pages/format.ts';
import { html } from '../../pages/html.ts';
import { Problem } from '../../pipeline/problem.ts';
import { consoleAction, view, type ConsoleRoom } from '../page-call.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import { accountColumns, entryColumns, pendingColumns } from '../../openapi/columns.ts';
import { actionForm, filterForm } from '../parts/forms.ts';
import { empty, facts, headed, problemBox } from '../parts/blocks.ts';
import { accountLink, paymentLink, toPay, toReset } from '../parts/links.ts';
import { pagedTable, pager, shownColumns, table } from '../parts/tables.ts';
import { copiedNumber, foreign, money, named } from '../parts/text.ts';
import { dayByDay } from '../clock/forecast-story.ts';
import { forecastOn } from './forecast-on.ts';
import { endLife, lifeOf, startLife } from './life.ts';

const path = '/accounts';
/** How many days the entries go back by default. */
const daysBack = 90;
/** Entries of a page, and of its pending ones. */
const [entriesOfPage, openPending] = [20, 5] as const;
/** How far it looks ahead. */
const ahead = 'P31D';

type Account = AnswerTo<'GET /accounts'>['accounts'][number];

/** Puts money into an account, booked at once. */
const topUp = consoleAction(`POST ${path}/:number/top-up`, {
  done: ({ name, available }) => `${name} has ${moneyText(available)} available.`,
});

const listView = view(path, ['payment'], async (call) => {
  const { accounts } = await call.ask('/accounts');
  const asked = call.query.get('of') ?? '';
  const toAll = { href: call.to(path), text: 'Show all accounts' };
  const none =
    accounts.length === 0
      ? empty('The bank has no accounts. A reset brings those of its known state back.', toReset(call))
      : empty(`No account has “${asked}” in its number, its name or its owner.`, toAll);
  const rows = accounts.filter((one) => isOf(one, asked));
  const words = ['Before', 'After'] as const;
  return {
    title: 'Accounts',
    content: html`${filterForm(call, [{ name: 'of', label: 'Owner or number' }], 'Find')}
    ${pagedTable(
      call,
      { caption: 'Open accounts of all customers', rows, none, words },
      shownColumns(call, accountColumns, {
        Name: ({ number, name }) => accountLink(call, number, foreign(name)),
      }),
    )}`,
  };
});

/** Whether the account's number, name or owner contains the text. Ignores blanks and case. */
function isOf({ number, iban, name, owner }: Account, asked: string): boolean {
  const plain = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();
  const all = [number, iban ?? '', name, owner.name, owner.number];
  return all.some((text) => plain(text).includes(plain(asked)));
}

const oneView = view(`${path}/:number`, ['payment'], async (call) => {
  const { params, query } = call;
  const { date: today } = await call.clock();
  const { lives } = await call.ask('/life');
  const lived = lives.find(({ account: at }) => at === params['number']);
  const from = query.get('from') ?? addDays(localDate(today), -daysBack);
  const to = query.get('to');
  const page = { ...call.given('offset', 'text'), limit: String(entriesOfPage) };
  const asked = { params, query: { from, to, ...page } };
  const { answer, problem } = await call.attempt(`${path}/:number`, asked);
  if (problem?.status === 404) throw new Problem(problem);
  const period = filterForm(call, [
    { name: 'from', label: 'Booked from', type: 'date', value: from },
    { name: 'to', label: 'Booked to', type: 'date' },
    { name: 'text', label: 'Text or amount' },
  ]);
  if (answer === null) return { title: 'Account', content: html`${problemBox(problem)} ${period}` };
  const { answer: forecast } = await call.attempt('/forecast', { query: { to: ahead } });
  const { name, number, iban, owner, currency, entries, total, pending } = answer;
  const coming = forecast && forecastOn(answer, forecast);
  const toLatest = { href: call.to(`${path}/:number`, { params }), text: 'Show the latest days' };
  const isChosen = ['from', 'to', 'text'].some((name) => query.has(name));
  const notBooked = { caption: 'Not booked yet', rows: pending.toReversed(), limit: openPending, parameter: 'pending' };
  const newest = table(
    'Booked in the period, the newest first',
    entries.toReversed(),
    shownColumns(call, entryColumns, {
      Text: ({ transactionId, paymentId, text }) =>
        html`<span id="${transactionId ?? ''}"
          >${paymentId === null ? foreign(text) : paymentLink(call, paymentId, foreign(text))}</span
        >`,
    }),
  );
  const none = empty(
    query.has('text') ? 'No entry of this period has it.' : 'Nothing was booked in this period.',
    isChosen ? toLatest : toPay(call),
  );
  const funds = {
    Available: money(answer.available),
    Booked: money(answer.booked),
    'Expected, with what is due today': money(answer.expected),
    'Credit line': money(answer.creditLine),
  };
  return {
    title: foreign(name),
    windowTitle: `${name} ${numberText(number)}`,
    lead: html`${copiedNumber(number)} ${iban !== null && copiedNumber(iban)} ${named(owner)}`,
    content: html`<div class="funds">${facts(funds)}</div>
      <div class="pair">
        <section class="card">
          <h2>Put money in</h2>
          ${actionForm(call, topUp, { button: 'Top up', params: { number } }, [
            { name: 'amount', label: `Amount, ${currency}`, value: '1000', faultPath: 'amount', required: true },
            { name: 'currency', label: 'Currency', type: 'hidden', value: currency },
          ])}
        </section>
        ${currency === 'NOK' && lifeOf(call, number, lived)}
      </div>
      ${headed('Pending', pending.length > 0 && pagedTable(call, notBooked, shownColumns(call, pendingColumns)))}
      ${headed('To come', coming !== null && Object.values(coming).flat().length > 0 && dayByDay(call, coming, true))}
      <h2>Entries</h2>
      ${period} ${total === 0 ? none : newest} ${pager(call, total, { limit: entriesOfPage })}`,
  };
});

export const accountRoom: ConsoleRoom = { views: [listView, oneView], actions: [topUp, startLife, endLife] };
