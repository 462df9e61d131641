import type { AnswerTo } from '../../openapi/calls.ts';
import { osloInstant, parseInstant, startOfDay, timeOfDay, type Instant } from '../../../engine/values/instant.ts';
import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { html, type Html } from '../../pages/html.ts';
import { shortDateText } from '../parts/times.ts';

/*
 * SVG drawn by the server, a picture for each row: they share one axis. Closed days are narrow, as nothing happens on them. Positions are in
 * per cent, so the marks keep their form at any width. All that a picture shows is in words beside it.
 */

type Answer = AnswerTo<'GET /when'>;
type Bank = Answer['banks'][number];

/** The axis that all rows share. */
export type TimeAxis = ReturnType<typeof timeAxis>;

const hour = 3_600_000;
/** Width of a closed day, where an open day has 1. */
const closedDay = 0.14;
/** Free width at both ends. */
const margin = 0.03;

/**
 * The axis from the order to the last booking, in stretches of a day, and the place of an instant on it in per cent of the width. `days`: those of
 * the calendar.
 */
export function timeAxis({ at, banks }: Answer, days: AnswerTo<'GET /calendar'>['days']) {
  const instants = banks.flatMap(({ cutOff, booking }) => [booking.at, ...(cutOff === null ? [] : [cutOff.at])]);
  const all = [at, ...instants].map(read);
  const [first, last] = [Math.min(...all) - hour, Math.max(...all) + hour];
  const parts = days.flatMap(({ date, type }) => {
    const day = localDate(date);
    const [from, to] = [Math.max(startOfDay(day), first), Math.min(startOfDay(addDays(day, 1)), last)];
    const isClosed = type === 'closed';
    return to <= from ? [] : [{ date, isClosed, from, to, width: isClosed ? closedDay : (to - from) / (24 * hour) }];
  });
  const whole = parts.reduce((sum, { width }) => sum + width, 0);
  let start = margin;
  const stretches = parts.map(({ width, from, to, ...part }) => {
    const end = start + (width / whole) * (1 - 2 * margin);
    // From 0 to 1.
    const stretch = { ...part, from: from as Instant, to: to as Instant, start, end };
    start = end;
    return stretch;
  });
  const place = (instant: string | Instant): string => {
    const on = typeof instant === 'string' ? read(instant) : instant;
    const found = stretches.find(({ to }) => on <= to) ?? stretches.at(-1);
    if (found === undefined) return '0%';
    const share = Math.max(0, Math.min(1, (on - found.from) / (found.to - found.from)));
    return percent(found.start + share * (found.end - found.start));
  };
  return { stretches, at: place };
}

function read(text: string): number {
  return parseInstant(text) ?? 0;
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

/** Patterns for what is assumed; once on a page. */
export const hatches: Html = html`<svg class="unseen" aria-hidden="true">
  <defs>
    ${['run', 'booking', 'value'].map(
      (kind) =>
        html`<pattern
          id="hatch-${kind}"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="4" height="4" class="paper" />
          <path d="M1 0V4" class="${kind}" />
        </pattern>`,
    )}
  </defs>
</svg>`;

type Part = Pick<Bank['run'], 'quality'>;

/** Whether a part is known of the bank itself. */
export function isKnown({ quality }: Part): boolean {
  return quality === 'published' || quality === 'observed';
}

function fillOf(part: Part, kind: 'run' | 'booking' | 'value'): Html {
  return isKnown(part) ? html`class="${kind} solid"` : html`class="${kind}" fill="url(#hatch-${kind})"`;
}

/** A mark around a place of the axis. */
function mark(x: string, y: number, shape: Html): Html {
  return html`<svg x="${x}" y="${y}" class="mark">${shape}</svg>`;
}

const runMark = (part: Part): Html => html`<circle r="7" ${fillOf(part, 'run')} />`;
const bookingMark = (part: Part): Html =>
  html`<rect x="-6.5" y="-6.5" width="13" height="13" rx="3" ${fillOf(part, 'booking')} />`;
const orderMark = html`<circle r="4" class="order" />`;
const cutOffMark = (isMet: boolean): Html =>
  html`<path d="M0 -13V13M0 -13l7 3.5l-7 3.5" class="cut ${isMet ? 'met' : 'missed'}" />`;

/** The row of a bank on the axis. */
export function rowPicture(axis: TimeAxis, at: string, { cutOff, run, booking, valueDate }: Bank): Html {
  const day = axis.stretches.find(({ date }) => date === valueDate.date);
  const [order, settled, booked] = [axis.at(at), axis.at(run.at), axis.at(booking.at)];
  return html`<svg class="row" width="100%" height="46" aria-hidden="true">
    ${shutDays(axis, 46)}
    <line x1="${order}" x2="${settled}" y1="18" y2="18" class="wait" />
    <line x1="${settled}" x2="${booked}" y1="18" y2="18" class="way" />
    ${
      day !== undefined &&
      html`<rect
        x="${percent(day.start)}"
        width="${percent(day.end - day.start)}"
        y="36"
        height="6"
        rx="3"
        ${fillOf(valueDate, 'value')}
      />`
    }
    ${mark(order, 18, orderMark)} ${cutOff !== null && mark(axis.at(cutOff.at), 18, cutOffMark(cutOff.isMet))}
    ${mark(settled, 18, runMark(run))} ${mark(booked, 18, bookingMark(booking))}
  </svg>`;
}

function shutDays({ stretches }: TimeAxis, height: number): Html[] {
  return stretches
    .filter(({ isClosed }) => isClosed)
    .map(
      ({ start, end }) =>
        html`<rect x="${percent(start)}" width="${percent(end - start)}" y="0" height="${height}" class="shut" />`,
    );
}

/** Below this share the name of a day ends where the day ends. */
const narrowDay = 0.25;
const labelledHours = [6, 9, 12, 15, 18, 21];

/** The days above the rows, with the hours of open days. */
export function axisHead(axis: TimeAxis): Html {
  const open = axis.stretches.filter(({ isClosed }) => !isClosed);
  const closed = axis.stretches.filter(({ isClosed }) => isClosed);
  const hours = open.flatMap(({ date, from, to }) =>
    labelledHours
      .map((each) => osloInstant(localDate(date), `${String(each).padStart(2, '0')}:00`))
      .filter((instant) => instant > from + hour && instant < to - hour),
  );
  const [first] = closed;
  const isFirstNarrow = open.slice(0, 1).some(({ start, end }) => end - start < narrowDay);
  return html`<svg class="head" width="100%" height="40" aria-hidden="true">
    ${open.map(({ start, end, date }, index) => {
      const isAtEnd = index > 0 && (end - start < narrowDay || (index === open.length - 1 && isFirstNarrow));
      const isInner = index > 0 && index < open.length - 1;
      return html`<text
        x="${percent(isAtEnd ? end : start)}"
        y="13"
        ${isAtEnd && html`text-anchor="end"`}
        ${isInner && html`class="inner"`}
        >${shortDateText(date)}</text
      >`;
    })}
    ${
      first !== undefined &&
      html`<text x="${percent(first.start)}" y="13" class="closed-days">
        ${closed.length === 1 ? 'closed' : `${closed.length} days closed`}
      </text>`
    }
    ${hours.map(
      (instant) =>
        html`<line x1="${axis.at(instant)}" x2="${axis.at(instant)}" y1="33" y2="40" class="tick" />
          <text x="${axis.at(instant)}" y="29" class="hour">${timeOfDay(instant).slice(0, 2)}</text>`,
    )}
  </svg>`;
}

/** What the marks mean. */
export const legend: Html = html`<ul class="legend">
  ${(
    [
      ['ordered and signed', orderMark],
      ['cut-off, met', cutOffMark(true)],
      ['cut-off, missed', cutOffMark(false)],
      ['run that settles it', runMark({ quality: 'published' })],
      ['booked', bookingMark({ quality: 'published' })],
      ['value date', html`<rect x="-10" y="-3" width="20" height="6" rx="3" class="value solid" />`],
      ['hatched: assumed', runMark({ quality: 'assumed' })],
    ] as const
  ).map(
    ([words, shape]) =>
      html`<li>
        <svg width="24" height="28" aria-hidden="true">${mark('50%', 14, shape)}</svg>
        ${words}
      </li>`,
  )}
</ul>`;
