import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type HtmlValue } from '../../pages/html.ts';
import { consoleAction, type PageCall } from '../page-call.ts';
import { actionForm } from '../parts/forms.ts';
import { table } from '../parts/lists.ts';
import { counted, faultCode, foreign } from '../parts/text.ts';

type Armed = AnswerTo<'GET /faults'>['faults'][number];

export const disarmFaults = consoleAction('DELETE /faults', {
  path: '/requests/disarm',
  done: ({ disarmed }) => `${counted(disarmed, 'armed fault')} disarmed.`,
});

/** The armed faults, which strike the next requests, and a button that disarms them. Nothing if there are none. */
export async function armedFaults(call: PageCall): Promise<HtmlValue> {
  const { faults } = await call.ask('/faults');
  if (faults.length === 0) return null;
  return html`<h2>Armed faults</h2>
    ${table('Faults that strike the next matching requests or runs, the oldest first', faults, [
      ['Number', ({ id }) => id],
      ['What it does', deedsOf, 'long'],
      ['Requests', ({ run, method, path }) => strikes(run, `${method ?? 'any method'} ${path ?? 'any path'}`), 'long'],
      ['Left', ({ remaining, times }) => `${remaining} of ${times}`],
    ])}
    ${actionForm(call, disarmFaults, { button: 'Disarm all', tone: 'bad' })}`;
}

function strikes(run: Armed['run'], requests: string): HtmlValue {
  return run === undefined ? foreign(requests) : 'the next run';
}

function deedsOf({ code, status, cut, close, run, delay, when }: Armed): HtmlValue {
  const effects = [
    delay !== undefined && `waits ${delay}`,
    code !== undefined && html`refuses with ${faultCode(code)}`,
    status !== undefined && `answers ${status} as a gateway does`,
    cut === true && 'ends the answer in its middle',
    close === true && 'closes the connection',
    run !== undefined && 'executes payments twice',
  ].filter((effect) => effect !== false);
  const moment = when === undefined || run !== undefined ? '' : `, ${when} the commit`;
  return html`${effects.map((effect, index) => html`${index > 0 && ', then '}${effect}`)}${moment}`;
}
