import { clip } from '../../engine/values/text.ts';
import { Html, html } from '../pages/html.ts';
import { momentText, monthText, shortDateText, timeText } from '../pages/format.ts';
import { type Closure, closureText, isOnAxis, namesEachDay, shortClosureText } from './axis.ts';
import { marksOf, round, type Track, waysOf } from './marks.ts';
import { type Line, type Row, totalsText } from './model.ts';
import { pictureStyles, type Scheme } from './styles.ts';

/*
 * One drawing in two layouts: days go from left to right, and each row has its words at the right of its track, or
 * above it.
 */

/** What a picture leaves out, and where its rows lead. */
interface Drawing {
  /** The address of a payment's page. Null means that rows are no links. */
  readonly href: ((paymentId: string) => string) | null;
  /** Whether rows have the names of payees. */
  readonly isNamed: boolean;
  /** Whether the handle at now can be moved. */
  readonly isMovable: boolean;
}

/** Where the parts of a drawing are, in its own pixels. */
interface Layout {
  readonly name: 'wide' | 'narrow';
  readonly width: number;
  /** Where its tracks begin and end. */
  readonly left: number;
  readonly right: number;
  readonly rowHeight: number;
  /** How far down in its row a track is. */
  readonly track: number;
  /** The words of a row whose top is at `y`. */
  readonly words: (row: Row, y: number, isNamed: boolean) => Html;
}

/** Width of a letter of 13 pixels, of one of 11, and of a bold one, in a font that is rather wide. */
const [letter, smallLetter, boldLetter] = [6.7, 5.8, 8.3];

export const wide: Layout = {
  name: 'wide',
  width: 960,
  left: 8,
  right: 660,
  rowHeight: 36,
  track: 19,
  words: (row, y, isNamed) => wordsOf(row, { x: 684, end: 956, y, isNamed }),
};

/** The words of a row from `x` to `end`, in two lines below `y`: payee and amount, and what happens. */
function wordsOf(
  row: Row,
  { x, end, y, isNamed }: { readonly x: number; readonly end: number; readonly y: number; readonly isNamed: boolean },
): Html {
  const room = end - x - row.amount.length * boldLetter - 16;
  return html`${isNamed && html`<text class="n" x="${x}" y="${y + 15}">${nameOf(row, room)}</text>`}
    <text class="a" x="${isNamed ? end : x}" y="${y + 15}" ${isNamed && html`text-anchor="end"`}>${row.amount}</text>
    <text class="${row.tone}" x="${x}" y="${y + 30}">${fitting(row.brief, end - x)}</text>`;
}

export const narrow: Layout = {
  name: 'narrow',
  width: 360,
  left: 7,
  right: 353,
  rowHeight: 58,
  track: 47,
  words: (row, y, isNamed) => {
    const [x, end] = [4, 356];
    return html`<rect class="paper" y="${y + 1}" width="360" height="33" />${wordsOf(row, { x, end, y, isNamed })}`;
  },
};

/** Both layouts of a line; the style sheet shows the one that fits. */
export function drawLine(line: Line, drawing: Drawing): Html {
  return html`${draw(line, wide, drawing)} ${draw(line, narrow, drawing)}`;
}

/**
 * How far down the parts of the head are, and its height: months, days, counts of runs, runs, their times and closures,
 * now.
 */
const head = { months: 12, days: 29, counts: 41, runs: 44, times: 54, closures: 66, now: 82, height: 128 } as const;
/** Rows after which the days are named again. */
const rowsOfPage = 25;
const pageHead = 24;

function heightOf({ rows, rest }: Line, { rowHeight }: Layout): number {
  const pages = Math.max(0, Math.ceil(rows.length / rowsOfPage) - 1);
  return head.height + rows.length * rowHeight + pages * pageHead + rest.length * 18 + 8;
}

/** How far down a row begins, by its index. */
function topOf(index: number, { rowHeight }: Layout): number {
  return head.height + index * rowHeight + Math.floor(index / rowsOfPage) * pageHead;
}

export function draw(line: Line, layout: Layout, drawing: Drawing, attributes: Html | null = null): Html {
  const { axis, rows, rest, stops } = line;
  const { name, width, left, right } = layout;
  const { href, isNamed, isMovable } = drawing;
  const across = (share: number): number => round(left + share * (right - left));
  const x = (at: string): number => across(axis.at(at));
  const height = heightOf(line, layout);
  // What has no row stands below the days.
  const bottom = height - rest.length * 18 - 8;
  const days = dayNames(line, across);
  const drawn = rows.map((row, index) => {
    const y = topOf(index, layout);
    const track: Track = { y: y + layout.track, x, end: right, size: sizeOf(line, x) };
    const content = html`${href !== null && html`<rect class="hit" y="${y}" width="${width}" height="${layout.rowHeight}" />`}
      ${layout.words(row, y, isNamed)}
      <g aria-hidden="true"
        >${waysOf(row, track)}${marksOf(row, line, track)}${row.earlier > 0 && html`<text class="k" x="${left}" y="${track.y - 8}">${row.earlier} earlier</text>`}</g
      >`;
    return html`${index > 0 && index % rowsOfPage === 0 && html`<g aria-hidden="true" transform="translate(0 ${y - 8})"><rect class="paper" y="${9 - pageHead}" width="${width}" height="${pageHead - 2}" />${days}</g>`}
    ${href === null ? content : html`<a href="${href(row.paymentId)}">${content}</a>`}`;
  });
  const places = isMovable && html`data-places="${JSON.stringify([x(line.now), ...stops.map(({ at }) => x(at))])}"`;
  // Without the blanks between the parts of a picture, which would be a fifth of it.
  return compact(
    html`<svg
      ${attributes}
      class="${name}"
      viewBox="0 0 ${width} ${height}"
      role="group"
      aria-label="${totalsText(line)}"
      ${places}
    >
      <defs>
        <pattern id="hatch-${name}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hg" width="7" height="7" />
          <path class="hl" d="M0 0V7" />
        </pattern>
      </defs>
      <g aria-hidden="true">
        ${axis.closures.map((closure) => shade(line, closure, { across, height: bottom, name }))}
        <path class="rule" d="${rules(line, layout, across, bottom)}" />
        ${monthNames(line, across)}
        <g transform="translate(0 ${head.days})">${days}</g>
        ${runTicks(line, x)}
      </g>
      ${atNow(line, { name, x: x(line.now), width, height: bottom, isMovable }, drawn)}
      ${rest.map((text, index) => html`<text class="k" x="${left}" y="${height - 12 - index * 18}">${text}</text>`)}
    </svg>`,
  );
}

/** Distance of two runs of a day on a picture. */
function runGap({ axis: { runs } }: Line, x: (at: string) => number): number {
  const gaps = runs.slice(1).map((at, index) => x(at) - x(runs[index] ?? at));
  return Math.min(...gaps, 20);
}

/** The size of marks: those of runs one after the other do not hide each other. */
function sizeOf(line: Line, x: (at: string) => number): number {
  return Math.min(1, Math.max(0.6, runGap(line, x) / 9));
}

/** Lines between days, and between rows. */
function rules({ axis, rows }: Line, layout: Layout, across: (share: number) => number, height: number): string {
  const days = axis.columns
    .filter(({ isClosed }, index) => index > 0 && !isClosed)
    .map(({ start }) => `M${across(start)} ${head.runs}V${height}`);
  const lines = rows.map((_row, index) => `M0 ${topOf(index, layout)}H${layout.width}`);
  return [...(namesEachDay(axis) ? days : []), ...lines].join('');
}

/** The hatched part of closed days, with why the bank is closed where there is room. */
function shade(
  { axis }: Line,
  { from, to, ...closure }: Closure,
  {
    across,
    height,
    name,
  }: { readonly across: (share: number) => number; readonly height: number; readonly name: string },
): Html | null {
  const own = axis.columns.filter(({ date }) => date >= from && date <= to);
  const [start, end] = [across(own[0]?.start ?? 0), across(own.at(-1)?.end ?? 0)];
  const names = [closureText, shortClosureText].map((of) => of({ from, to, ...closure }));
  const text = [...names, 'closed'].find((each) => each.length * smallLetter < end - start - 6);
  return html`<rect
      x="${start}"
      y="${head.runs}"
      width="${round(end - start)}"
      height="${height - head.runs}"
      fill="url(#hatch-${name})"
    />
    ${text !== undefined && html`<text class="c" x="${start + 4}" y="${head.closures}">${text}</text>`}`;
}

/** The months above the days: as much as fits. */
function monthNames({ axis: { columns } }: Line, across: (share: number) => number): Html {
  const firsts = columns.filter(({ date }, index) => index === 0 || date.endsWith('-01'));
  return html`${firsts.map(({ date, start }, index) => {
    const room = across(firsts[index + 1]?.start ?? 1) - across(start);
    const month = monthText(date);
    const [name = ''] = month.split(' ');
    const texts = [...(index === 0 || date.slice(5, 7) === '01' ? [month] : []), name, name.slice(0, 3)];
    const text = texts.find((each) => each.length * letter + 10 < room);
    return text !== undefined && html`<text class="m" x="${across(start) + 2}" y="${head.months}">${text}</text>`;
  })}`;
}

/** The days above their columns: each banking day of a few, else each Monday, and closed days where there is room. */
function dayNames({ axis }: Line, across: (share: number) => number): Html {
  const all = namesEachDay(axis);
  return html`${axis.columns.map(({ date, start, end, isClosed }, index) => {
    const [weekday = '', day = ''] = shortDateText(date).split(' ');
    const isMonday = weekday === 'Mon';
    if (!all && !isMonday) return null;
    const next = all ? end : (axis.columns[index + 7]?.start ?? 1);
    const [at, room] = [across(start), across(next) - across(start)];
    const number = String(Number(day));
    const isSmall = room < number.length * boldLetter + 5;
    if (isClosed && all && room < number.length * smallLetter) return null;
    const text = !isClosed && `${weekday} ${number}`.length * boldLetter < room - 2 ? `${weekday} ${number}` : number;
    return html`<text class="${`d${isClosed ? ' e' : ''}${isSmall ? ' l' : ''}`}" x="${round(at + (isSmall ? 1 : 3))}"
      >${text}</text
    >`;
  })}`;
}

/** Width that a time needs between two ticks, and a digit of a count. */
const [timeRoom, digit] = [8.5, 6.2] as const;

/** The runs of each day with their times, and how many payments each tries, where there is room. */
function runTicks(line: Line, x: (at: string) => number): Html {
  const { axis, counts } = line;
  const hasRoom = runGap(line, x) >= timeRoom;
  const byDay = [...Map.groupBy(axis.runs, (at) => at.slice(0, 10)).values()];
  let free = 0;
  const numbers = [...counts].toSorted(([one], [other]) => Date.parse(one) - Date.parse(other));
  return html`${byDay.map((runs, day) => {
    const ticks = namesEachDay(axis) ? runs : runs.slice(0, 1);
    const times = runs.map((at) => timeText(at).slice(0, 5));
    return html`<g class="${day === 0 ? 'day first' : 'day'}"
      ><title>${shortDateText(runs[0]?.slice(0, 10) ?? '')}: ${times.join(', ')}</title
      ><path
        class="t"
        d="${ticks.map((at) => `M${x(at)} ${head.runs}v7`).join('')}"
      />${hasRoom && runs.map((at, index) => html`<text class="h" transform="translate(${round(x(at) + 3)} ${head.times + 24})rotate(-90)">${times[index] ?? ''}</text>`)}</g
    >`;
  })}
  ${numbers.map(([at, count]) => {
    const [from, room] = [x(at) - (String(count).length * digit) / 2, String(count).length * digit];
    if (!isOnAxis(axis, at) || from < free) return null;
    free = from + room + digit;
    return html`<text class="k u" x="${x(at)}" y="${head.counts}">${count}</text>`;
  })}`;
}

/** Half the width of the pill on the handle. */
const halfPill = 74;

interface Now {
  readonly name: Layout['name'];
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly isMovable: boolean;
}

/**
 * The rows, on the line at now and below its handle: a slider whose values are the stops, with what happens until a
 * stop beside it.
 */
function atNow(line: Line, { name, x, width, height, isMovable }: Now, rows: readonly Html[]): Html {
  // The handle of another day would stand at the edge.
  if (!isOnAxis(line.axis, line.now)) return html`${rows}`;
  const place = html`transform="translate(${x} 0)"`;
  // At an edge the pill stays on the picture.
  const half = halfPill + 1;
  const shift = round(Math.min(0, width - x - half) + Math.max(0, half - x));
  const shape = (more: Html | null): Html =>
    html`<g class="pill" transform="translate(${shift} 0)"
      ><rect class="pf" x="${-halfPill}" y="${head.now}" width="${2 * halfPill}" height="22" rx="11" /><text
        class="pt"
        y="${head.now + 15.5}"
        >${momentText(line.now)}</text
      >${more}</g
    >`;
  const canMove = isMovable && line.stops.length > 0;
  return html`<path class="p at-now" ${place} aria-hidden="true" d="M0 ${head.now}V${height}" /> ${rows}
    ${
      canMove
        ? html`<g
            class="handle at-now"
            id="handle-${name}"
            ${place}
            role="slider"
            tabindex="0"
            aria-label="Bank time"
            aria-valuemin="0"
            aria-valuemax="${line.stops.length}"
            aria-valuenow="0"
            aria-valuetext="${`now, ${momentText(line.now)}`}"
            ><path
              class="hit"
              d="M-12 ${head.now - 10}h24V${height}h-24z"
            />${shape(html`<text class="told" y="${head.now + 37}" aria-hidden="true"></text>`)}</g
          >`
        : html`<g ${place} aria-hidden="true">${shape(null)}</g>`
    }`;
}

function compact({ text }: Html): Html {
  return new Html(
    text
      .replaceAll(/[ \n]+/g, ' ')
      .replaceAll('> <', '><')
      .replaceAll(' >', '>'),
  );
}

/** As many parts of a sentence as there is room for, in pixels. */
function fitting(sentence: string, room: number): string {
  const most = Math.floor(room / letter);
  const end = sentence.length > most ? sentence.lastIndexOf(', ') : -1;
  return end < 0 ? clip(sentence, most) : fitting(sentence.slice(0, end), room);
}

/** A name as long as there is room, with what tells its row apart; the whole name is its title. */
function nameOf({ name, apart }: Row, room: number): Html {
  const more = apart === '' ? '' : `, ${apart}`;
  const shown = clip(name, Math.max(4, Math.floor(room / letter) - more.length));
  return html`${shown}${more}${shown !== name && html`<title>${name}</title>`}`;
}

/**
 * The wide picture as a file, with its sentence above it: an SVG with its own styles, light or dark. It has no ids and
 * no account numbers, names of payees only if `isNamed`, and nothing to click or to move.
 */
export function pictureOf(line: Line, scheme: Scheme, isNamed = false): string {
  const height = heightOf(line, wide);
  const [wholeWidth, wholeHeight] = [wide.width + 40, height + 78];
  const place = html`x="20" y="54" width="${wide.width}" height="${height}"`;
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    class="settlement"
    viewBox="0 0 ${wholeWidth} ${wholeHeight}"
    width="${wholeWidth}"
    height="${wholeHeight}"
    role="img"
  >
    <title>${totalsText(line)}</title>
    ${new Html(`<style>${pictureStyles(scheme)}</style>`)}
    <rect class="paper" width="${wholeWidth}" height="${wholeHeight}" rx="8" />
    <text class="h1" x="20" y="32">${totalsText(line)}</text>
    ${draw(line, wide, { href: null, isNamed, isMovable: false }, place)}
  </svg>`.text;
}
