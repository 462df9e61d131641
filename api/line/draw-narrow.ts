import { clip } from '../../engine/values/text.ts';
import { html, type Html } from '../pages/html.ts';
import { shortDateText, timeText } from '../pages/times.ts';
import { type Closure, closureText, isOnAxis } from './axis.ts';
import {
  boldLetter,
  type Drawing,
  framed,
  handle,
  isBow,
  letter,
  linked,
  marksOf,
  nameOf,
  pillText,
  round,
  waysOf,
} from './drawing.ts';
import type { Line, Row } from './model.ts';

const [width, gutter, dayHeight, textHeight, slotHeight] = [360, 52, 30, 42, 14] as const;
/** Width of the lanes in which payments go down, together and each at most. */
const [lanesWidth, maxLane] = [84, 15] as const;
const maxLanes = 12;

/** The line with days from top to bottom: each payment goes down in a lane of its own, and its sentence stands where it ends. */
export function drawNarrow(line: Line, { href, isNamed, isMovable }: Drawing): Html {
  const { axis, rows, now, rest } = line;
  // Where the sentence of a row stands: at what it tells, else at its last mark of the window, else at now.
  const textAt = rows.map(
    ({ marks, about }) =>
      [about ?? '', marks.findLast(({ at }) => isOnAxis(axis, at))?.at ?? ''].find((at) => isOnAxis(axis, at)) ?? now,
  );
  // Too many lanes could not be told apart: then each row has its sentence and the mark of which it tells.
  const hasLanes = rows.length <= maxLanes;
  const laneWidth = hasLanes ? Math.min(maxLane, lanesWidth / Math.max(1, rows.length)) : 0;
  const textX = gutter + Math.min(lanesWidth, laneWidth * rows.length) + (hasLanes ? 12 : 22);
  const { places, bottom, shapes, names } = daysDown(line, textAt, hasLanes);
  const height = bottom + (rest.length > 0 ? 18 * rest.length + 8 : 0);
  const at = (text: string): number => placeOf(line, places, bottom, text);
  const taken = new Map<string, number>();
  const drawn = rows.map((row, index) => {
    const x = round(gutter + (hasLanes ? laneWidth * (index + 0.5) : 7));
    const own = textAt[index] ?? now;
    const nth = taken.get(own) ?? 0;
    taken.set(own, nth + 1);
    // Rows that end together stand one below the other, each mark beside its own.
    const shift = nth * textHeight + (own === now ? 20 : 0);
    const place = (each: string): number => (each === own ? at(each) + shift : at(each));
    const y = place(own);
    const told = hasLanes ? row : { ...row, ways: [], marks: row.marks.filter((each) => each.at === own) };
    const label = html`<text class="a" x="${textX}" y="${y + 4}"
        >${row.amount}${isNamed && html`<tspan class="n" dx="7">${nameOf(row, Math.floor((width - textX - 7 - row.amount.length * boldLetter) / letter))}</tspan>`}</text
      >
      <text class="${`z ${row.tone}`}" x="${textX}" y="${y + 20}"
        >${clip(row.brief, Math.floor((width - textX) / letter))}</text
      >`;
    const hit =
      href !== null &&
      html`<rect class="hit" x="${textX - 6}" y="${y - 12}" width="${width - textX + 4}" height="38" rx="5" />`;
    return html`<g class="row">
      <g aria-hidden="true"
        >${narrowWays(told, x, place)}<path
          class="lead-in"
          d="M${x + 8} ${y}H${textX - 4}"
        />${marksOf(told, (each) => [x, round(place(each))], line, hasLanes ? Math.min(1, laneWidth / 13) : 1)}</g
      >
      ${linked(row, href, html`${hit}${label}`)}
    </g>`;
  });
  return framed(
    'narrow',
    { width, height, places: isMovable ? [at(now), ...stopPlaces(line, places, bottom)] : null },
    html`<g aria-hidden="true">${shapes}</g>
      ${handle(
        line,
        { isMovable, transform: `translate(0 ${at(now)})` },
        html`<path class="p" d="M0 0H${width}" />${isMovable && html`<path class="hit" d="M0 -12H${width}V12H0z" />`}
          <rect class="pf" x="${width - 116}" y="-11" width="114" height="22" rx="11" />
          <text class="pt" x="${width - 59}" y="4.5">${pillText(now)}</text>`,
      )}
      ${drawn}
      <g aria-hidden="true">${names}</g>
      ${rest.map((text, index) => html`<text class="k" x="8" y="${bottom + 16 + index * 18}">${text}</text>`)}`,
  );
}

/** The days of the narrow drawing from its top down. */
interface Days {
  /** How far down each instant and day is that has a mark or a sentence. */
  readonly places: ReadonlyMap<string, number>;
  readonly bottom: number;
  readonly shapes: readonly Html[];
  /** Names of days and closures. They are drawn last, so that no way crosses them. */
  readonly names: readonly Html[];
}

/** Lays the days down. Of quiet days in a row, on which nothing happens, the first stands for all. */
function daysDown({ axis, rows, now }: Line, textAt: readonly string[], hasLanes: boolean): Days {
  const places = new Map<string, number>();
  const shapes: Html[] = [];
  const names: Html[] = [];
  const marked = hasLanes ? rows.flatMap(({ marks }) => marks.map(({ at }) => at)) : [];
  const told = [...new Set([...marked, now, ...textAt])];
  let y = 6;
  let isQuiet = false;
  let named: Closure | undefined;
  for (const { date, isClosed } of axis.columns) {
    const instants = told.filter((at) => at.slice(0, 10) === date).toSorted();
    if (instants.length === 0 && isQuiet) {
      places.set(date, y);
      continue;
    }
    const closure = axis.closures.find(({ from, to }) => date >= from && date <= to);
    isQuiet = instants.length === 0 && !isClosed;
    if (isClosed) {
      // Its first days may be among those that are left out.
      const name = closure !== undefined && closure !== named ? closureText(closure) : '';
      named = closure;
      const height = name === '' ? 10 : 24;
      const inside = instants.length * slotHeight + height;
      shapes.push(
        html`<rect class="shut" x="0" y="${y}" width="${width}" height="${inside}" fill="url(#hatch-narrow)" />`,
      );
      if (name !== '') names.push(html`<text class="c" x="8" y="${y + 16}">${closureRange(closure)} ${name}</text>`);
      y += height;
    } else {
      shapes.push(html`<path class="rule" d="M0 ${y}H${width}" />`);
      names.push(
        html`<text class="d" x="8" y="${y + 19}">${isQuiet ? `${shortDateText(date)} …` : shortDateText(date)}</text>`,
      );
      y += dayHeight;
    }
    places.set(date, y);
    for (const at of instants) {
      const texts = textAt.filter((each) => each === at).length;
      const isNow = at === now;
      if (isNow) y += 16;
      places.set(at, y + slotHeight / 2);
      if (isNow) y += 20;
      if (isNow && texts === 0) continue;
      if (at.length > 10 && texts > 0)
        shapes.push(html`<text class="k" x="8" y="${y + slotHeight / 2 + 4}">${timeText(at).slice(0, 5)}</text>`);
      y += Math.max(slotHeight, texts * textHeight);
    }
  }
  return { places, bottom: y + 8, shapes, names };
}

/** How far down an instant is: one outside the days at the edge, one without a place of its own at its day. */
function placeOf({ axis }: Line, places: Days['places'], bottom: number, at: string): number {
  const known = places.get(at);
  if (known !== undefined) return known;
  const date = at.slice(0, 10);
  return date < (axis.columns[0]?.date ?? '') ? 0 : (places.get(date) ?? bottom);
}

/** Where the stops are: between the marks before and after them. */
function stopPlaces({ now, stops }: Line, places: ReadonlyMap<string, number>, bottom: number): number[] {
  const known = [...places].toSorted(([one], [other]) => keyOf(one) - keyOf(other));
  return stops.map(({ at }) => {
    const [before, place] = known.findLast(([each]) => keyOf(each) <= keyOf(at)) ?? [now, 0];
    if (before === at) return round(place);
    const [after, next] = known.find(([each]) => keyOf(each) > keyOf(at)) ?? [null, bottom];
    const end = after === null ? keyOf(at) + 86_400_000 : keyOf(after);
    return round(place + ((next - place) * (keyOf(at) - keyOf(before))) / (end - keyOf(before)));
  });
}

function keyOf(at: string): number {
  return Date.parse(at);
}

function narrowWays({ ways }: Row, x: number, place: (at: string) => number): Html {
  return waysOf(ways, ({ kind, from, to }) => {
    const [a, b] = [place(from), place(to)].map(round) as [number, number];
    if (a === b) return '';
    return isBow(kind) ? `M${x} ${a}Q${x + 22} ${round((a + b) / 2)} ${x} ${b}` : `M${x} ${a}V${b}`;
  });
}

/** `25-29`, or `25` for one day. */
function closureRange(closure: Closure | undefined): string {
  if (closure === undefined) return '';
  const [from, to] = [closure.from, closure.to].map((date) => String(Number(date.slice(8))));
  return from === to ? String(from) : `${from}–${to}`;
}
