import type { AnswerTo } from '../../openapi/calls.ts';
import { formatInstant, osloInstant } from '../../../engine/values/instant.ts';
import { withinCalendar } from '../../../engine/time/rules/bank-clock.ts';
import { addDays, localDate, parseLocalDate, weekday } from '../../../engine/values/local-date.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { type PageCall, type ConsoleRoom, view } from '../page-call.ts';
import { chipList, filterForm } from '../parts/forms.ts';
import { folded, headed, problemBox } from '../parts/blocks.ts';
import { table } from '../parts/tables.ts';
import { counted, foreign, money } from '../parts/text.ts';
import { day, moment } from '../parts/times.ts';
import { dateText, moneyText, timeText, withDates } from '../../pages/format.ts';

type Answer = AnswerTo<'GET /when'>;
type Bank = Answer['banks'][number];

const path = '/when';

/** When one payment is where, at each bank of the platform (rules.md Q12d). */
const whenView = view(path, [], async (call) => {
  const { now } = await call.clock();
  const [date, time] = [call.query.get('date') ?? now.slice(0, 10), call.query.get('time') ?? now.slice(11, 16)];
  const query = call.given('amount', 'currency', 'product', 'customer', 'creditor');
  const { answer, problem } = await call.attempt('/when', {
    query: { ...query, at: instantOf(date, time) },
  });
  return {
    title: 'When?',
    content: html`${answer !== null && asked(answer)} ${await instants(call, now)}
    ${folded('when-form', 'Another payment', form(call, date, time), problem !== null)} ${problemBox(problem)}
    ${answer !== null && rows(call, answer)}`,
  };
});

/** The instant of a date and a time in Oslo; a text that is neither, as it is: the call says what is wrong. */
function instantOf(date: string, time: string): string {
  const day = parseLocalDate(date);
  return day === null || !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)
    ? `${date} ${time}`
    : formatInstant(osloInstant(day, time));
}

function asked({ amount, at, product, customer }: Answer): Html {
  const what = product === 'domestic' ? '' : ` (${productNames[product]})`;
  return html`<p class="asked">
    <strong>${moneyText(amount)}</strong>${what}, initiated by a ${customer} customer at
    <strong>${timeText(at)}</strong> on <strong>${dateText(at.slice(0, 10))}</strong>: here is when it is where, at each
    bank.
  </p>`;
}

/** Links to instants at which banks differ. */
async function instants(call: PageCall, time: string): Promise<Html> {
  const asked = ['date', 'time'].map((name) => call.query.get(name)).join(' ');
  const today = localDate(time.slice(0, 10));
  const { days } = await call.read('/calendar', { query: { from: today, to: withinCalendar(addDays(today, 400)) } });
  const easter = days.findIndex(({ date, reason = '' }) => date > today && reason.startsWith('Skjærtorsdag'));
  const beforeEaster = days[easter - 1]?.date;
  const december = days.filter(({ date, type }) => date.slice(5, 7) === '12' && type === 'banking');
  const lastOfYear = december.find(
    ({ date }, index) => december[index + 1]?.date.slice(0, 4) !== date.slice(0, 4),
  )?.date;
  const friday = days.find(({ date, type }) => weekday(localDate(date)) === 5 && type === 'banking')?.date;
  const choices = [
    ['Before Easter', beforeEaster, '14:20'],
    ['Friday afternoon', friday, '16:00'],
    ['The last day of the year', lastOfYear, '14:20'],
  ] as const;
  const known = choices.flatMap(([words, date, time]) => {
    const query = { ...Object.fromEntries(call.query), date, time };
    return date === undefined ? [] : { href: call.to(path, { query }), words, isHere: asked === `${date} ${time}` };
  });
  const now = { href: call.to(path), words: 'Now', isHere: asked.trim() === '' };
  return html`<div class="filters">${chipList('Instants', [now, ...known])}</div>`;
}

const productNames: Readonly<Record<Answer['product'], string>> = {
  domestic: 'domestic',
  instant: 'instant',
  sepa: 'SEPA',
  'cross-border': 'cross-border',
};

function form(call: PageCall, date: string, time: string): Html {
  const { domestic, ...others } = productNames;
  return filterForm(call, [
    { name: 'date', label: 'Day', type: 'date', value: date },
    { name: 'time', label: 'Time in Oslo', value: time },
    { name: 'amount', label: 'Amount', value: '2500.00' },
    { name: 'product', label: 'Product', options: { '': domestic, ...others } },
    { name: 'currency', label: 'Currency', value: '' },
    { name: 'customer', label: 'Customer', options: { '': 'private', corporate: 'corporate' } },
  ]);
}

const unknownTimes =
  'Nobody has published when these banks settle. They are shown with the five runs of the Norwegian clearing, NICS.';

function rows(call: PageCall, answer: Answer): Html {
  const isTold = ({ cutOff, run, booking, valueDate }: Bank): boolean =>
    answer.product !== 'instant' &&
    [cutOff, run, booking, valueDate].some((part) => part !== null && part.source !== null);
  const { told = [], others = [] } = Object.groupBy(answer.banks, (bank) => (isTold(bank) ? 'told' : 'others'));
  const isInstant = answer.product === 'instant';
  return html`${headed('Banks with known times', told.length > 0 && list(call, told))}
  ${headed(isInstant ? 'The banks of the platform' : 'Banks without known times', html`${!isInstant && html`<p class="lead">${unknownTimes}</p>`} ${list(call, others)}`)}`;
}

/** Banks in the order in which they settle, those with the same answer in one row. */
function list(call: PageCall, banks: readonly Bank[]): Html {
  const alike = Map.groupBy(banks, ({ id: _id, name: _name, ...same }) => JSON.stringify(same));
  const groups = [...alike.values()]
    .flatMap(([first, ...more]) =>
      first === undefined ? [] : [{ ...first, names: [first, ...more].map(({ name }) => name) }],
    )
    .toSorted((one, other) => Date.parse(one.run.at) - Date.parse(other.run.at));
  return table('Banks, those that settle it first at the top', groups, [
    ['Bank', namesOf, 'text'],
    ['Cut-off', cutOffWords, 'text'],
    ['Settles', ({ run }) => html`${run.id === null && 'at once, '}${moment(call, run.at)} ${known(run)}`, 'text'],
    ['Booked', ({ booking }) => html`${moment(call, booking.at)} ${known(booking)}`, 'text'],
    ['Value date', ({ valueDate }) => html`${day(call, valueDate.date)} ${known(valueDate)}`, 'text'],
    ['Fee', ({ fee }) => fee.amount !== '0.00' && money(fee), 'figures'],
    ['Why', ({ reason = '', ...bank }) => foreign([reason, ...otherSources(bank)].filter(Boolean).join('; ')), 'text'],
  ]);
}

/** Number of banks with the same answer that are named; more are folded. */
const maxNames = 3;

function namesOf({ id, names }: { readonly id: string; readonly names: readonly string[] }): Html {
  const [shown, more] = [names.slice(0, maxNames), names.slice(maxNames)].map((some) =>
    some.map((name) => html`<p>${name}</p>`),
  );
  return html`${shown ?? null}
  ${more !== undefined && more.length > 0 && folded(`like-${id}`, `and ${counted(more.length, 'bank')} more`, html`${more}`)}`;
}

function cutOffWords({ cutOff }: Bank): HtmlValue {
  if (cutOff === null) return null;
  return html`<time datetime="${cutOff.at}">${timeText(cutOff.at)}</time>
    ${cutOff.isMet ? 'met' : html`<span class="missed-word">missed</span>`} ${known(cutOff)}`;
}

/** How a part is known, with a link to its source. */
function known({ quality, source }: Known): Html {
  return isAddress(source)
    ? html`<a class="known" href="${source}" rel="noreferrer">${quality}</a>`
    : html`<span class="known">${quality}</span>`;
}

/** The sources that are no addresses. */
function otherSources({ cutOff, run, booking, valueDate }: Omit<Bank, 'reason'>): readonly string[] {
  const sources = [cutOff, run, booking, valueDate].flatMap((part) => part?.source ?? []);
  return [...new Set(sources)].filter((source) => !isAddress(source)).map((source) => `Source: ${withDates(source)}`);
}

function isAddress(source: string | null): source is string {
  return source !== null && /^https:\/\//.test(source);
}

type Known = Pick<Bank['run'], 'quality' | 'source'>;

export const whenRoom: ConsoleRoom = { views: [whenView] };
