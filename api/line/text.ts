import { shortDateText, timeText } from '../pages/times.ts';
import type { Closure } from './axis.ts';
import type { Mark, Row } from './model.ts';

const signs: Readonly<Record<Mark['kind'], readonly [solid: string, hollow: string]>> = {
  order: ['ordered ', ''],
  asked: ['asked for ', 'asked for '],
  retry: ['•', '◦'],
  settle: ['●', '○'],
  reject: ['✗', '✗?'],
  cancel: ['cancelled', ''],
  return: ['↩', '↩?'],
};

/**
 * A row as a line of text: `ordered Wed 24 -- closed 25-29 -- ● Tue 30 05:30`. What is hollow on the picture has the sign of what is to come.
 * `expected`: a date, which stands at its end. Times of the same day leave out the day.
 */
export function rowText({ marks, sentence, tone }: Row, closures: readonly Closure[], expected?: string): string {
  const parts: string[] = [];
  let last = '';
  for (const { kind, at, isSolid } of marks) {
    const between = closures.filter(({ from, to }) => last !== '' && from > last && to < at.slice(0, 10));
    parts.push(...between.map(closedText));
    last = at.slice(0, 10) === last && kind !== 'order' ? last : '';
    const day = last === '' ? dayText(at) : '';
    const time = kind === 'order' || kind === 'asked' || at.length === 10 ? '' : timeText(at).slice(0, 5);
    const sign = signs[kind][isSolid ? 0 : 1].trim();
    parts.push([sign, day, time].filter(Boolean).join(' '));
    last = at.slice(0, 10);
  }
  if (tone === 'waits' && marks.length === 1) parts.push(sentence);
  return [parts.join(' -- '), ...(expected === undefined ? [] : [`expected ${dayText(expected)}`])].join('   ');
}

/** `Tue 30` */
function dayText(at: string): string {
  const [weekday = '', day = ''] = shortDateText(at.slice(0, 10)).split(' ');
  return `${weekday} ${day}`;
}

/** `closed 25-29` */
function closedText({ from, to }: Closure): string {
  const [first, end] = [Number(from.slice(8)), Number(to.slice(8))];
  return from === to ? `closed ${first}` : `closed ${first}-${end}`;
}
