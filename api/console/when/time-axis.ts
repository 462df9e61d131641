import type { AnswerTo } from '../../openapi/calls.ts';
import { type AxisDay, axisOf } from '../../line/axis.ts';
import { html, type Html } from '../../pages/html.ts';
import { shortDateText } from '../../pages/format.ts';

/*
 * SVG drawn by the server, a picture for each row: they share one axis. Closed days are narrow, as nothing happens on them. Positions are in
 * per cent, so the marks keep their form at any width. All that a picture shows is in words beside it.
 */

type Answer = AnswerTo<'GET /when'>;
type Bank = Answer['banks'][number];

/** Free width at both ends. */
const margin = 0.03;
/** Width of a closed day, where a banking day has 1. */
const closedDay = 0.14;

/** The axis that all rows share, and the place of an instant on it in per cent of the width. */
export function timeAxis(days: readonly AxisDay[]) {
  const axis = axisOf(days, closedDay);
  const inside = (share: number): string => percent(margin + share * (1 - 2 * margin));
  return { ...axis, inside, place: (at: string) => inside(axis.at(at)) };
}

export type TimeAxis = ReturnType<typeof timeAxis>;

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

/** Patterns for what is assumed; once on a page. */
export const hatches: Html = html`<svg class="unseen" aria-hidden="true">
  <defs>
    ${['run', 'booking'].map(
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

function fillOf(part: Part, kind: 'run' | 'booking'): Html {
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
export function rowPicture(axis: TimeAxis, at: string, { cutOff, run, booking }: Bank): Html {
  const [order, settled, booked] = [axis.place(at), axis.place(run.at), axis.place(booking.at)];
  return html`<svg class="row" width="100%" height="36" aria-hidden="true">
    ${shutDays(axis, 36)}
    <line x1="${order}" x2="${settled}" y1="18" y2="18" class="wait" />
    <line x1="${settled}" x2="${booked}" y1="18" y2="18" class="way" />
    ${mark(order, 18, orderMark)} ${cutOff !== null && mark(axis.place(cutOff.at), 18, cutOffMark(cutOff.isMet))}
    ${mark(settled, 18, runMark(run))} ${mark(booked, 18, bookingMark(booking))}
  </svg>`;
}

function shutDays({ columns, inside }: TimeAxis, height: number): Html[] {
  return columns
    .filter(({ isClosed }) => isClosed)
    .map(
      ({ start, end }) =>
        html`<rect
          x="${inside(start)}"
          width="${percent((end - start) * (1 - 2 * margin))}"
          y="0"
          height="${height}"
          class="shut"
        />`,
    );
}

/** Below this share the name of a day ends where the day ends. */
const narrowDay = 0.25;
const labelledHours = ['06', '09', '12', '15'];

/** The days above the rows, with the hours of open days. */
export function axisHead({ columns, closures: [closure], inside, place }: TimeAxis): Html {
  const open = columns.filter(({ isClosed }) => !isClosed);
  const closed = columns.filter(({ isClosed }) => isClosed);
  const hours = open.flatMap(({ date }) => labelledHours.map((hour) => `${date}T${hour}:00`));
  const isFirstNarrow = open.slice(0, 1).some(({ start, end }) => end - start < narrowDay);
  return html`<svg class="head" width="100%" height="40" aria-hidden="true">
    ${open.map(({ start, end, date }, index) => {
      const isAtEnd = index > 0 && (end - start < narrowDay || (index === open.length - 1 && isFirstNarrow));
      const isInner = index > 0 && index < open.length - 1;
      return html`<text
        x="${inside(isAtEnd ? end : start)}"
        y="13"
        ${isAtEnd && html`text-anchor="end"`}
        ${isInner && html`class="inner"`}
        >${shortDateText(date)}</text
      >`;
    })}
    ${
      closure !== undefined &&
      html`<text x="${place(closure.from)}" y="13" class="closed-days">
        ${closed.length === 1 ? 'closed' : `${closed.length} days closed`}
      </text>`
    }
    ${hours.map(
      (at) =>
        html`<line x1="${place(at)}" x2="${place(at)}" y1="33" y2="40" class="tick" />
          <text x="${place(at)}" y="29" class="hour">${at.slice(11, 13)}</text>`,
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
