import { html, type Html } from '../pages/html.ts';
import { shortDateText } from '../pages/times.ts';
import { type Axis, type Closure, closureText, shortClosureText } from './axis.ts';
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
  smallLetter,
  waysOf,
} from './drawing.ts';
import type { Line, Row } from './model.ts';

/** Width of the drawing, and where its rows begin. */
export const width = 1000;
const top = 66;
/** Height of a row, and of one among many. */
const [rowHeight, lowRowHeight, fewRows] = [34, 28, 16];
/** Maximum number of letters of a name. */
const maxName = 17;

/** The line with days from left to right. */
export function drawWide(line: Line, { href, isNamed, isMovable }: Drawing, attributes: Html | null = null): Html {
  const { axis, rows, rest } = line;
  const [left, right] = [isNamed ? 232 : 96, width - 14];
  const across = (share: number): number => left + share * (right - left);
  const x = (at: string): number => round(across(axis.at(at)));
  const [step, height] = [stepOf(line), heightOf(line)];
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
  const places = isMovable ? [now, ...line.stops.map((stop) => x(stop.at))] : null;
  return framed(
    'wide',
    { width, height, places, attributes },
    html`<g aria-hidden="true">
        ${axis.closures.map((closure) => shade(axis, closure, across, height))} ${dayNames(axis, across)}
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
      ${marks} ${rest.length > 0 && html`<text class="k" x="${left}" y="${height - 16}">${rest.join('   ')}</text>`}`,
  );
}

function stepOf({ rows }: Line): number {
  return rows.length > fewRows ? lowRowHeight : rowHeight;
}

/** The height of the wide drawing of a line. */
export function heightOf(line: Line): number {
  return top + line.rows.length * stepOf(line) + (line.rest.length > 0 ? 26 : 0) + 12;
}

/** The hatched part of closed days, with why the bank is closed where there is room. */
function shade(axis: Axis, closure: Closure, across: (share: number) => number, height: number): Html {
  const own = axis.columns.filter(({ date }) => date >= closure.from && date <= closure.to);
  const [start, end] = [round(across(own[0]?.start ?? 0)), round(across(own.at(-1)?.end ?? 0))];
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
      fill="url(#hatch-wide)"
    />
    ${text !== '' && html`<text class="c" x="${start + 5}" y="58">${text}</text>`}`;
}

/** The names of the days above their columns: as much as fits. */
function dayNames({ columns }: Axis, across: (share: number) => number): Html {
  let free = 0;
  return html`${columns.map(({ date, start, end, isClosed }, index) => {
    const [at, room] = [round(across(start)), across(end) - across(start)];
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
