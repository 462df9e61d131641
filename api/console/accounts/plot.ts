import { epochDay, fromEpochDay, localDate } from '../../../engine/values/local-date.ts';
import { type Currency, formattedAmount } from '../../../engine/values/money.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import { formatsIn } from '../../pages/format.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { table } from '../parts/tables.ts';
import { amountText, shortAmount } from '../parts/text.ts';
import { date, dateText } from '../parts/times.ts';
import { type BalanceCourse, type Mark, minorOf, type Step } from './balance-course.ts';
import { dateLabelsOf, reduced, scaleOf } from './scales.ts';

/*
 * The plot is SVG drawn by the server: its lines of steps need no library, nothing more is loaded, and it is there without
 * JavaScript. The lines are stretched to the width of the page; the words are not, so that they can be read on a narrow screen.
 */

interface Plot {
  readonly course: BalanceCourse;
  readonly currency: Currency;
  /** Whose balance it is. */
  readonly name: string;
  /** Events that the curve marks, past and to come. */
  readonly marks?: readonly Mark[];
  /** Booked entries, the oldest first. */
  readonly entries?: Entries;
}

type Entries = AnswerTo<'GET /accounts/:number'>['entries'];

/** Width and height of the lines in coordinates of their own. */
const size = 1000;
/** Heights in pixels: of the lines, and of the room above and below them. */
const [height, above, below] = [220, 26, 42];
/** Maximum number of stretches of a line. */
const stretches = 250;
/** Maximum number of days in the table of figures. */
const maxDays = 31;
/** Maximum number of stretches that the slider stops at. */
const maxStops = 400;
/** Maximum number of events that are marked. */
const maxMarks = 300;
/** Width of a digit of a label, in pixels. */
const digit = 7;

/** Places in the plot: from the left and from the bottom, 0 to 1. */
interface Places {
  readonly across: (day: number) => number;
  readonly up: (minor: bigint) => number;
}

/** The course of the balances of an account as a figure, with the figures in a table. */
export function plot({ course, currency, name, marks = [], entries = [] }: Plot): Html {
  const { from, to, now, booked, available, forecast } = course;
  const past = Math.min(now, to);
  const scale = scaleOf([booked, available, forecast].flatMap((steps) => steps.map(({ minor }) => minor)));
  const across = (day: number): number => (to === from ? 0 : Math.min(1, Math.max(0, (day - from) / (to - from))));
  const up = (minor: bigint): number => Number(minor - scale.bottom) / Number(scale.top - scale.bottom);
  const places = { across, up };
  const amount: AmountText = (minor) => amountText(formattedAmount({ minor, currency }));
  const ticks = scale.ticks.map((minor) => {
    const text = formatsIn('en').number(formattedAmount({ minor, currency }).amount.replace(/\.0+$/, ''));
    return { minor, text, y: yOf(up(minor)) };
  });
  const gutter = digit * Math.max(currency.length, ...ticks.map(({ text }) => text.length)) + 10;
  const low = lowestOf(course);
  const line = (steps: readonly Step[], end: number): string => pathOf(reduced(steps, course, stretches), end, places);
  return html`<figure class="plot">
    <figcaption>
      ${key('booked', 'Booked')} ${key('available', 'Available')}
      ${forecast.length > 0 && key('forecast', 'Available by the forecast')}
      ${marks.length > 0 && html`<span class="key">${dot('income')} income</span><span class="key">${dot('dip')} bill or payment</span>`}
      ${marks.some(({ isShort }) => isShort) && html`<span class="key">${dot('short')} short of funds</span>`}
      <span class="key">${dot('lowest')} lowest: ${amount(low.minor)}, ${dayText(low.day)}</span>
    </figcaption>
    <div class="stage">
      <svg width="${gutter}" height="${above + height + below}" aria-hidden="true">
        <text x="0" y="${above - 12}">${currency}</text>
        ${ticks.map(({ text, y }) => html`<text x="${gutter - 8}" y="${y + 4}" text-anchor="end">${text}</text>`)}
      </svg>
      <div class="course">
        <svg width="100%" height="${above + height + below}" role="img" aria-label="${spoken(name, course, amount)}">
          ${ahead(course, across)}
          ${ticks.map(({ minor, y }) => html`<line class="${minor === 0n ? 'zero' : 'grid'}" x1="0" x2="100%" y1="${y}" y2="${y}" />`)}
          ${dateLabels(course, across)}
          <svg y="${above}" width="100%" height="${height}" viewBox="0 0 ${size} ${size}" preserveAspectRatio="none">
            <path class="area" d="${line(booked, past)}V${size * 2}H0Z" />
            <path class="booked" d="${line(booked, past)}" />
            <path class="available" d="${line(available, past)}" />
            ${forecast.length > 0 && html`<path class="forecast" d="${line(forecast, to)}" />`}
          </svg>
          ${marks.slice(0, maxMarks).map((each) => markOf(course, each, places))}
          <circle class="lowest" cx="${percent(across(low.day))}" cy="${yOf(up(low.minor))}" r="5" />
          <line data-slide y1="${above}" y2="${above + height}" visibility="hidden" />
        </svg>
        ${slider(course, marks, entries, amount)}
      </div>
    </div>
    ${figures(course, amount)}
  </figure>`;
}

function key(kind: 'booked' | 'available' | 'forecast', words: string): Html {
  return html`<span class="key"
    ><svg width="24" height="12" aria-hidden="true">
      ${kind === 'booked' && html`<path class="area" d="M1 4H23V14H1Z" />`}
      <path class="${kind}" d="M1 4H23" />
    </svg>
    ${words}</span
  >`;
}

function dot(tone: Tone | 'lowest'): Html {
  return html`<svg width="10" height="10" aria-hidden="true"><circle class="${tone}" cx="5" cy="5" r="4" /></svg>`;
}

/** Pixels from the top. */
function yOf(up: number): number {
  return Math.round((above + (1 - up) * height) * 10) / 10;
}

/** The balance of a line at a moment. */
function levelAt(steps: readonly Step[], day: number): bigint {
  return (steps.findLast((step) => step.day <= day) ?? steps[0] ?? zero).minor;
}

type Tone = 'income' | 'dip' | 'short';

/** A dot for an event: a past one on the booked line, a future one on the forecast. */
function markOf({ now, booked, forecast }: BalanceCourse, mark: Mark, { across, up }: Places): Html {
  const { day, words, amount, isShort } = mark;
  const level = levelAt(day < now || forecast.length === 0 ? booked : forecast, day);
  const tone: Tone = isShort ? 'short' : minorOf(amount) < 0n ? 'dip' : 'income';
  return html`<circle class="${tone}" cx="${percent(across(day))}" cy="${yOf(up(level))}" r="3.5">
    <title>${dayText(day)}: ${words} ${amountText(amount)}</title>
  </circle>`;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** The step with the lowest available balance, past or forecast. */
function lowestOf({ available, forecast }: BalanceCourse): Step {
  const steps = [...available, ...forecast];
  return steps.reduce((known, step) => (step.minor < known.minor ? step : known), steps[0] ?? zero);
}

/** Shades the days after the bank time, and marks it with a line. */
function ahead({ from, to, now }: BalanceCourse, across: Places['across']): HtmlValue {
  if (now <= from || now >= to) return null;
  const [x, rest] = [percent(across(now)), 1 - across(now)];
  return html`<rect class="ahead" x="${x}" y="${above - 16}" width="${percent(rest)}" height="${height + 16}" />
    <line class="now" x1="${x}" x2="${x}" y1="${above - 16}" y2="${above + height}" />
    <text
      class="now"
      x="${x}"
      y="${above - 5}"
      dx="${rest < 0.1 ? -5 : 5}"
      text-anchor="${rest < 0.1 ? 'end' : 'start'}"
      >now</text
    >`;
}

/**
 * A slider over the plot, which the script shows. Each stop says what was booked and available, and the largest event. A long period has a
 * stop for several days.
 */
function slider(course: BalanceCourse, marks: readonly Mark[], entries: Entries, amount: AmountText): Html {
  const { from, to, now, booked, available, forecast } = course;
  const first = Math.floor(from);
  const days = Math.max(1, Math.ceil((Math.ceil(to) - first) / maxStops));
  const stopOf = (day: number): number => Math.floor((Math.floor(day) - first) / days);
  const events = [
    ...entries.map((each) => ({ ...each, day: epochDay(localDate(each.bookingDate)), words: each.text })),
    ...marks.filter(({ day }) => day >= now),
  ];
  const byStop = Map.groupBy(events, ({ day }) => stopOf(day));
  const stops = Array.from({ length: stopOf(Math.ceil(to) - 1) + 1 }, (_, index) => {
    const day = first + index * days;
    // A moment before the next stop.
    const end = day + days - 1e-6;
    const on = (byStop.get(index) ?? []).toSorted((one, other) => sizeOf(other.amount) - sizeOf(one.amount));
    const [most] = on;
    return [
      dayText(day),
      day > now ? '' : `${amount(levelAt(booked, end))} booked`,
      `${amount(levelAt(day >= Math.floor(now) && forecast.length > 0 ? forecast : available, end))} available`,
      ...(most === undefined ? [] : [`${most.words} ${shortAmount(most.amount)}`]),
      ...(on.length > 1 ? [`and ${on.length - 1} more`] : []),
    ]
      .filter(Boolean)
      .join('; ');
  });
  return html`<div class="slide">
    <input
      type="range"
      min="0"
      max="${stops.length - 1}"
      value="${Math.min(stops.length - 1, Math.max(0, stopOf(now)))}"
      aria-label="A day of the curve"
      data-days="${JSON.stringify(stops)}"
    />
    <output></output>
  </div>`;
}

function sizeOf({ amount }: { readonly amount: string }): number {
  return Math.abs(Number(amount));
}

/** A path of steps: level until the next one. */
function pathOf(steps: readonly Step[], end: number, { across, up }: Places): string {
  const at = (share: number): string => String(Math.round(share * size));
  const drawn = steps.map(({ day, minor }, index) => {
    const [x, y] = [at(across(day)), at(1 - up(minor))];
    return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  return `${drawn.join('')}H${at(across(end))}`;
}

function dateLabels({ from, to }: BalanceCourse, across: Places['across']): HtmlValue {
  const y = above + height + 18;
  return dateLabelsOf(from, to).map(({ day, text, year, isSpare }) => {
    const x = percent(across(day));
    // A label has no room at the edge. On a narrow screen, labels of the last fifth have none.
    const width = across(day) > 0.8 && 'spare';
    const words = across(day) < 0.97 && html`<text class="${width}" x="${x}" y="${y}" dx="4">${text}</text>`;
    return html`<g class="${isSpare ? 'spare' : 'main'}">
      <line class="grid" x1="${x}" x2="${x}" y1="${above}" y2="${y}" />
      ${words}${year !== '' && words && html`<text x="${x}" y="${y + 15}" dx="4">${year}</text>`}
    </g>`;
  });
}

function dayText(day: number): string {
  return dateText(fromEpochDay(Math.floor(day))).slice(4);
}

/** Writes an amount of minor units. */
type AmountText = (minor: bigint) => string;

/** The plot in words, for screen readers. */
function spoken(name: string, course: BalanceCourse, amount: AmountText): string {
  const { from, to, booked, forecast } = course;
  const [first, last] = [booked[0], booked.at(-1)];
  const low = lowestOf(course);
  const sentences = [
    `The balance of ${name} from ${dayText(from)} to ${dayText(to)}.`,
    `Booked: ${amount((first ?? zero).minor)} at first, ${amount((last ?? zero).minor)} at last, in ${booked.length} steps.`,
    `Available: ${amount(low.minor)} at its lowest, on ${dayText(low.day)}.`,
    ...(forecast.length > 0
      ? [`By the forecast ${amount((forecast.at(-1) ?? zero).minor)} is available at the end.`]
      : []),
    'The figures follow in a table.',
  ];
  return sentences.join(' ');
}

const zero: Step = { day: 0, minor: 0n };

/** Each day with a step, the newest first. */
function figures({ booked, available, forecast }: BalanceCourse, amount: AmountText): Html {
  const lines = { booked, available, forecast };
  const steps = Object.entries(lines).flatMap(([line, all]) => all.map((step) => ({ ...step, line })));
  const all = [...Map.groupBy(steps, ({ day }) => Math.floor(day))].toSorted(([one], [other]) => other - one);
  const last = (of: keyof typeof lines) => {
    return ([, own]: (typeof all)[number]): string => {
      const found = own.findLast(({ line }) => line === of);
      return found === undefined ? '' : amount(found.minor);
    };
  };
  return html`<details id="plot-figures">
    <summary>The figures of the plot</summary>
    ${table(
      all.length > maxDays ? `The last ${maxDays} of ${all.length} days with a change` : 'Each day with a change',
      all.slice(0, maxDays),
      [
        ['Date', ([day]) => date(fromEpochDay(day))],
        ['Booked', last('booked'), 'figures'],
        ['Available', last('available'), 'figures'],
        ['Available by the forecast', last('forecast'), 'figures'],
      ],
    )}
  </details>`;
}
