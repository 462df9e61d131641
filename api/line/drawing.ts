import { clip } from '../../engine/values/text.ts';
import { Html, html, type HtmlValue } from '../pages/html.ts';
import { shortDateText, timeText } from '../pages/times.ts';
import { isOnAxis } from './axis.ts';
import { type Line, type Mark, momentText, type Row, type Way } from './model.ts';

/* What the wide and the narrow drawing of the line share. Colours and strokes are those of styles.ts. */

/** What a picture leaves out, and where its rows lead. */
export interface Drawing {
  /** The address of a payment's page. Null means that rows are no links. */
  readonly href: ((paymentId: string) => string) | null;
  /** Whether rows have the names of payees. */
  readonly isNamed: boolean;
  /** Whether the handle at now can be moved. */
  readonly isMovable: boolean;
}

/** Width of a letter of 13 pixels, of one of 12, and of a bold one, in a font that is rather wide. */
export const [letter, smallLetter, boldLetter] = [6.9, 6.3, 8.3];

/** The SVG of a drawing. `places`: where now and the stops are, for the handle; null if it cannot be moved. `attributes`: more of the SVG's. */
export function framed(
  name: 'wide' | 'narrow',
  {
    width,
    height,
    places,
    attributes = null,
  }: {
    readonly width: number;
    readonly height: number;
    readonly places: readonly number[] | null;
    readonly attributes?: Html | null;
  },
  content: Html,
): Html {
  return compact(
    html`<svg
      ${attributes}
      class="${name}"
      viewBox="0 0 ${width} ${height}"
      role="group"
      aria-label="Payments on the days of the bank"
      ${places !== null && html`data-places="${JSON.stringify(places)}"`}
    >
      ${hatch(name)} ${content}
    </svg>`,
  );
}

export function pillText(now: string): string {
  return `${shortDateText(now.slice(0, 10)).slice(0, 6)} ${timeText(now).slice(0, 5)}`;
}

/** Ways of a row, those that look alike in one path. One that lies outside the days has none. */
export function waysOf(ways: Row['ways'], pathOf: (way: Way) => string): Html {
  return html`${[...Map.groupBy(ways, ({ kind }) => wayClasses[kind])].map(
    ([name, alike]) => html`<path class="${name}" d="${alike.map(pathOf).join('')}" />`,
  )}`;
}

export function isBow(kind: Way['kind']): boolean {
  return kind === 'leap' || kind === 'back';
}

const wayClasses: Readonly<Record<Way['kind'], string>> = {
  wait: 'dot',
  try: 'ln',
  leap: 'arc',
  back: 'arc back',
  open: 'dot',
};

/** The marks of a row. One to come names the stop at which it happens: the script fills it when the handle passes. */
export function marksOf(
  { marks, tone }: Row,
  place: (at: string) => readonly [x: number, y: number],
  line: Line,
  scale = 1,
): Html {
  const shown = marks.filter(({ at }) => isOnAxis(line.axis, at));
  return html`${shown.map(({ kind, at, isSolid }) => {
    const [x, y] = place(at);
    const stop = isSolid ? -1 : line.stops.findIndex((each) => each.at >= at);
    const soon = stop >= 0 && html` data-stop="${stop}"`;
    const hollow = isSolid ? '' : ' f';
    if (kind === 'reject')
      return html`<path class="${`x${hollow}`}" ${soon} d="M${x - 5} ${y - 5}l10 10m0-10l-10 10" />`;
    if (kind === 'cancel') return html`<path class="o" d="M${x - 5} ${y}h10" />`;
    const [name, r] = circles[kind];
    return html`<circle
      class="${`${name}${kind === 'order' && tone === 'waits' ? ' w' : ''}${hollow}`}"
      ${soon}
      cx="${x}"
      cy="${y}"
      r="${round(r * scale)}"
    />`;
  })}`;
}

const circles: Readonly<Record<Exclude<Mark['kind'], 'reject' | 'cancel'>, readonly [name: string, radius: number]>> = {
  order: ['o', 5],
  asked: ['o', 4],
  retry: ['q', 4.5],
  settle: ['s', 6.5],
  return: ['q', 6],
};

/** A row's beginning, which leads to its payment. */
export function linked(row: Row, href: Drawing['href'], content: Html): Html {
  if (href === null) return content;
  return html`<a href="${href(row.paymentId)}">${content}</a>`;
}

/** The handle at now: a slider whose values are the stops. */
export function handle(
  line: Line,
  { isMovable, transform }: { readonly isMovable: boolean; readonly transform: string },
  shape: Html,
): Html | null {
  // The handle of another day would stand at the edge.
  if (!isOnAxis(line.axis, line.now)) return null;
  if (!isMovable || line.stops.length === 0) return html`<g transform="${transform}" aria-hidden="true">${shape}</g>`;
  return html`<g
    class="handle"
    transform="${transform}"
    role="slider"
    tabindex="0"
    aria-label="Bank time"
    aria-valuemin="0"
    aria-valuemax="${line.stops.length}"
    aria-valuenow="0"
    aria-valuetext="${`now, ${momentText(line.now)}`}"
    >${shape}</g
  >`;
}

/** The pattern of closed days; ids differ, as both pictures are on one page. */
function hatch(id: string): Html {
  return html`<defs>
    <pattern id="hatch-${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="hg" width="7" height="7" />
      <path class="hl" d="M0 0V7" />
    </pattern>
  </defs>`;
}

/** Without the blanks between the parts of a picture, which would be a fifth of it. */
function compact({ text }: Html): Html {
  return new Html(text.replaceAll(/\s+/g, ' ').replaceAll('> <', '><'));
}

/** A name as long as there is room; the whole one is its title. */
export function nameOf({ name }: Row, most: number): HtmlValue {
  const shown = clip(name, most);
  return shown === name ? name : html`${shown}<title>${name}</title>`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
