import { dayOf, localDate, weekday } from '../../../engine/values/local-date.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { ConsoleView, PageCall, ConsoleRoom } from '../page-call.ts';
import { listed, problemBox } from '../parts/lists.ts';
import { accountLink, pathToRun, payeeLink } from '../parts/links.ts';
import {
  counted,
  debit,
  inWords,
  shortAmount,
  dateText,
  foreign,
  monthText,
  shortDateText,
  tag,
  timeText,
} from '../parts/text.ts';
import {
  type Day,
  firstMonth,
  lastMonth,
  type Month,
  monthIn,
  monthsFrom,
  type Move,
  readMonth,
  type Slot,
} from './month.ts';
import { runView } from './run-view.ts';

const path = '/calendar';
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A month of settlement: what each run did or will do, and which days are closed. Without a month: the bank's own. */
const month: ConsoleView = {
  path,
  live: ['clock', 'run', 'payment', 'reset'],
  show: async (call) => {
    const { date: today } = await call.clock();
    const asked = call.query.get('month');
    const first = monthIn(asked ?? today.slice(0, 7));
    if (first === null) {
      const detail = `month is ${asked ?? ''}: expected a year and a month, from ${firstMonth} to ${lastMonth}.`;
      return { title: 'Settlement calendar', content: problemBox({ status: 400, detail }) };
    }
    const shown = await readMonth(call, first);
    return {
      title: monthText(first),
      lead: shown.isWhole ? null : 'The month has too many payments to name them all. Each run leads to its own.',
      content: html`${monthLinks(call, first, today)} ${problemBox(shown.problem)}
        <ul class="weekdays" aria-hidden="true">
          ${weekdays.map((day) => html`<li>${day}</li>`)}
        </ul>
        <ol class="month">
          ${shown.days.map((day) => dayCell(call, day, shown))}
        </ol>`,
    };
  },
};

function monthLinks(call: PageCall, first: string, today: string): Html {
  const day = localDate(first);
  const link = (count: 1 | -1): Html | null => {
    const to = monthsFrom(day, count);
    if (monthIn(to.slice(0, 7)) === null) return null;
    return html`<a class="button" href="${call.to(path, { query: { month: to.slice(0, 7) } })}"
      >${count < 0 && '← '}${monthText(to)}${count > 0 && ' →'}</a
    >`;
  };
  const isOwn = today.startsWith(first.slice(0, 7));
  return html`<nav class="pager" aria-label="Months">
    ${link(-1)} ${link(1)} ${!isOwn && html`<a class="button" href="${call.to(path)}">The bank's month</a>`}
  </nav>`;
}

/** A day of the calendar: what happens on it or why it is closed, and payments that were moved from it. */
function dayCell(call: PageCall, { date, closed, closesAt, slots, planned }: Day, { today, moves }: Month): Html {
  const kind = [closed === null ? '' : 'closed', date === today ? 'today' : ''].filter(Boolean).join(' ');
  const name = dateText(date);
  return html`<li class="day from-${weekday(date)} ${kind}">
    <p class="date">
      <time datetime="${date}"><span class="weekday">${name.slice(0, 3)} </span>${dayOf(date)}</time>
      ${date === today && tag('goes', 'today')}
    </p>
    ${closed !== null && html`<p class="why">${/^(Satur|Sun)day$/.test(closed) ? 'closed' : closed}</p>`}
    ${closesAt !== null && html`<p class="why">cut-off ${closesAt}</p>`} ${inOrder(call, slots, planned)}
    ${movesFrom(call, moves, date)}
  </li>`;
}

/** Maximum number of payments of a run, of events and of moved payments of a day that are named; the rest are counted. */
const maxNamed = 4;

/** The runs of a day, and what lives do on it, in order of time. */
function inOrder(call: PageCall, slots: readonly Slot[], planned: Day['planned']): HtmlValue {
  const named = planned.slice(0, maxNamed).map((each) => ({ at: each.at, line: plannedLine(call, each) }));
  const runs = slots.map((slot) => ({ at: slot.at, line: slotLine(call, slot) }));
  const lines = [...named, ...runs].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const rest = planned.length - named.length;
  if (lines.length === 0) return null;
  if (planned.length === 0 && slots.every((slot) => isIdle(slot) && slot.only === null))
    return html`<p class="why">${counted(slots.length, 'run')}</p>`;
  return html`<ul class="slots">
    ${lines.map(({ line }) => line)} ${rest > 0 && html`<li>and ${rest} more of lives</li>`}
  </ul>`;
}

function slotLine(call: PageCall, slot: Slot): Html {
  const kind = [slot.isOver ? '' : 'ahead', isIdle(slot) ? 'idle' : ''].filter(Boolean).join(' ');
  return html`<li class="${kind}">
    <span class="at">${timeText(slot.at)}</span>
    ${slot.only !== null && html`<span class="soft">${slot.only}</span>`}
    <span class="what"
      >${isIdle(slot) ? (slot.isOver ? 'nothing to do' : 'nothing waits') : [countsOf(call, slot), paid(call, slot)]}</span
    >
  </li>`;
}

function isIdle({ report, tries }: Slot): boolean {
  return report === null && tries.length === 0;
}

function plannedLine(call: PageCall, { at, account, amount, event }: Day['planned'][number]): Html {
  return html`<li class="ahead">
    <span class="at">${timeText(at).slice(0, 5)}</span>
    <span class="what">${accountLink(call, account, html`${foreign(inWords(event))} ${shortAmount(amount)}`)}</span>
  </li>`;
}

/** How many payments the run settled or will settle, found short of funds, and rejected. */
function countsOf(call: PageCall, { id, isOver, report, tries }: Slot): Html {
  const count = (wanted: string): number => tries.filter(({ outcome }) => outcome === wanted).length;
  const settled = report?.settled ?? count('settle');
  const short = report?.retried ?? count('retry');
  const rejected = report?.rejected ?? count('reject');
  const isNone = settled + short + rejected === 0;
  return html`<a href="${call.to(pathToRun(id))}"
    >${settled > 0 && tag('good', `${settled} ${isOver ? 'settled' : 'settle'}`)}
    ${short > 0 && tag('warns', `${short} short`)}
    ${rejected > 0 && tag('bad', `${rejected} ${isOver ? 'rejected' : 'reject'}`)} ${isNone && tag('over', 'booked')}</a
  >`;
}

/** The payments that the run ends, with their amounts and the days that they were moved from. */
function paid(call: PageCall, { tries, at }: Slot): HtmlValue {
  const ended = tries.filter(({ outcome }) => outcome !== 'retry');
  const rest = ended.length - maxNamed;
  return html`${ended.slice(0, maxNamed).map((each) => {
    const { needed, movedFrom, moved } = each;
    // The day itself says why, if the month shows it.
    const isShown = movedFrom?.slice(0, 7) === at.slice(0, 7);
    return html`<span
      >${payeeLink(call, each)} ${shortAmount(debit(needed))}
      ${movedFrom !== undefined && html`<span class="soft">${isShown ? html`from <span class="number">${shortDateText(movedFrom)}</span>` : (moved ?? '')}</span>`}</span
    >`;
  })}${rest > 0 && html`<span class="soft">and ${rest} more</span>`}`;
}

/** Payments wanted on this day and paid on another, with the reason; the cell names the day already. */
function movesFrom(call: PageCall, moves: readonly Move[], date: string): HtmlValue {
  const away = moves.filter(({ wanted }) => wanted === date);
  return [...Map.groupBy(away, ({ why }) => why)].map(([why, some]) => {
    const rest = some.length - maxNamed;
    return html`<p class="move">
      ${listed(some.slice(0, maxNamed).map((each) => payeeLink(call, each)))}${rest > 0 && ` and ${rest} more`}<br />
      <span class="soft">${why.replace(`${shortDateText(date)}, `, '')}</span>
    </p>`;
  });
}

export const calendarRoom: ConsoleRoom = { views: [month, runView] };
