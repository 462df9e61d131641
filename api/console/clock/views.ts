import { clock } from '../../control/answers.ts';
import { calendarDays } from '../../control/clock/get-calendar.ts';
import { forecastAnswer } from '../../control/clock/forecast.ts';
import { parseInstant } from '../../../engine/values/instant.ts';
import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { html } from '../../pages/html.ts';
import type { ConsoleView, ViewCall } from '../console-view.ts';
import { actionForm, filterForm } from '../parts/forms.ts';
import { empty } from '../parts/lists.ts';
import { problemBox } from '../parts/problem.ts';
import { counted, instantText } from '../parts/text.ts';
import { advance, movedPath } from './actions.ts';
import { closedDays } from './closed-days.ts';
import { forecastStory } from './forecast-story.ts';
import { movedStory } from './moved-story.ts';

const path = '/clock';

/** What will happen until a moment, and the button that moves the clock there. Without a moment: until the next run. */
const preview: ConsoleView = {
  path,
  nav: 'Clock',
  live: ['clock', 'payment', 'run', 'reset'],
  show: async (call) => {
    const { now, nextRun } = await call.ask('/clock', clock);
    const to =
      call.query.get('day') === 'next' ? await nextBankingDay(call, now) : (call.query.get('to') ?? nextRun.at);
    const { answer, problem } = await call.attempt('/forecast', forecastAnswer, { query: { to } });
    const others = html`<h2>Another moment</h2>
      ${filterForm(
        call,
        path,
        [
          {
            name: 'to',
            label: 'Move the clock to',
            value: to,
            isLong: true,
            hint: 'A date, an instant with its offset, or a duration such as P3D or P1M',
          },
        ],
        'Show what will happen',
      )}`;
    if (answer === null) return { title: 'Move the clock', content: html`${problemBox(problem)} ${others}` };
    const runs = new Set(answer.executions.map(({ run }) => run.at)).size;
    return {
      title: `To ${instantText(answer.to)}`,
      content: html`<p class="lead">
          ${
            runs === 0
              ? 'No payment is due until then.'
              : `${counted(runs, 'run')} will have something to do, if nothing else happens.`
          }
        </p>
        ${await closedDays(call, answer.from, answer.to)}
        ${actionForm(call, advance, {
          fields: [
            { name: 'to', label: 'To', type: 'hidden', value: answer.to },
            { name: 'from', label: 'From', type: 'hidden', value: answer.from },
          ],
          button: 'Move the clock',
          tone: 'main',
        })}
        <h2>What will happen</h2>
        ${runs === 0 ? empty('Nothing: no run until then has a payment to settle.') : forecastStory(call, answer.executions)}
        ${others}`,
    };
  },
};

/** What the runs did on a stretch of bank time. */
const moved: ConsoleView = {
  path: movedPath,
  live: ['clock', 'run', 'reset'],
  show: async (call) => {
    const [from, to] = [call.query.get('from') ?? '', call.query.get('to') ?? ''];
    const areInstants = [from, to].every((text) => parseInstant(text) !== null && text.length > 10);
    const isStretch = areInstants && Date.parse(from) <= Date.parse(to);
    if (!isStretch) {
      return {
        title: 'What happened',
        content: empty('The address of this page names two instants, from and to, in their order.'),
      };
    }
    const { now } = await call.ask('/clock', clock);
    const isThere = Date.parse(now) >= Date.parse(to);
    return {
      title: isThere ? `What happened until ${instantText(to)}` : `On the way to ${instantText(to)}`,
      content: html`<p class="lead">
          ${isThere ? `From ${instantText(from)}.` : `From ${instantText(from)}; the bank is at ${instantText(now)}.`}
        </p>
        ${await closedDays(call, from, to)} ${await movedStory(call, { from, to })}`,
    };
  },
};

/** The first run of the first banking day after today. */
async function nextBankingDay(call: ViewCall, now: string): Promise<string> {
  const today = localDate(now.slice(0, 10));
  const query = { from: addDays(today, 1), to: addDays(today, 21) };
  const { days } = await call.ask('/calendar', calendarDays, { query });
  return days.flatMap(({ runs }) => runs)[0]?.at ?? query.to;
}

export const clockViews = [preview, moved];
