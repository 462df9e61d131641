import { formatInstant } from '../../../engine/values/instant.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ConsoleAction, ConsoleView } from '../console-view.ts';
import type { PageCall } from '../page-call.ts';
import { actionForm } from '../parts/forms.ts';
import { empty, listed } from '../parts/lists.ts';
import { counted, foreign, instant, instantText, money, paymentLink } from '../parts/text.ts';
import type { LastMove } from './moves.ts';

/** Takes back the last move of the clock. The field `back` is the view to show, `seen` the state of the bank that its page showed. */
export const undoMove: ConsoleAction = {
  path: '/clock/undo',
  act: async ({ moves }, fields) => {
    const { from } = await moves.undo(fields.get('seen') ?? '');
    return {
      text: `The move is undone. The bank is back at ${instantText(formatInstant(from))}.`,
      to: fields.get('back') ?? '',
    };
  },
};

/** What an Undo discards, before it does. */
export const undoView: ConsoleView = {
  path: undoMove.path,
  live: ['clock', 'payment', 'run', 'sca', 'reset'],
  show: async (call) => {
    const { last } = call.moves;
    if (last === null) {
      const next = { href: call.to('/clock'), text: 'Move the clock' };
      const text = 'The console has moved the clock nowhere since the last reset.';
      return { title: 'Nothing to undo', content: empty(text, next) };
    }
    const { from, to } = last.move;
    const discarded = last.since === null ? [] : await discardedBy(call, last.move, last.since);
    return {
      title: `Undo the move to ${instantText(formatInstant(to))}?`,
      content: html`<p class="lead">
          The bank goes back to ${instantText(formatInstant(from))}, exactly as it was then.
          ${discarded.length === 0 ? 'Nothing else has changed since the move.' : 'This is lost too, with any other change since the move:'}
        </p>
        ${
          discarded.length > 0 &&
          html`<ul class="lost">
            ${discarded.map((each) => html`<li>${each}</li>`)}
          </ul>`
        }
        ${actionForm(call, undoMove, {
          fields: [{ name: 'seen', label: 'Seen', type: 'hidden', value: last.seen }],
          button: discarded.length === 0 ? 'Undo the move' : 'Undo the move and lose this',
          tone: 'bad',
        })}
        <p><a class="button" href="${call.to('')}">Cancel</a></p>`,
    };
  },
};

/** Maximum number of payments that are named. */
const maxNamed = 5;

/** What has changed since a move, in words. */
async function discardedBy(
  call: PageCall,
  { to, payments: before }: LastMove['move'],
  { scas, consents, clocks }: LastMove['since'] & {},
): Promise<readonly Html[]> {
  const { payments, total } = await call.read('/payments', {
    query: { limit: String(maxNamed) },
  });
  const { now, mode } = await call.clock();
  const query = { from: formatInstant(to).slice(0, 10), to: now.slice(0, 10) };
  const { runs } = await call.read('/runs', { query });
  const later = runs.filter(({ at }) => Date.parse(at) > to).length;
  const initiated = Math.max(0, total - before);
  const named = payments
    .slice(0, initiated)
    .map(
      ({ paymentId, amount, creditor }) =>
        html`${paymentLink(call, paymentId, money(amount))} to
        ${creditor === null ? 'several payees' : foreign(creditor.name ?? creditor.number)}`,
    );
  const rest = initiated - named.length;
  const isLater = mode === 'frozen' && Date.parse(now) > to;
  const known = [
    initiated > 0 && html`${counted(initiated, 'payment')}: ${listed(named)}${rest > 0 && `, and ${rest} more`}`,
    scas > 0 && html`${counted(scas, 'answer')} of customers: signatures, cancellations and approvals`,
    consents > 0 && html`${counted(consents, 'change')} of consents`,
    later > 0 && html`${counted(later, 'settlement run')}`,
    isLater && html`the later move of the clock to ${instant(now)}`,
    mode === 'running' && html`the time that has passed since`,
    clocks > 0 && html`the clock’s new mode or rate`,
  ].filter((each) => each !== false);
  return known.length > 0 ? known : [html`changes of accounts, customers, certificates or other data`];
}
