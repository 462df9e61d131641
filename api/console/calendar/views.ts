import { clock } from '../../control/answers.ts';
import { dayOf, localDate, weekday } from '../../../engine/values/local-date.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import { type PageCall, pathTo } from '../page-call.ts';
import { problemBox } from '../parts/lists.ts';
import { dateText, foreign, monthText, paymentLink, pathToRun, shortDateText, tag, timeText } from '../parts/text.ts';
import {
  type Day,
  firstMonth,
  lastMonth,
  monthIn,
  monthsFrom,
  type Move,
  movesOf,
  readMonth,
  type Slot,
} from './month.ts';
import { runView } from './run-view.ts';

const path = '/calendar';
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A month of settlement: what each run did or will do, and which days are closed. Without a month: the bank's own. */
const month: ConsoleView = {
  path,
  nav: 'Calendar',
  live: ['clock', 'run', 'payment', 'reset'],
  show: async (call) => {
    const { date: today } = await call.ask('/clock', clock);
    const asked = call.query.get('month');
    const first = monthIn(asked ?? today.slice(0, 7));
    if (first === null) {
      const detail = `month is ${asked ?? ''}: expected a year and a month, from ${firstMonth} to ${lastMonth}.`;
      return { title: 'Settlement calendar', content: problemBox({ status: 400, detail }) };
    }
    const shown = await readMonth(call, first);
    const { moves, others } = await movesOf(call, shown);
    return {
      title: monthText(first),
      content: html`${monthLinks(call, first, today)} ${problemBox(shown.problem)}
        ${
          others > 0 &&
          html`<p class="lead">
            The calendar shows the moved dates of some payments. ${others} more settle beside closed days.
          </p>`
        }
        <ul class="weekdays" aria-hidden="true">
          ${weekdays.map((day) => html`<li>${day}</li>`)}
        </ul>
        <ol class="month">
          ${shown.days.map((day) => dayCell(call, day, { today, moves }))}
        </ol>`,
    };
  },
};

function monthLinks(call: PageCall, first: string, today: string): Html {
  const day = localDate(first);
  const link = (count: 1 | -1): Html | null => {
    const to = monthsFrom(day, count);
    if (monthIn(to.slice(0, 7)) === null) return null;
    return html`<a class="button" href="${call.to(pathTo(path, { query: { month: to.slice(0, 7) } }))}"
      >${count < 0 && '← '}${monthText(to)}${count > 0 && ' →'}</a
    >`;
  };
  const isOwn = today.startsWith(first.slice(0, 7));
  return html`<nav class="pager" aria-label="Months">
    ${link(-1)} ${link(1)} ${!isOwn && html`<a class="button" href="${call.to(path)}">The bank's month</a>`}
  </nav>`;
}

/** A day of the calendar: its runs, or why it is closed, and the payments that were moved from it or to it. */
function dayCell(
  call: PageCall,
  day: Day,
  { today, moves }: { readonly today: string; readonly moves: readonly Move[] },
): Html {
  const { date, closed, slots } = day;
  const kind = [closed === null ? '' : 'closed', date === today ? 'today' : ''].filter(Boolean).join(' ');
  const name = dateText(date);
  return html`<li class="day from-${weekday(date)} ${kind}">
    <p class="date">
      <time datetime="${date}"><span class="weekday">${name.slice(0, 3)} </span>${dayOf(date)}</time>
      ${date === today && tag('goes', 'today')}
    </p>
    ${closed !== null && html`<p class="why">${closed}</p>`} ${slots.length > 0 && slotList(call, slots)}
    ${movesFrom(call, moves, date)} ${movesTo(call, moves, date)}
  </li>`;
}

function slotList(call: PageCall, slots: readonly Slot[]): Html {
  return html`<ul class="slots">
    ${slots.map(
      (slot) =>
        html`<li ${!slot.isOver && html`class="ahead"`}>
          <span class="at">${timeText(slot.at)}</span> <span class="what">${whatOf(call, slot)}</span>
        </li>`,
    )}
  </ul>`;
}

function whatOf(call: PageCall, { id, isOver, report, waiting }: Slot): HtmlValue {
  if (report !== null) {
    const { settled, retried, rejected } = report;
    const nothing = settled + retried + rejected === 0;
    return html`<a href="${call.to(pathToRun(id))}"
      >${settled > 0 && tag('good', `${settled} settled`)} ${retried > 0 && tag('warns', `${retried} short`)}
      ${rejected > 0 && tag('bad', `${rejected} rejected`)} ${nothing && 'booked'}</a
    >`;
  }
  if (isOver) return html`<span class="unseen">nothing to do</span>`;
  if (waiting.length === 0) return html`<span class="unseen">nothing waits</span>`;
  const count = (wanted: string): number => waiting.filter(({ outcome }) => outcome === wanted).length;
  const [settle, retry, reject] = [count('settle'), count('retry'), count('reject')];
  return html`${settle > 0 && tag('good', `${settle} settle`)} ${retry > 0 && tag('warns', `${retry} retry`)}
  ${reject > 0 && tag('bad', `${reject} reject`)}`;
}

/** Payments requested for this day and paid on another. */
function movesFrom(call: PageCall, moves: readonly Move[], date: string): HtmlValue {
  const away = moves.filter(({ from }) => from === date);
  return [...Map.groupBy(away, ({ to }) => to)].map(
    ([to, some]) => html`<p class="move">${subjects(call, some)} → ${shortDate(to)}</p>`,
  );
}

/** Payments paid on this day and requested for another. */
function movesTo(call: PageCall, moves: readonly Move[], date: string): HtmlValue {
  const here = moves.filter(({ to }) => to === date);
  return [...Map.groupBy(here, ({ from }) => from)].map(
    ([from, some]) =>
      html`<p class="move">
        ${subjects(call, some)} from ${shortDate(from)}<br /><span class="soft">${some[0]?.why ?? ''}</span>
      </p>`,
  );
}

/** `Tue 30 Mar`, on one line. */
function shortDate(date: string): Html {
  return html`<span class="number">${shortDateText(date)}</span>`;
}

/** Maximum number of payments named; the rest are counted. */
const maxNamed = 4;

function subjects(call: PageCall, moves: readonly Move[]): HtmlValue {
  const rest = moves.length - maxNamed;
  return html`${moves
    .slice(0, maxNamed)
    .map((move, index) => html`${index > 0 && ', '}${subject(call, move)}`)}${rest > 0 && ` and ${rest} more`}`;
}

function subject(call: PageCall, { paymentId, creditor }: Move): Html {
  return paymentLink(call, paymentId, creditor === null ? 'a payment' : foreign(creditor));
}

export const calendarViews = [month, runView];
