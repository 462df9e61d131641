import { dayOf, weekday } from '../../../engine/values/local-date.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { Linking } from '../console-view.ts';
import { dateText, foreign, paymentLink, pathToRun, shortDateText, tag, timeText } from '../parts/text.ts';
import type { Day, Slot } from './month.ts';
import type { Move } from './moves.ts';

interface Shown {
  readonly today: string;
  readonly moves: readonly Move[];
}

/** A day of the calendar: its runs, or why it is closed, and the payments that were moved from it or to it. */
export function dayCell(call: Linking, day: Day, { today, moves }: Shown): Html {
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

function slotList(call: Linking, slots: readonly Slot[]): Html {
  return html`<ul class="slots">
    ${slots.map(
      (slot) =>
        html`<li class="${slot.isOver ? 'over' : 'ahead'}">
          <span class="at">${timeText(slot.at)}</span> <span class="what">${whatOf(call, slot)}</span>
        </li>`,
    )}
  </ul>`;
}

function whatOf(call: Linking, { id, isOver, report, waiting }: Slot): HtmlValue {
  if (report !== null) {
    const { settled, retried, rejected } = report;
    const nothing = settled + retried + rejected === 0;
    return html`<a href="${call.to(pathToRun(id))}"
      >${settled > 0 && tag('good', `${settled} settled`)} ${retried > 0 && tag('warns', `${retried} again`)}
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

/** What was asked for on this day, and is paid on another. */
function movesFrom(call: Linking, moves: readonly Move[], date: string): HtmlValue {
  const away = moves.filter(({ from }) => from === date);
  return [...Map.groupBy(away, ({ to }) => to)].map(
    ([to, some]) => html`<p class="move">${subjects(call, some)} → ${shortDate(to)}</p>`,
  );
}

/** What is paid on this day, and was asked for on another. */
function movesTo(call: Linking, moves: readonly Move[], date: string): HtmlValue {
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

/** Payments that are named; of more only how many they are. */
const mostNamed = 4;

function subjects(call: Linking, moves: readonly Move[]): HtmlValue {
  const rest = moves.length - mostNamed;
  return html`${moves
    .slice(0, mostNamed)
    .map((move, index) => html`${index > 0 && ', '}${subject(call, move)}`)}${rest > 0 && ` and ${rest} more`}`;
}

function subject(call: Linking, { paymentId, creditor }: Move): Html {
  return paymentLink(call, paymentId, creditor === null ? 'a payment' : foreign(creditor));
}
