import { withinCalendar } from '../../../engine/time/rules/bank-clock.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { timelineBounds } from '../../control/timeline.ts';
import { html, type Html } from '../../pages/html.ts';
import { attemptTable, runSummary } from '../calendar/run-view.ts';
import { consoleAction, ownAction, view, type ConsoleRoom, type PageCall } from '../page-call.ts';
import { actionForm, confirmation, filters, hiddenFields, hiddenInputs, ownForm } from '../parts/forms.ts';
import { empty, folded, problemBox } from '../parts/blocks.ts';
import { runLink, toForecast, toPay } from '../parts/links.ts';
import { counted } from '../parts/text.ts';
import { dateText, instantText } from '../../pages/format.ts';
import { isBetween } from '../parts/times.ts';
import { dayByDay } from './forecast-story.ts';
import { totalsText } from '../../settlement-line/model.ts';
import { lineFigure, type LineWindow, settlementLine } from '../parts/settlement.ts';

/**
 * Takes back the last move of the clock. The field `seen` is the state of the bank that its page showed; `asked`: the
 * page asked first.
 */
export const undoMove = ownAction('/clock/undo', null, async ({ moves }, fields) => {
  const { from } = await moves.undo(fields.get('seen') ?? '');
  const text = `The move is undone. The bank is back at ${instantText(formatInstant(from))}.`;
  return fields.has('asked') ? { text, to: '' } : text;
});

/** What an Undo discards, before it does. */
const undoView = view(undoMove.path, ['payment', 'sca'], async (call) => {
  const { last } = call.moves;
  if (last === null) {
    const next = { href: toForecast(call), text: 'Move the clock' };
    const text = 'The console has moved the clock nowhere since the last reset.';
    return { title: 'Nothing to undo', content: empty(text, next) };
  }
  const { from, to } = last.move;
  const { hasChanged, seen } = last;
  const button = hasChanged ? 'Undo the move and lose the changes' : 'Undo the move';
  return {
    title: `Undo the move to ${instantText(formatInstant(to))}?`,
    lead: `The bank goes back to ${instantText(formatInstant(from))}, exactly as it was then. ${
      hasChanged ? 'Every change since the move is lost too.' : 'Nothing else has changed since the move.'
    }`,
    content: confirmation(call, undoMove, { button, back: '', fields: hiddenFields({ seen, asked: 'yes' }) }),
  };
});

/** Lets the clock run, or freezes it. */
export const setMode = consoleAction('PUT /clock', {
  path: '/clock/mode',
  done: ({ mode, now }) => `The clock ${mode === 'frozen' ? 'is frozen at' : 'runs, from'} ${instantText(now)}.`,
});

/**
 * Moves the clock forward to an instant, or by `runs`. The page stays, and tells what happened. The field `from` says
 * where the clock was, for a move that takes longer than a request.
 */
export const advance = consoleAction('POST /clock/advance', {
  // The call takes one of them.
  body: (fields) => (fields.has('runs') ? { to: undefined } : {}),
  movesClock: true,
  done: ({ from, to, runs }) => {
    const count = (what: 'settled' | 'rejected'): number => runs.reduce((sum, run) => sum + run[what], 0);
    const told =
      runs.length === 0 ? 'no run had a payment' : `${count('settled')} settled, ${count('rejected')} rejected`;
    return { text: `The bank is at ${instantText(to)}: ${told}.`, moved: { from, to } };
  },
  meanwhile: (fields) => ({
    text: `The clock is on its way to ${instantText(fields.get('to') ?? '')}. This page shows how far it has come.`,
    moved: { from: fields.get('from') ?? '', to: fields.get('to') ?? '' },
  }),
});

/**
 * The form that the handle of a line sends, and what it previews. Null means that the move could not be undone, so the
 * forecast comes first.
 */
export async function handleForm(call: PageCall): Promise<Html | null> {
  if ((await call.moves.obstacle()) !== null) return null;
  const { now } = await call.clock();
  return ownForm(call, advance.path, html`${hiddenInputs({ from: now, to: now })}`, html`data-handle`);
}

/** How far the forecast looks if nobody says it. */
const ahead = 'P30D';

/** The days from now until a moment, those of two months if it is further away. */
function windowFrom(from: string, to: string): LineWindow {
  const first = localDate(from.slice(0, 10));
  const [last, furthest] = [to.slice(0, 10), addDays(first, timelineBounds.days - 1)];
  return { from: first, to: last < furthest ? last : furthest };
}

/** What will happen until a moment, and the button that moves the clock there. */
const forecast = view('/forecast', ['payment'], async (call) => {
  const { nextRun } = await call.clock();
  const to = call.query.get('to') ?? ahead;
  const { answer, problem } = await call.attempt('/forecast', { query: { to } });
  const moments = { '': '30 days', P7D: '7 days', [nextRun.at]: 'The next run' };
  const choice = filters(call, [{ name: 'to', label: 'How far', options: moments }]);
  if (answer === null) return { title: 'Forecast', content: html`${problemBox(problem)} ${choice}` };
  const obstacle = await call.moves.obstacle();
  const runs = new Set(answer.executions.map(({ run }) => run.at)).size;
  const window = windowFrom(answer.from, answer.to);
  const line = await settlementLine(call, window);
  return {
    title: `Forecast until ${instantText(answer.to)}`,
    lead: html`${
      runs === 0
        ? 'No payment is due until then.'
        : `${counted(runs, 'run')} will process payments, if nothing else happens: ${totalsText(line)}.`
    }`,
    content: html`${obstacle !== null && html`<p class="lead">${obstacle}</p>`}
      <div class="toolbar">
        ${choice}
        ${actionForm(
          call,
          advance,
          { button: `Move the clock to ${instantText(answer.to)}`, tone: 'main' },
          hiddenFields({ to: answer.to, from: answer.from }),
        )}
      </div>
      ${
        runs + answer.planned.length === 0
          ? empty('No run until then has a payment to settle.', toPay(call))
          : html`${lineFigure(call, line, window, await handleForm(call))}
            ${folded('each', 'Each payment with its tries, and what lives do', dayByDay(call, { planned: answer.planned, debits: answer.executions, credits: [] }), call.query.has('each'))}`
      }`,
  };
});

/** The part of a page about the last move: what it did, or how far it is. */
export async function whatHappened(call: PageCall): Promise<Html | null> {
  const { moved, going } = call.note ?? {};
  if (moved === undefined) return null;
  const { from, to } = moved;
  const { now } = await call.clock();
  const isGoing = going !== undefined && Date.parse(now) < Date.parse(to);
  const end = isGoing || Date.parse(now) >= Date.parse(to) ? to : now;
  return html`<section id="happened">
    <h2>${isGoing ? `On the way to ${instantText(to)}` : `What happened until ${instantText(end)}`}</h2>
    <p class="lead">From ${instantText(from)}${isGoing && `; the bank is at ${instantText(now)}`}.</p>
    ${isGoing && wayThere(call, { from, to, now })} ${await movedStory(call, { from, to: end })}
  </section>`;
}

/** How far a long move has come, and the button that stops it. */
function wayThere(call: PageCall, { from, to, now }: Readonly<Record<'from' | 'to' | 'now', string>>): Html {
  const [begun, end, there] = [from, to, now].map((at) => Date.parse(at)) as [number, number, number];
  return html`<div class="toolbar">
    <label class="way"
      >${dateText(now.slice(0, 10))} <progress max="${end - begun}" value="${there - begun}"></progress
    ></label>
    ${actionForm(call, stopMove, { button: 'Stop' })}
  </div>`;
}

/** Stops a move of the clock between two runs: what the runs before it did is kept. */
export const stopMove = ownAction('/clock/stop', null, ({ moves }) => {
  moves.stop();
  return Promise.resolve('The clock stops after the run that is under way.');
});

/** The first run of the first banking day after today. */
export async function nextBankingDay(call: PageCall, now: string): Promise<string> {
  const today = localDate(now.slice(0, 10));
  const query = { from: withinCalendar(addDays(today, 1)), to: withinCalendar(addDays(today, 21)) };
  const { days } = await call.read('/calendar', { query });
  const later = days.flatMap(({ runs }) => runs).find(({ at }) => Date.parse(at) > Date.parse(now));
  return later?.at ?? query.to;
}

/** Maximum number of runs shown with their attempts, and of attempts of each. */
const [maxRuns, maxAttempts] = [12, 50];

/** What the runs between two instants did, in their order. */
async function movedStory(call: PageCall, { from, to }: { readonly from: string; readonly to: string }): Promise<Html> {
  const query = { from: from.slice(0, 10), to: to.slice(0, 10) };
  const { runs } = await call.ask('/runs', { query });
  const between = runs.filter(({ at }) => isBetween(at, from, to)).toReversed();
  if (between.length === 0) {
    const next = { href: toForecast(call), text: 'Show the forecast' };
    return empty('No run on the way processed a payment.', next);
  }
  const stories: Html[] = [];
  for (const run of between.slice(0, maxRuns)) {
    const { attempts } = await call.ask('/runs/:runId', { params: { runId: run.id } });
    const shown = attempts.slice(0, maxAttempts);
    const rest = attempts.length - shown.length;
    stories.push(
      html`<h3>${runLink(call, run)}: ${runSummary(run)}</h3>
        ${shown.length > 0 && attemptTable(call, shown)}
        ${rest > 0 && html`<p>And ${counted(rest, 'attempt')} more, on the page of the run.</p>`}`,
    );
  }
  const rest = between.length - stories.length;
  const count = (what: 'settled' | 'retried' | 'rejected'): number => between.reduce((sum, run) => sum + run[what], 0);
  const totals = [
    counted(between.length, 'run'),
    `${count('settled')} settled`,
    `${count('retried')} short of funds`,
    `${count('rejected')} rejected`,
  ];
  return html`<p class="totals">${totals.join(', ')}</p>
    ${stories} ${rest > 0 && html`<p>And ${counted(rest, 'run')} more: the calendar shows them.</p>`}`;
}

export const clockRoom: ConsoleRoom = {
  views: [forecast, undoView],
  actions: [setMode, advance, stopMove, undoMove],
};
