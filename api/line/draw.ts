import { Html, html, type HtmlValue } from '../pages/html.ts';
import { shortDateText, timeText } from '../pages/times.ts';
import { type Axis, type Closure, closureText, shortClosureText } from './axis.ts';
import { type Line, type Mark, momentText, type Row, totalsText, type Way } from './model.ts';
import { lineColours, lineShapes } from './styles.ts';

/* The one drawing function of the line: model in, SVG out. Colours and strokes are those of styles.ts. */

/** What a picture leaves out, and where its rows lead. */
export interface Drawing {
  /** Address of a payment's page; null: rows are no links. */
  readonly href: ((paymentId: string) => string) | null;
  /** Whether rows have the names of payees. */
  readonly isNamed: boolean;
  /** Whether the handle at now can be moved. */
  readonly isMovable: boolean;
}

/** Left out of a picture that is given away: where rows lead, names, and the handle. */
const alone: Drawing = { href: null, isNamed: false, isMovable: false };

/** The colours of a picture that stands alone; `auto`: as its reader's other windows. */
export type Scheme = keyof typeof lineColours | 'auto';

/** The style sheet of a picture that stands alone. */
export function pictureStyles(scheme: Scheme): string {
  const dark = `@media (prefers-color-scheme:dark){.settlement{${lineColours.dark}}}`;
  return `.settlement{${scheme === 'auto' ? lineColours.light : lineColours[scheme]}}${scheme === 'auto' ? dark : ''}${lineShapes}.settlement text.h{font-size:17px;font-weight:650}`;
}

/**
 * The wide picture as a file, with its sentence above it: an SVG with its own styles, light or dark. It has no ids and no account numbers;
 * names of payees only if `isNamed`.
 */
export function pictureOf(line: Line, scheme: Scheme = 'auto', isNamed = false): string {
  const inner = drawWide(line, { ...alone, isNamed }).text;
  const height = Number(/viewBox="0 0 \d+ ([\d.]+)"/.exec(inner)?.[1] ?? 0);
  const [wide, high] = [width + 40, height + 78];
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    class="settlement"
    viewBox="0 0 ${wide} ${high}"
    width="${wide}"
    height="${high}"
    role="img"
  >
    <title>${totalsText(line)}</title>
    ${new Html(`<style>${pictureStyles(scheme)}</style>`)}
    <rect class="paper" width="${wide}" height="${high}" rx="8" />
    <text class="h" x="20" y="32">${totalsText(line)}</text>
    <svg x="20" y="54" width="${width}" height="${height}"${new Html(inner.replace(/^<svg/, ''))}
  </svg>`.text;
}

/** Both pictures of a line; the style sheet shows the one that fits. */
export function drawLine(line: Line, drawing: Drawing): Html {
  return html`${drawWide(line, drawing)} ${drawNarrow(line, drawing)}`;
}

const [width, top] = [1000, 66];
/** Height of a row, and of one among many. */
const [rowHeight, lowRowHeight, fewRows] = [34, 28, 16];
/** Width of a letter of 13 pixels, of one of 12, and of a bold one, in a font that is rather wide. */
const [letter, smallLetter, boldLetter] = [6.9, 6.3, 8.3];
/** Maximum number of letters of a name. */
const maxName = 17;

/** The line with days from left to right. */
export function drawWide(line: Line, { href, isNamed, isMovable }: Drawing): Html {
  const { axis, rows, rest } = line;
  const [left, right] = [isNamed ? 232 : 96, width - 14];
  const x = (at: string): number => round(left + axis.at(at) * (right - left));
  const step = rows.length > fewRows ? lowRowHeight : rowHeight;
  const height = top + rows.length * step + (rest.length > 0 ? 26 : 0) + 12;
  const now = x(line.now);
  const marks = rows.map((row, index) => {
    const y = top + (index + 0.5) * step;
    const label = html`<text class="a" x="84" y="${y + 4.5}">${row.amount}</text> ${
        isNamed && html`<text class="n" x="98" y="${y + 4.5}">${nameOf(row, maxName)}</text>`
      }`;
    return html`<g class="row">
      ${linked(row, href, html`${href !== null && html`<rect class="hit" x="0" y="${y - 14}" width="${left - 8}" height="28" rx="5" />`}${label}`)}
      <g aria-hidden="true"
        >${wideWays(row, x, y)}${marksOf(row, (at) => [x(at), y], line)}${sentenceAt(step === rowHeight ? row : { ...row, asked: null }, x, y)}</g
      >
    </g>`;
  });
  return compact(
    html`<svg
      class="wide"
      viewBox="0 0 ${width} ${height}"
      role="group"
      aria-label="Payments on the days of the bank"
      ${isMovable && html`data-places="${JSON.stringify([now, ...line.stops.map((stop) => x(stop.at))])}"`}
    >
      ${hatch('w')}
      <g aria-hidden="true">
        ${axis.closures.map((closure) => shade(axis, closure, { x, height, id: 'w' }))} ${dayNames(axis, x)}
        <path class="t" d="${axis.runs.map((at) => `M${x(at)} 49v7`).join('')}" />
      </g>
      ${handle(
        line,
        { isMovable, transform: `translate(${now} 0)` },
        html`<path
            class="p"
            d="M0 22V${height}"
          />${isMovable && html`<path class="hit" d="M-9 22h18V${height}h-18z" />`}
          <rect class="pf" x="-57" width="114" height="22" rx="11" />
          <text class="pt" y="15.5">${pillText(line.now)}</text>`,
      )}
      ${marks} ${rest.length > 0 && html`<text class="k" x="${left}" y="${height - 16}">${rest.join('   ')}</text>`}
    </svg>`,
  );
}

/** Whether now is on one of the days that are drawn: the handle of another would stand at their edge. */
function isNowShown({ axis: { columns }, now }: Line): boolean {
  const today = now.slice(0, 10);
  return today >= (columns[0]?.date ?? '') && today <= (columns.at(-1)?.date ?? '');
}

function pillText(now: string): string {
  return `${shortDateText(now.slice(0, 10)).slice(0, 6)} ${timeText(now).slice(0, 5)}`;
}

/** The hatched part of closed days, with why the bank is closed where there is room. */
function shade(
  axis: Axis,
  closure: Closure,
  { x, height, id }: { readonly x: (at: string) => number; readonly height: number; readonly id: string },
): Html {
  const own = axis.columns.filter(({ date }) => date >= closure.from && date <= closure.to);
  const [left, right] = edgesOf(x);
  const edge = (share: number): number => left + share * (right - left);
  const [start, end] = [round(edge(own[0]?.start ?? 0)), round(edge(own.at(-1)?.end ?? 0))];
  const text =
    [closureText(closure), shortClosureText(closure), 'closed', ''].find(
      (each) => each.length * smallLetter < end - start - 6,
    ) ?? '';
  return html`<rect
      class="shut"
      x="${start}"
      y="28"
      width="${round(end - start)}"
      height="${height - 28}"
      fill="url(#hatch-${id})"
    />
    ${text !== '' && html`<text class="c" x="${start + 5}" y="${58}">${text}</text>`}`;
}

/** Where the axis begins and ends. */
function edgesOf(x: (at: string) => number): readonly [left: number, right: number] {
  return [x('0000-01-01'), x('9999-12-31')];
}

/** The names of the days above their columns: as much as fits. */
function dayNames({ columns }: Axis, x: (at: string) => number): Html {
  const [left, right] = edgesOf(x);
  let free = 0;
  return html`${columns.map(({ date, start, end, isClosed }, index) => {
    const [at, room] = [round(left + start * (right - left)), (end - start) * (right - left)];
    const [weekday = '', day = '', month = ''] = shortDateText(date).split(' ');
    const isFirst = index === 0 || day === '1' || day === '01';
    const texts = [
      ...(isFirst ? [`${weekday} ${day} ${month}`] : []),
      ...(isClosed ? [] : [`${weekday} ${day}`]),
      String(Number(day)),
    ];
    const text = at < free ? undefined : texts.find((each) => each.length * boldLetter < room - 4);
    if (text === undefined) return null;
    free = at + text.length * boldLetter;
    return html`<text class="${isClosed ? 'd e' : 'd'}" x="${round(at + Math.min(5, room / 5))}" y="42">${text}</text>`;
  })}`;
}

function wideWays({ ways }: Row, x: (at: string) => number, y: number): Html {
  return waysOf(ways, ({ kind, from, to }) => {
    const [a, b] = [x(from), x(to)];
    if (a === b) return '';
    return isBow(kind) ? `M${a} ${y}Q${round((a + b) / 2)} ${y - 30} ${b} ${y}` : `M${a} ${y}H${b}`;
  });
}

/** Ways of a row, those that look alike in one path. One that lies outside the days has none. */
function waysOf(ways: Row['ways'], pathOf: (way: Way) => string): Html {
  return html`${[...Map.groupBy(ways, ({ kind }) => wayClasses[kind])].map(
    ([name, alike]) => html`<path class="${name}" d="${alike.map(pathOf).join('')}" />`,
  )}`;
}

function isBow(kind: Way['kind']): boolean {
  return kind === 'leap' || kind === 'back';
}

const wayClasses: Readonly<Record<Way['kind'], string>> = {
  wait: 'dot',
  try: 'ln',
  leap: 'arc',
  back: 'arc back',
  open: 'dot',
};

/** The sentence of a row beside its last mark; where there is no room to its right, below the way that leads to it. */
function sentenceAt({ marks, ways, sentence, tone, asked }: Row, x: (at: string) => number, y: number): Html {
  const last = x(marks.at(-1)?.at ?? '');
  const isOpen = ways.some(({ kind }) => kind === 'open');
  const isTight = last + 13 + sentence.length * letter > width;
  const place = isTight
    ? html`x="${Math.min(last + 6, width - 4)}" y="${y + 16}" text-anchor="end"`
    : html`x="${last + 12}" y="${isOpen ? y - 5 : y + 4.5}"`;
  const leap = ways.find(({ kind }) => kind === 'leap');
  const from = leap === undefined || asked === null ? 0 : x(leap.to) - 9 - asked.length * smallLetter;
  const askedAt = leap === undefined ? 0 : Math.min(x(leap.from) + 7, from);
  const isFree = !isTight || askedAt + (asked?.length ?? 0) * smallLetter < last - sentence.length * letter;
  const hasRoom = asked !== null && leap !== undefined && isFree && x(leap.to) - x(leap.from) > 70;
  return html`${hasRoom && html`<text class="k" x="${round(askedAt)}" y="${y + 16}">${asked}</text>`}<text
      class="${`z ${tone}`}"
      ${place}
      >${sentence}</text
    >`;
}

/** The marks of a row. One to come names the stop at which it happens: the script fills it when the handle passes. */
function marksOf(
  { marks, tone }: Row,
  place: (at: string) => readonly [x: number, y: number],
  line: Line,
  scale = 1,
): Html {
  const [first, last] = [line.axis.columns[0]?.date ?? '', line.axis.columns.at(-1)?.date ?? ''];
  const shown = marks.filter(({ at }) => at.slice(0, 10) >= first && at.slice(0, 10) <= last);
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
function linked(row: Row, href: Drawing['href'], content: Html): Html {
  if (href === null) return content;
  return html`<a href="${href(row.paymentId)}">${content}</a>`;
}

/** The handle at now: a slider whose values are the stops. */
function handle(
  line: Line,
  { isMovable, transform }: { readonly isMovable: boolean; readonly transform: string },
  shape: Html,
): Html | null {
  if (!isNowShown(line)) return null;
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
function nameOf({ name }: Row, most: number): HtmlValue {
  const shown = cut(name, most);
  return shown === name ? name : html`${shown}<title>${name}</title>`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const [narrowWidth, gutter, dayHeight, textHeight, slotHeight] = [360, 52, 30, 42, 14] as const;
/** Width of the lanes in which payments go down, together and each at most. */
const [lanesWidth, maxLane] = [84, 15] as const;
const maxLanes = 12;

/** The line with days from top to bottom: each payment goes down in a lane of its own, and its sentence stands where it ends. */
export function drawNarrow(line: Line, { href, isNamed, isMovable }: Drawing): Html {
  const { axis, rows, now, rest } = line;
  const [first, end] = [axis.columns[0]?.date ?? '', axis.columns.at(-1)?.date ?? ''];
  const isShown = (at: string): boolean => at.slice(0, 10) >= first && at.slice(0, 10) <= end;
  // Where the sentence of a row stands: at what it tells, else at its last mark of the window, else at now.
  const textAt = rows.map(
    ({ marks, about }) => [about ?? '', marks.findLast(({ at }) => isShown(at))?.at ?? ''].find(isShown) ?? now,
  );
  // Too many lanes could not be told apart: then each row has its sentence and the mark of which it tells.
  const hasLanes = rows.length <= maxLanes;
  const laneWidth = hasLanes ? Math.min(maxLane, lanesWidth / Math.max(1, rows.length)) : 0;
  const textX = gutter + Math.min(lanesWidth, laneWidth * rows.length) + (hasLanes ? 12 : 22);
  const places = new Map<string, number>();
  const parts: HtmlValue[] = [];
  // Drawn last: no way crosses a name.
  const names: HtmlValue[] = [];
  let y = 6;
  let isQuiet = false;
  let named: Closure | undefined;
  for (const { date, isClosed } of axis.columns) {
    const marked = (hasLanes ? rows : [])
      .flatMap(({ marks }) => marks.map(({ at }) => at))
      .filter((at) => at.slice(0, 10) === date);
    const instants = [...new Set([...marked, ...(now.slice(0, 10) === date ? [now] : []), ...textAt])]
      .filter((at) => at.slice(0, 10) === date)
      .toSorted();
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
      parts.push(
        html`<rect class="shut" x="0" y="${y}" width="${narrowWidth}" height="${inside}" fill="url(#hatch-n)" />`,
      );
      if (name !== '') names.push(html`<text class="c" x="8" y="${y + 16}">${closureRange(closure)} ${name}</text>`);
      y += height;
    } else {
      parts.push(html`<path class="rule" d="M0 ${y}H${narrowWidth}" />`);
      names.push(
        html`<text class="d" x="8" y="${y + 19}">${isQuiet ? `${shortDateText(date)} …` : shortDateText(date)}</text>`,
      );
      y += dayHeight;
    }
    places.set(date, y);
    for (const at of instants) {
      const texts = rows.filter((_row, index) => textAt[index] === at).length;
      const isNow = at === now;
      if (isNow) y += 16;
      places.set(at, y + slotHeight / 2);
      if (isNow) y += 20;
      if (!isNow || texts > 0) {
        if (at.length > 10 && texts > 0)
          parts.push(html`<text class="k" x="8" y="${y + slotHeight / 2 + 4}">${timeText(at).slice(0, 5)}</text>`);
        y += Math.max(slotHeight, texts * textHeight);
      }
    }
  }
  const bottom = y + 8;
  const height = bottom + (rest.length > 0 ? 18 * rest.length + 8 : 0);
  const at = (text: string): number => {
    const known = places.get(text);
    if (known !== undefined) return known;
    if (text.slice(0, 10) > end) return bottom;
    return text.slice(0, 10) < first ? 0 : (places.get(text.slice(0, 10)) ?? bottom);
  };
  const taken = new Map<string, number>();
  const drawn = rows.map((row, index) => {
    const x = round(gutter + (hasLanes ? laneWidth * (index + 0.5) : 7));
    const own = textAt[index] ?? now;
    const nth = taken.get(own) ?? 0;
    taken.set(own, nth + 1);
    // Rows that end together stand one below the other, each mark beside its own.
    const shift = nth * textHeight + (own === now ? 20 : 0);
    const place = (each: string): number => (each === own ? at(each) + shift : at(each));
    const ty = place(own);
    const told = hasLanes ? row : { ...row, ways: [], marks: row.marks.filter((each) => each.at === own) };
    const label = html`<text class="a" x="${textX}" y="${ty + 4}"
        >${row.amount}${isNamed && html`<tspan class="n" dx="7">${nameOf(row, Math.floor((narrowWidth - textX - 7 - row.amount.length * boldLetter) / letter))}</tspan>`}</text
      >
      <text class="${`z ${row.tone}`}" x="${textX}" y="${ty + 20}"
        >${cut(row.brief, Math.floor((narrowWidth - textX) / letter))}</text
      >`;
    const hit =
      href !== null &&
      html`<rect class="hit" x="${textX - 6}" y="${ty - 12}" width="${narrowWidth - textX + 4}" height="38" rx="5" />`;
    return html`<g class="row">
      <g aria-hidden="true"
        >${narrowWays(told, x, place)}<path
          class="lead-in"
          d="M${x + 8} ${ty}H${textX - 4}"
        />${marksOf(told, (each) => [x, round(place(each))], line, hasLanes ? Math.min(1, laneWidth / 13) : 1)}</g
      >
      ${linked(row, href, html`${hit}${label}`)}
    </g>`;
  });
  return compact(
    html`<svg
      class="narrow"
      viewBox="0 0 ${narrowWidth} ${height}"
      role="group"
      aria-label="Payments on the days of the bank"
      ${isMovable && html`data-places="${JSON.stringify([at(now), ...stopPlaces(line, places, bottom)])}"`}
    >
      ${hatch('n')}
      <g aria-hidden="true">${parts}</g>
      ${handle(
        line,
        { isMovable, transform: `translate(0 ${at(now)})` },
        html`<path
            class="p"
            d="M0 0H${narrowWidth}"
          />${isMovable && html`<path class="hit" d="M0 -12H${narrowWidth}V12H0z" />`}
          <rect class="pf" x="${narrowWidth - 116}" y="-11" width="114" height="22" rx="11" />
          <text class="pt" x="${narrowWidth - 59}" y="4.5">${pillText(now)}</text>`,
      )}
      ${drawn}
      <g aria-hidden="true">${names}</g>
      ${rest.map((text, index) => html`<text class="k" x="8" y="${bottom + 16 + index * 18}">${text}</text>`)}
    </svg>`,
  );
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
