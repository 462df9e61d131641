import { addDays, localDate } from '../../engine/values/local-date.ts';
import { shortDateText, timeText } from '../pages/format.ts';
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
 * A row as a line of text: `ordered Wed 24 -- closed 25-29 -- ● Tue 30 05:30`. What is hollow on the picture has the
 * sign of what is to come. `expected`: a date, which stands at its end. Of the closed days those are told over which it
 * leaps. Times of the same day leave out the day.
 */
export function rowText(
  { marks, sentence, tone }: Pick<Row, 'marks' | 'sentence' | 'tone'>,
  closures: readonly Closure[],
  expected?: string,
): string {
  const parts: string[] = [];
  const month = marks[0]?.at.slice(0, 7) ?? '';
  let last = '';
  for (const { kind, at, isSolid } of marks) {
    const leapt = closures.filter(({ to }) => last !== '' && to > last && isDayBefore(to, at));
    parts.push(...leapt.map((closure) => closedText(closure, month)));
    last = at.slice(0, 10) === last && kind !== 'order' ? last : '';
    const day = last === '' ? dayText(at, month) : '';
    const time = kind === 'order' || kind === 'asked' || at.length === 10 ? '' : timeText(at).slice(0, 5);
    const sign = signs[kind][isSolid ? 0 : 1].trim();
    parts.push([sign, day, time].filter(Boolean).join(' '));
    last = at.slice(0, 10);
  }
  if (tone === 'waits' && marks.length === 1) parts.push(sentence);
  return [parts.join(' -- '), ...(expected === undefined ? [] : [`expected ${dayText(expected, month)}`])].join('   ');
}

/** `Tue 30`; `Mon 27 Dec` in another month than this one. */
function dayText(at: string, month: string): string {
  const [weekday = '', day = '', name = ''] = shortDateText(at.slice(0, 10)).split(' ');
  return [weekday, day, ...(at.startsWith(month) ? [] : [name])].join(' ');
}

/** `closed 25-29` */
function closedText({ from, to }: Closure, month: string): string {
  const [first, last] = [from, to].map((date) => dayText(date, month).replace(/^\w+ 0?/, '')) as [string, string];
  return first === last ? `closed ${first}` : `closed ${first.replace(/ .*/, '')}-${last}`;
}

function isDayBefore(date: string, at: string): boolean {
  return addDays(localDate(date), 1) === at.slice(0, 10);
}
