import type { AnswerTo } from '../../openapi/calls.ts';
import { formatInstant, osloInstant } from '../../../engine/values/instant.ts';
import { withinCalendar } from '../../../engine/time/rules/bank-clock.ts';
import { addDays, localDate, parseLocalDate, weekday } from '../../../engine/values/local-date.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { type PageCall, type ConsoleRoom, view } from '../page-call.ts';
import { chipList, filterForm } from '../parts/forms.ts';
import { folded, problemBox } from '../parts/blocks.ts';
import { counted, foreign } from '../parts/text.ts';
import { dateText, momentText, moneyText, timeText, withDates } from '../../pages/format.ts';
import { axisHead, hatches, legend, rowPicture, timeAxis, type TimeAxis } from './time-axis.ts';

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
    ${answer !== null && (await rows(call, answer))}`,
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
  const what = product === 'domestic' ? '' : ` (${product === 'sepa' ? 'SEPA' : product})`;
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

const products = { '': 'domestic', instant: 'instant', sepa: 'SEPA', 'cross-border': 'cross-border' };

function form(call: PageCall, date: string, time: string): Html {
  return filterForm(call, [
    { name: 'date', label: 'Day', type: 'date', value: date },
    { name: 'time', label: 'Time in Oslo', value: time },
    { name: 'amount', label: 'Amount', value: '2500.00' },
    { name: 'product', label: 'Product', options: products },
    { name: 'currency', label: 'Currency', value: '' },
    { name: 'customer', label: 'Customer', options: { '': 'private', corporate: 'corporate' } },
  ]);
}

const unknownTimes =
  'Nobody has published when these banks settle. They are shown with the five runs of the Norwegian clearing, NICS.';

async function rows(call: PageCall, answer: Answer): Promise<Html> {
  const last = answer.banks.reduce((latest, { booking }) => (booking.at > latest ? booking.at : latest), answer.at);
  const query = { from: answer.at.slice(0, 10), to: withinCalendar(localDate(last.slice(0, 10))) };
  const axis = timeAxis((await call.read('/calendar', { query })).days);
  const isTold = ({ cutOff, run, booking, valueDate }: Bank): boolean =>
    answer.product !== 'instant' &&
    [cutOff, run, booking, valueDate].some((part) => part !== null && part.source !== null);
  const told = answer.banks.filter(isTold);
  const others = answer.banks.filter((bank) => !isTold(bank));
  return html`${hatches} ${legend} ${list(answer, axis, { heading: 'Banks with known times', banks: told })}
  ${
    answer.product === 'instant'
      ? list(answer, axis, { heading: 'The banks of the platform', banks: others })
      : list(answer, axis, { heading: 'Banks without known times', lead: unknownTimes, banks: others })
  }`;
}

interface BankList {
  readonly heading: string;
  readonly lead?: string;
  readonly banks: readonly Bank[];
}

/** The banks of a list, those with the same answer in one row. */
function list(answer: Answer, axis: TimeAxis, { heading, lead, banks }: BankList): Html | null {
  if (banks.length === 0) return null;
  const alike = Map.groupBy(banks, ({ id: _id, name: _name, ...same }) => JSON.stringify(same));
  return html`<h2>${heading}</h2>
    ${lead !== undefined && html`<p class="lead">${lead}</p>`}
    <ol class="banks-when">
      <li aria-hidden="true"><span></span>${axisHead(axis)}</li>
      ${[...alike.values()].map(
        (group) =>
          html`<li>
            ${namesOf(group)}
            ${group.slice(0, 1).map(
              (bank) =>
                html`${rowPicture(axis, answer.at, bank)}
                  <div class="words">${inWords(bank)}</div>`,
            )}
          </li>`,
      )}
    </ol>`;
}

/** Number of banks with the same answer that are named; more are folded. */
const maxNames = 3;

function namesOf(banks: readonly Bank[]): Html {
  const names = banks.map(({ name }) => html`<h3>${name}</h3>`);
  const rest = names.length - maxNames;
  return html`<div>
    ${names.slice(0, maxNames)}
    ${rest > 0 && folded(`like-${banks[0]?.id ?? ''}`, `and ${counted(rest, 'bank')} more`, names.slice(maxNames))}
  </div>`;
}

function inWords({ cutOff, run, booking, valueDate, fee, reason }: Bank): HtmlValue {
  return html`<ul class="parts">
      ${
        cutOff !== null &&
        html`<li>
          Cut-off <strong>${timeText(cutOff.at)}</strong>
          ${cutOff.isMet ? 'met' : html`<span class="missed-word">missed</span>`} ${known(cutOff)}
        </li>`
      }
      <li>${run.id === null ? 'At once' : 'Run'} <strong>${momentText(run.at)}</strong> ${known(run)}</li>
      <li>Booked <strong>${momentText(booking.at)}</strong> ${known(booking)}</li>
      <li>Value date <strong>${momentText(valueDate.date)}</strong> ${known(valueDate)}</li>
      ${fee.amount !== '0.00' && html`<li>Fee <strong>${moneyText(fee)}</strong></li>`}
    </ul>
    ${reason !== undefined && html`<p class="why">${foreign(reason)}</p>`}
    ${otherSources([cutOff, run, booking, valueDate])}`;
}

/** How a part is known, with a link to its source. */
function known({ quality, source }: Known): Html {
  return isAddress(source)
    ? html`<a class="known" href="${source}" rel="noreferrer">${quality}</a>`
    : html`<span class="known">${quality}</span>`;
}

/** The sources that are no addresses. */
function otherSources(parts: readonly (Known | null)[]): Html | null {
  const sources = parts.flatMap((part) =>
    part === null || part.source === null || isAddress(part.source) ? [] : part.source,
  );
  return sources.length === 0
    ? null
    : html`<p class="why">Source: ${foreign(withDates([...new Set(sources)].join('; ')))}</p>`;
}

function isAddress(source: string | null): source is string {
  return source !== null && /^https:\/\//.test(source);
}

type Known = Pick<Bank['run'], 'quality' | 'source'>;

export const whenRoom: ConsoleRoom = { views: [whenView] };
