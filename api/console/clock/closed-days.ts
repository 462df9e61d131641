import { daysBetween, localDate } from '../../../engine/values/local-date.ts';
import { calendarDays } from '../../control/clock/get-calendar.ts';
import { html, type HtmlValue } from '../../pages/html.ts';
import type { ViewCall } from '../console-view.ts';
import { date } from '../parts/text.ts';

/** On a longer stretch the days are not listed. */
const mostDays = 62;

/** The holidays on which the bank is closed on the days between two instants; nothing when there is none. */
export async function closedDays(call: ViewCall, from: string, to: string): Promise<HtmlValue> {
  const [first, last] = [localDate(from.slice(0, 10)), localDate(to.slice(0, 10))];
  if (last < first || daysBetween(first, last) > mostDays) return null;
  const { days } = await call.ask('/calendar', calendarDays, { query: { from: first, to: last } });
  const holidays = days.filter(({ reason }) => reason !== undefined && reason !== 'Saturday' && reason !== 'Sunday');
  if (holidays.length === 0) return null;
  return html`<p class="lead">
    The bank is closed on
    ${holidays.map(
      ({ date: day, reason = '' }, index) =>
        html`${index > 0 && (index === holidays.length - 1 ? ' and ' : ', ')}${date(day)} (${reason})`,
    )}.
  </p>`;
}
