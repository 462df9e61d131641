import type { Static } from '../../bodies/schema.ts';
import type { clock } from '../../control/answers.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import { html, type Html } from '../../pages/html.ts';
import { pathTo, type PageCall } from '../page-call.ts';
import type { LastMove } from '../clock/moves.ts';
import { undoMove } from '../clock/undo.ts';
import { advance, nextBankingDay, setMode } from '../clock/views.ts';
import { cameFromField, formTokenField } from '../parts/forms.ts';
import { dateText, instantText, shortDateText, tag, timeText } from '../parts/text.ts';

/** What the bar shows. */
export interface ClockFacts extends Static<typeof clock> {
  /** The first run of the next banking day. */
  readonly nextDay: string;
  /** Whether the next move can be undone. */
  readonly canUndo: boolean;
  readonly last: LastMove | null;
}

/** Reads what the bar shows. */
export async function clockFacts(call: PageCall): Promise<ClockFacts> {
  const read = await call.clock();
  const [nextDay, obstacle] = [await nextBankingDay(call, read.now), await call.moves.obstacle()];
  return { ...read, nextDay, canUndo: obstacle === null, last: call.moves.last };
}

/**
 * The bar above every view: the time of the bank, and the ways to move it. A move to the next run or the next banking day happens at once,
 * as an Undo takes it back. The console first shows a move that cannot be undone, and a move to a date.
 */
export function clockBar(call: PageCall, { now, mode, rate, nextRun, nextDay, canUndo, last }: ClockFacts): Html {
  const isFrozen = mode === 'frozen';
  const dateOfRun = nextRun.at.slice(0, 10);
  const dayOfRun = dateOfRun === now.slice(0, 10) ? '' : withoutWeekday(shortDateText(dateOfRun));
  const move = (to: string, text: string, more: Readonly<Record<string, string>> = {}): Html =>
    canUndo
      ? form(call, advance.path, { ...more, from: now, to }, html`<button>${text}</button>`)
      : html`<a class="button" href="${call.to(pathTo('/clock', { query: { to } }))}">${text}</a>`;
  return html`<section class="clock" id="clock" aria-label="Bank clock" data-mode="${mode}">
    <p class="now">
      <time datetime="${now}"
        >${dateText(now.slice(0, 10))} <strong>${isFrozen ? timeText(now) : now.slice(11, 16)}</strong></time
      >
      ${tag(isFrozen ? 'goes' : 'good', isFrozen ? 'frozen' : `running${rate === 1 ? '' : ` × ${rate}`}`)}
    </p>
    <p class="next">
      <span class="soft">Next run</span>
      <time datetime="${nextRun.at}">${dayOfRun} ${timeText(nextRun.at)}</time>
    </p>
    <div class="moves">
      ${last !== null && undo(call, last)} ${move(nextRun.at, '+1 run', { runs: '1' })}
      ${move(nextDay, 'Next banking day')}
      <form method="get" action="${call.to('/clock')}">
        <label class="unseen" for="clock-to">To a date</label>
        <input type="date" id="clock-to" name="to" required min="${now.slice(0, 10)}" /><button>Go</button>
      </form>
      ${form(
        call,
        setMode.path,
        {},
        html`<button name="mode" value="${isFrozen ? 'running' : 'frozen'}">${isFrozen ? 'Resume' : 'Freeze'}</button>`,
      )}
    </div>
  </section>`;
}

/** `30 Mar` of `Tue 30 Mar`: the bar has no room for more. */
function withoutWeekday(day: string): string {
  return day.slice(day.indexOf(' ') + 1);
}

/** Takes the last move back at once where nothing was changed since; else it first says what would be lost. */
function undo(call: PageCall, { move, since, seen }: LastMove): Html {
  const about = `Back to ${instantText(formatInstant(move.from))}`;
  if (since !== null) return html`<a class="button" title="${about}" href="${call.to(undoMove.path)}">Undo…</a>`;
  // The pages of a move tell nothing once it is undone.
  const back = call.here.startsWith('/clock') ? '' : call.here;
  return form(call, undoMove.path, { seen, back }, html`<button title="${about}">Undo</button>`);
}

function form(call: PageCall, path: string, fields: Readonly<Record<string, string>>, button: Html): Html {
  const hidden = { [formTokenField]: call.formToken, [cameFromField]: call.here, ...fields };
  return html`<form method="post" action="${call.to(path)}">
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${button}
  </form>`;
}
