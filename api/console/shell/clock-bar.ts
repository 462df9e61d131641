import type { Static } from '../../bodies/schema.ts';
import type { clock } from '../../control/answers.ts';
import { html, type Html } from '../../pages/html.ts';
import { pathTo, type PageCall } from '../page-call.ts';
import { setMode } from '../clock/views.ts';
import { cameFromField, formTokenField } from '../parts/forms.ts';
import { dateText, shortDateText, tag, timeText } from '../parts/text.ts';

/** What stands above every view: the time of the bank, and the ways to move it. Each shows first what will happen. */
export function clockBar(call: PageCall, { now, mode, rate, nextRun }: Static<typeof clock>): Html {
  const isFrozen = mode === 'frozen';
  const dateOfRun = nextRun.at.slice(0, 10);
  const dayOfRun = dateOfRun === now.slice(0, 10) ? 'today' : shortDateText(dateOfRun);
  const move = (query: Record<string, string>, text: string): Html =>
    html`<a class="button" href="${call.to(pathTo('/clock', { query }))}">${text}</a>`;
  return html`<section class="clock" id="clock" aria-label="Bank clock" data-mode="${mode}">
    <p class="now">
      <time datetime="${now}">${dateText(now.slice(0, 10))} <strong>${timeText(now)}</strong></time>
      ${tag(isFrozen ? 'goes' : 'good', isFrozen ? 'frozen' : `running${rate === 1 ? '' : ` × ${rate}`}`)}
    </p>
    <p class="next">
      <span class="soft">Next run</span>
      <time datetime="${nextRun.at}">${dayOfRun} ${timeText(nextRun.at)}</time>
    </p>
    <div class="moves">
      ${move({ to: nextRun.at }, '+1 run')} ${move({ day: 'next' }, 'Next banking day')}
      <form method="get" action="${call.to('/clock')}">
        <label class="unseen" for="clock-to">To a date</label>
        <input type="date" id="clock-to" name="to" required min="${now.slice(0, 10)}" /><button>To date</button>
      </form>
      <form method="post" action="${call.to(setMode.path)}">
        <input type="hidden" name="${formTokenField}" value="${call.formToken}" />
        <input type="hidden" name="${cameFromField}" value="${call.here}" />
        <button name="mode" value="${isFrozen ? 'running' : 'frozen'}">${isFrozen ? 'Run' : 'Freeze'}</button>
      </form>
    </div>
  </section>`;
}
