import { fromEpochDay } from '../../../engine/values/local-date.ts';
import type { Currency } from '../../../engine/values/money.ts';
import { amountJson } from '../../control/format.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { table } from '../parts/lists.ts';
import { amountText, date, dateText } from '../parts/text.ts';
import type { BalanceCourse, Step } from './balance-course.ts';
import { type Coming, isDip } from './coming.ts';

/*
 * The plot is SVG drawn by the server: three lines of steps need no library, nothing more is loaded, and it is there without
 * JavaScript. The lines are stretched to the width of the page; the words are not, so that they can be read on a narrow screen.
 */

interface Plot {
  readonly course: BalanceCourse;
  readonly currency: Currency;
  /** Whose balance it is. */
  readonly name: string;
  /** What is marked on the forecast. */
  readonly coming?: readonly Coming[];
}

/** Width and height of the lines in coordinates of their own. */
const size = 1000;
/** In pixels: the lines, what is above them and below. */
const [height, above, below] = [200, 34, 26];
/** Maximum number of stretches of a line. */
const stretches = 400;
/** Maximum number of days in the table of figures. */
const maxDays = 60;
/** Where `now` stands, from the top. */
const nowAt = 12;

const [deep, blue, soft, rule, red] = ['#14503c', '#2a62a8', '#55625b', '#dfe3dc', '#a3211b'] as const;
/** Maximum number of events that are marked. */
const maxMarks = 200;

const words = html`font-size="12" fill="${soft}"`;
/** Sets a word off from a line behind it. */
const halo = html`stroke="#fff" stroke-width="3" paint-order="stroke"`;

interface Line {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Where its last step ends, as a day. */
  readonly end: number;
  readonly look: Html;
}

/** The course of the balances of an account as a figure, with the figures in a table. */
export function plot({ course, currency, name, coming = [] }: Plot): Html {
  const { from, to, now, booked, available, forecast } = course;
  const past = Math.min(now, to);
  const lines: readonly Line[] = [
    { name: 'Available', steps: available, end: past, look: html`stroke="${blue}" stroke-width="1.5"` },
    { name: 'Booked', steps: booked, end: past, look: html`stroke="${deep}" stroke-width="2.5"` },
    {
      name: 'Available by the forecast',
      steps: forecast,
      end: to,
      look: html`stroke="${blue}" stroke-width="2" stroke-dasharray="1 5" stroke-linecap="round"`,
    },
  ].filter(({ steps }) => steps.length > 0);
  const scale = scaleOf(lines.flatMap(({ steps }) => steps.map(({ minor }) => minor)));
  const across = (day: number): number => (to === from ? 0 : Math.max(0, (day - from) / (to - from)));
  const up = (minor: bigint): number => Number(minor - scale.bottom) / Number(scale.top - scale.bottom);
  const ticks = scale.ticks.map((minor) => ({ minor, y: above + (1 - up(minor)) * height }));
  const amount: AmountText = (minor) => amountText(amountJson({ minor, currency }));
  return html`<figure class="plot">
    <svg width="100%" height="${above + height + below}" role="img" aria-labelledby="plot-title plot-text">
      <title id="plot-title">The balance of ${name}</title>
      <desc id="plot-text">${spoken(course, amount)}</desc>
      ${ticks.map(
        ({ minor, y }) => html`<line x1="0" x2="100%" y1="${y}" y2="${y}" stroke="${minor === 0n ? soft : rule}" />`,
      )}
      <svg y="${above}" width="100%" height="${height}" viewBox="0 0 ${size} ${size}" preserveAspectRatio="none">
        ${lines.map(
          ({ steps, end, look }) =>
            html`<path
              d="${pathOf(reduced(steps, course, stretches), end, { across, up })}"
              fill="none"
              vector-effect="non-scaling-stroke"
              ${look}
            />`,
        )}
      </svg>
      ${ticks.map(({ minor, y }) => html`<text x="0" y="${y - 4}" ${words} ${halo}>${amount(minor)}</text>`)}
      ${dateLabels(course, across)} ${marks(course, coming, { across, up })}
      <line data-slide y1="${above}" y2="${above + height}" stroke="${deep}" stroke-width="2" visibility="hidden" />
    </svg>
    ${slider(course, coming, { across, amount })}
    <figcaption>
      ${lines.map(
        (each) =>
          html`<span class="key"
            ><svg width="28" height="8" aria-hidden="true"><path d="M1 4H27" fill="none" ${each.look} /></svg>
            ${each.name}</span
          >`,
      )}
    </figcaption>
    ${figures(course, amount)}
  </figure>`;
}

/** The available balance by the forecast at a moment. */
function foreseenAt({ forecast }: BalanceCourse, day: number): bigint {
  return (forecast.findLast((step) => step.day <= day) ?? forecast[0] ?? zero).minor;
}

/** A dot for each event of the forecast: income above its line, what fails in red. */
function marks(
  course: BalanceCourse,
  coming: readonly Coming[],
  { across, up }: { readonly across: (day: number) => number; readonly up: (minor: bigint) => number },
): HtmlValue {
  return coming.slice(0, maxMarks).map((each) => {
    const y = above + (1 - up(foreseenAt(course, each.day))) * height;
    const fill = each.isShort ? red : isDip(each) ? '#fff' : blue;
    return html`<circle
      cx="${across(each.day) * 100}%"
      cy="${y}"
      r="4"
      fill="${fill}"
      stroke="${each.isShort ? red : blue}"
      stroke-width="1.5"
    />`;
  });
}

/** A slider through the days to come, for the script: where each day is, what is available and what happens on it. */
function slider(
  course: BalanceCourse,
  coming: readonly Coming[],
  { across, amount }: { readonly across: (day: number) => number; readonly amount: AmountText },
): HtmlValue {
  const { now, to, forecast } = course;
  if (forecast.length === 0) return null;
  const first = Math.floor(now);
  const days = Array.from({ length: Math.max(1, Math.ceil(to) - first) }, (_, index) => {
    const day = first + index;
    const on = coming
      .filter((each) => Math.floor(each.day) === day)
      .map(({ words, amount: of }) => `${words} ${amountText(of)}`);
    const text = [`${dayText(day)}: ${amount(foreseenAt(course, day + 1))} available`, ...on.slice(0, 3)].join(', ');
    return [Math.round(across(Math.max(now, Math.min(day + 1, to))) * 1000) / 10, text];
  });
  return html`<div class="slide">
    <input
      type="range"
      min="0"
      max="${days.length - 1}"
      value="0"
      aria-label="A day to come"
      data-days="${JSON.stringify(days)}"
    />
    <output></output>
  </div>`;
}

/** A path of steps: level until the next one. */
function pathOf(
  steps: readonly Step[],
  end: number,
  { across, up }: { readonly across: (day: number) => number; readonly up: (minor: bigint) => number },
): string {
  const at = (share: number): string => String(Math.round(share * size * 10) / 10);
  const drawn = steps.map(({ day, minor }, index) => {
    const [x, y] = [at(across(day)), at(1 - up(minor))];
    return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  return `${drawn.join('')}H${at(across(end))}`;
}

/** The first date and the last one below the lines, and where the bank is between them. */
function dateLabels({ from, to, now }: BalanceCourse, across: (day: number) => number): HtmlValue {
  const below = above + height + 18;
  const place = across(now);
  const x = `${place * 100}%`;
  const anchor = place < 0.1 ? 'start' : place > 0.9 ? 'end' : 'middle';
  return [
    html`<text x="0" y="${below}" ${words}>${dayText(from)}</text>
      <text x="100%" y="${below}" ${words} text-anchor="end">${dayText(to)}</text>`,
    now > from &&
      now < to &&
      html`<line x1="${x}" x2="${x}" y1="${nowAt + 4}" y2="${above + height}" stroke="${soft}" stroke-dasharray="1 3" />
        <text x="${x}" y="${nowAt}" ${words} text-anchor="${anchor}">now</text>`,
  ];
}

function dayText(day: number): string {
  return dateText(fromEpochDay(Math.floor(day))).slice(4);
}

/** Writes an amount of minor units. */
type AmountText = (minor: bigint) => string;

/** The plot in words, for screen readers. */
function spoken({ from, to, booked, available, forecast }: BalanceCourse, amount: AmountText): string {
  const [first, last] = [booked[0], booked.at(-1)];
  const low = available.reduce((known, step) => (step.minor < known.minor ? step : known), available[0] ?? zero);
  const sentences = [
    `From ${dayText(from)} to ${dayText(to)}.`,
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
  const days = new Map<number, Partial<Record<'booked' | 'available' | 'forecast', bigint>>>();
  for (const [kind, steps] of Object.entries({ booked, available, forecast })) {
    for (const { day, minor } of steps) {
      const whole = Math.floor(day);
      days.set(whole, { ...days.get(whole), [kind]: minor });
    }
  }
  const all = [...days].toSorted(([left], [right]) => right - left);
  const shown = (minor: bigint | undefined): string => (minor === undefined ? '' : amount(minor));
  return html`<details id="plot-figures">
    <summary>The figures of the plot</summary>
    ${table(
      all.length > maxDays ? `The last ${maxDays} of ${all.length} days with a change` : 'Each day with a change',
      all.slice(0, maxDays),
      [
        ['Date', ([day]) => date(fromEpochDay(day))],
        ['Booked', ([, at]) => shown(at.booked), 'figures'],
        ['Available', ([, at]) => shown(at.available), 'figures'],
        ['Available by the forecast', ([, at]) => shown(at.forecast), 'figures'],
      ],
    )}
  </details>`;
}

/** What the height of a plot stands for, in minor units. */
interface Scale {
  readonly bottom: bigint;
  readonly top: bigint;
  /** Round values from bottom to top, three to six. */
  readonly ticks: readonly bigint[];
}

/** A scale around these values, in steps of 1, 2 or 5 times a power of ten. */
export function scaleOf(values: readonly bigint[]): Scale {
  const first = values[0] ?? 0n;
  const least = values.reduce((known, value) => (value < known ? value : known), first);
  const most = values.reduce((known, value) => (value > known ? value : known), first);
  const step = roundStep((most - least) / 3n);
  const bottom = floorTo(least, step);
  const above = floorTo(most, step) + step;
  // A value at the edge of the plot would be a line on its frame.
  const top = above === bottom ? bottom + step : above;
  const count = Number((top - bottom) / step);
  return { bottom, top, ticks: Array.from({ length: count + 1 }, (_, index) => bottom + BigInt(index) * step) };
}

/** The smallest of 1, 2, 5, 10, 20, 50, ... that is at least the value. */
function roundStep(value: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const found = [1n, 2n, 5n].map((digit) => digit * power).find((step) => step >= value);
    if (found !== undefined) return found;
  }
}

function floorTo(value: bigint, step: bigint): bigint {
  const rest = ((value % step) + step) % step;
  return value - rest;
}

/**
 * Reduces the steps between two moments to those of a number of stretches. Each stretch keeps its first, lowest, highest and last
 * value, so that thousands of entries stay a small page.
 */
export function reduced(steps: readonly Step[], { from, to }: { from: number; to: number }, stretches: number): Step[] {
  if (steps.length <= stretches) return [...steps];
  const width = (to - from) / stretches || 1;
  const groups = Map.groupBy(steps, ({ day }) => Math.floor((day - from) / width));
  return [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((left, right) => (left.minor < right.minor ? -1 : 1));
    const kept = new Set([group[0], ordered[0], ordered.at(-1), group.at(-1)]);
    return group.filter((step) => kept.has(step));
  });
}
