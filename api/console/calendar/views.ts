import { dayOf, localDate, weekday as weekdayOf } from '../../../engine/values/local-date.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { type PageCall, type ConsoleRoom, view } from '../page-call.ts';
import { problemBox } from '../parts/blocks.ts';
import { accountLink, pathToRun, payeeLink } from '../parts/links.ts';
import { counted, debit, money, tag } from '../parts/text.ts';
import { englishHoliday, withOfficialNames } from '../../pages/holidays.ts';
import { dateText, monthText, shortDateText, timeText } from '../../pages/format.ts';
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
const month = view(path, ['payment'], async (call) => {
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
    lead: shown.isWhole
      ? null
      : 'The month has too much to name it all. The page of a run or of an account names its own.',
    content: html`${monthLinks(call, first, today)} ${problemBox(shown.problem)}
      <ul class="weekdays" aria-hidden="true">
        ${weekdays.map((day) => html`<li>${day}</li>`)}
      </ul>
      <ol class="month">
        ${shown.days.map((day) => dayCell(call, day, shown))}
      </ol>
      <p class="nothing soft">No run of this month has a payment.</p>`,
  };
});

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
function dayCell(call: PageCall, { date, closed, closesAt, slots, returns }: Day, { today, moves }: Month): Html {
  const isWeekend = /^(Satur|Sun)day$/.test(closed ?? '');
  const named = slots.filter((slot) => !isIdle(slot) || slot.only !== null);
  const away = moves.filter(({ wanted }) => wanted === date);
  const isQuiet = slots.every(isIdle) && returns.length + away.length === 0;
  const classes = [
    closed !== null && 'closed',
    date === today && 'today',
    isQuiet && (closed === null || isWeekend) && date !== today && 'quiet',
  ];
  const about = [closed === null ? counted(slots.length, 'run') : isWeekend ? 'closed' : englishHoliday(closed)];
  if (closesAt !== null) about.push(`cut-off ${closesAt}`);
  const [weekday = ''] = dateText(date).split(' ');
  return html`<li class="day from-${weekdayOf(date)} ${classes.filter(Boolean).join(' ')}">
    <p class="date">
      <time datetime="${date}" ${date === today && html`aria-current="date"`}>
        <span>${weekday}</span>
        <b>${date < today ? html`<a href="${toPayments(call, date)}">${dayOf(date)}</a>` : dayOf(date)}</b>
      </time>
    </p>
    <p class="about">${about.join(', ')}</p>
    ${
      !(isQuiet && named.length === 0) &&
      html`<ul>
        ${runsInOrder(call, named)} ${movesFrom(call, away, date)}
        ${returns.map(({ account, amount }) => html`<li class="soft">${accountLink(call, account, html`${money(amount)} comes back`)}</li>`)}
      </ul>`
    }
  </li>`;
}

/** The payments of a day that has passed. */
function toPayments(call: PageCall, date: string): string {
  return call.to('/payments', { query: { from: date, to: date } });
}

/** Maximum number of payments of a run, and of moved payments of a day, that are named; the rest are counted. */
const maxNamed = 4;

type RunsOfLine = [Slot, ...Slot[]];

/** The runs of a day in order of time. Runs in a row share a line if they had or will have the same outcome. */
function runsInOrder(call: PageCall, slots: readonly Slot[]): HtmlValue {
  const lines: RunsOfLine[] = [];
  for (const each of slots) {
    const before = lines.at(-1);
    if (before !== undefined && isAlike(before[0], each)) before.push(each);
    else lines.push([each]);
  }
  return lines.map((line) => runLines(call, line));
}

function isIdle({ report, tries }: Slot): boolean {
  return report === null && tries.length === 0;
}

/** How many payments a run settled or will settle, found short of funds, and rejected. */
function outcomesOf({ isOver, report, tries }: Slot): Html {
  const count = (wanted: string): number => tries.filter(({ outcome }) => outcome === wanted).length;
  const settled = report?.settled ?? count('settle');
  const short = report?.retried ?? count('retry');
  const rejected = report?.rejected ?? count('reject');
  const isNone = settled + short + rejected === 0;
  return html`${settled > 0 && tag('good', `${settled} ${isOver ? 'settled' : 'settle'}`)}
  ${short > 0 && tag('warns', `${short} short`)}
  ${rejected > 0 && tag('bad', `${rejected} ${isOver ? 'rejected' : 'reject'}`)}
  ${isNone && report !== null && tag('over', 'booked')}`;
}

/** The payments that a run ends. */
function endedBy({ tries }: Slot): readonly Slot['tries'][number][] {
  return tries.filter(({ outcome }) => outcome !== 'retry');
}

/** Whether two runs have the same outcome, and no payment to name. */
function isAlike(one: Slot, other: Slot): boolean {
  return (
    endedBy(one).length + endedBy(other).length === 0 &&
    one.only === other.only &&
    one.isOver === other.isOver &&
    outcomesOf(one).text === outcomesOf(other).text
  );
}

/** Runs with one outcome, and the payments that they end: runs that share a line end none. */
function runLines(call: PageCall, runs: RunsOfLine): Html {
  const [first] = runs;
  const { at, only, isOver } = first;
  const outcome = html`${only !== null && html`<span class="soft">${only}</span>`} ${outcomesOf(first)}`;
  const times = runs.map((run, index) => {
    const text = html`${timeText(run.at)} ${index === runs.length - 1 && outcome}`;
    return isIdle(run) ? text : html`<a href="${call.to(pathToRun(run.id))}">${text}</a> `;
  });
  const ended = endedBy(first);
  const rest = ended.length - maxNamed;
  return html`<li class="run ${isOver ? '' : 'ahead'}">${times}</li>
    ${ended.slice(0, maxNamed).map((each) => {
      const { needed, movedFrom, moved, payee, outcome: end } = each;
      // The day itself says why, if the month shows it.
      const isShown = movedFrom?.slice(0, 7) === at.slice(0, 7);
      return html`<li class="line ${isOver ? '' : 'ahead'}" title="${payee}">
        ${payeeLink(call, each)}
        ${end === 'reject' ? tag('bad', isOver ? 'rejected' : 'will be rejected') : html`<span>${money(debit(needed))}</span>`}
        ${movedFrom !== undefined && html`<span class="soft">${isShown ? `from ${shortDateText(movedFrom)}` : withOfficialNames(moved ?? '')}</span>`}
      </li>`;
    })}
    ${rest > 0 && html`<li class="soft">${counted(rest, 'more payment')}</li>`}`;
}

/** Payments wanted on this day and paid on another, with the reason; the cell names the day already. */
function movesFrom(call: PageCall, away: readonly Move[], date: string): HtmlValue {
  return [...Map.groupBy(away, ({ why }) => why)].map(([why, some]) => {
    const rest = some.length - maxNamed;
    return html`${some.slice(0, maxNamed).map((each) => html`<li class="line" title="${each.payee}">${payeeLink(call, each)}</li>`)}
      ${rest > 0 && html`<li class="soft">${counted(rest, 'more payment')}</li>`}
      <li class="soft">${withOfficialNames(why.replace(`${shortDateText(date)}, `, ''))}</li>`;
  });
}

export const calendarRoom: ConsoleRoom = { views: [month, runView] };
