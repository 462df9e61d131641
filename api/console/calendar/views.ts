import { clock } from '../../control/answers.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { html, type Html } from '../../pages/html.ts';
import { pathTo, type ConsoleView, type Linking } from '../console-view.ts';
import { problemBox } from '../parts/problem.ts';
import { monthText } from '../parts/text.ts';
import { dayCell } from './day-cell.ts';
import { firstMonth, lastMonth, monthIn, monthsFrom, readMonth } from './month.ts';
import { movesOf } from './moves.ts';
import { runView } from './run-view.ts';

const path = '/calendar';
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

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
      content: html`${monthLinks(call, first, today)} ${shown.problem !== null && problemBox(shown.problem)}
        ${
          others > 0 &&
          html`<p class="lead">
            Which days were moved is shown for some payments: ${others} more settle beside closed days.
          </p>`
        }
        <ul class="weekdays" aria-hidden="true">
          ${weekdays.map((day) => html`<li>${day.slice(0, 3)}</li>`)}
        </ul>
        <ol class="month">
          ${shown.days.map((day) => dayCell(call, day, { today, moves }))}
        </ol>`,
    };
  },
};

function monthLinks(call: Linking, first: string, today: string): Html {
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

export const calendarViews = [month, runView];
