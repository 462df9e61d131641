import { html, type Html } from '../pages/html.ts';
import { isOnAxis } from './axis.ts';
import type { Line, Mark, Row, Way } from './model.ts';

/* What a row of the line draws on its track. Colours and strokes are those of styles.ts. */

/**
 * Where a row has its track: how far down it is, how far right an instant is, the track's end, and the size of its
 * marks, 1 or less.
 */
export interface Track {
  readonly y: number;
  readonly x: (at: string) => number;
  readonly end: number;
  readonly size: number;
}

/** Length of a way that waits for a person, and how high a bow rises. */
const [stub, rise] = [16, 24] as const;

const wayClasses: Readonly<Record<Way['kind'], string>> = {
  wait: 'dot',
  try: 'ln',
  leap: 'arc',
  back: 'arc back',
  stub: 'stub',
  on: 'dot',
};

/** Ways of a row, those that look alike in one path. One that lies outside the days has none. */
export function waysOf({ ways }: Row, track: Track): Html {
  const alike = [...Map.groupBy(ways, ({ kind }) => wayClasses[kind])];
  return html`${alike.map(([name, own]) => {
    const path = own.map((way) => pathOf(way, track)).join('');
    return path !== '' && html`<path class="${name}" d="${path}" />`;
  })}${ways.some(({ kind }) => kind === 'on') && html`<path class="tip" d="M${track.end} ${track.y}l-8 -5v10z" />`}`;
}

/** A stub ends in an open socket, what goes on after the window in an arrow. */
function pathOf({ kind, from, to }: Way, { x, y, end }: Track): string {
  const [a, b] = [x(from), x(to)];
  if (kind === 'stub') return `M${a} ${y}h${stub}m6 -6a6 6 0 0 0 0 12`;
  if (kind === 'on') return `M${a} ${y}H${end - 8}`;
  if (a === b) return '';
  return kind === 'leap' || kind === 'back'
    ? `M${a} ${y}Q${round((a + b) / 2)} ${y - rise} ${b} ${y}`
    : `M${a} ${y}H${b}`;
}

const circles = {
  order: ['o', 4.5],
  retry: ['q', 4.5],
  settle: ['s', 6.5],
} as const satisfies Partial<Record<Mark['kind'], readonly [name: string, radius: number]>>;

/** Marks that are no circles, around the place where they begin. */
const shapes = {
  asked: ['o', 'm-5 0l5 -5l5 5l-5 5z'],
  cancel: ['v', 'm0 -6v12'],
  reject: ['x', 'm-5 -5l10 10m0 -10l-10 10'],
  return: ['b', 'm-7 0l11 -6.5v13z'],
} as const satisfies Partial<Record<Mark['kind'], readonly [name: string, path: string]>>;

/** The marks of a row. One to come names the stop at which it happens: the script fills it when the handle passes. */
export function marksOf({ marks }: Row, line: Line, { x: across, y, size }: Track): Html {
  const shown = marks.filter(({ at }) => isOnAxis(line.axis, at));
  return html`${shown.map(({ kind, at, isSolid }) => {
    const x = across(at);
    const stop = isSolid ? -1 : line.stops.findIndex((each) => each.at >= at);
    const soon = stop >= 0 && html` data-stop="${stop}"`;
    const hollow = isSolid ? '' : ' f';
    if (kind in shapes) {
      const [name, path] = shapes[kind as keyof typeof shapes];
      return html`<path class="${name}${hollow}" ${soon} d="M${x} ${y}${path}" />`;
    }
    const [name, r] = circles[kind as keyof typeof circles];
    return html`<circle class="${name}${hollow}" ${soon} cx="${x}" cy="${y}" r="${round(r * size)}" />`;
  })}`;
}

/** Rounds to a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
