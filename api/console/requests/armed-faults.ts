import type { AnswerTo } from '../../openapi/calls.ts';
import { faultCodes } from '../../../engine/values/fault.ts';
import { formatInstant, parseInstant } from '../../../engine/values/instant.ts';
import { instantText } from '../../pages/format.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { consoleAction, type PageCall } from '../page-call.ts';
import { actionForm, optionsOf } from '../parts/forms.ts';
import { folded, listed } from '../parts/blocks.ts';
import { table } from '../parts/tables.ts';
import { counted, faultCode, foreign } from '../parts/text.ts';

type Armed = AnswerTo<'GET /faults'>['faults'][number];

export const disarmFaults = consoleAction('DELETE /faults', {
  path: '/requests/disarm',
  done: ({ disarmed }) => `${counted(disarmed, 'armed fault')} disarmed.`,
});

/** Lets a fault strike the next matching calls (rules.md E6, E6c). */
export const armFault = consoleAction('POST /faults', {
  path: '/requests/arm',
  body: (fields) => {
    const effect = { code: fields.get('code'), status: 503, cut: true, close: true, badSignature: 'key' };
    const chosen = Object.entries(effect).filter(([name]) => name === fields.get('effect'));
    return { code: undefined, ...Object.fromEntries(chosen) };
  },
  done: ({ id }) => `The fault ${id} is armed.`,
});

function armForm(call: PageCall): Html {
  const fault = actionForm(call, armFault, { button: 'Arm the fault' }, [
    { name: 'effect', label: 'What happens', value: 'code', options: effects },
    { name: 'code', label: 'Code', value: 'SYSTEM_ERROR', options: codeOptions },
    { name: 'delay', label: 'Wait before it', hint: 'PT5S; empty: not at all' },
    { name: 'when', label: 'Moment', options: moments },
    { name: 'method', label: 'Method', options: methods },
    { name: 'path', label: 'Path begins with', hint: '/v1/accounts/*/balances; empty: any' },
    { name: 'times', label: 'How often', type: 'number', value: '1' },
  ]);
  return folded('arm-fault', 'Arm a fault', fault, call.note?.form === armFault.path);
}

/** The codes of the interface, as the options of a field. */
export const codeOptions = optionsOf(faultCodes.toSorted());

const effects = {
  code: 'refuse with the code',
  status: 'a gateway answers 503',
  cut: 'the answer ends in its middle',
  close: 'the connection closes',
  badSignature: 'another key signs the answer',
  delay: 'only wait',
};
const moments = { '': 'as usual', before: 'before the commit', after: 'after the commit' };
const methods = { '': 'any', ...optionsOf(['GET', 'POST', 'PUT', 'DELETE']) };

/** The armed faults, which strike the next requests, and a button that disarms them, and the form that arms one. */
export async function armedFaults(call: PageCall): Promise<HtmlValue> {
  const { faults } = await call.ask('/faults');
  if (faults.length === 0) return armForm(call);
  return html`<h2>Armed faults</h2>
    ${table('Faults that strike the next matching requests, the oldest first', faults, [
      ['Number', ({ id }) => id],
      ['What it does', (fault) => deedsOf(call, fault), 'text'],
      ['Requests', ({ method, path }) => foreign(`${method ?? 'any method'} ${path ?? 'any path'}`), 'text'],
      ['Left', ({ remaining, times }) => (times === undefined ? 'every request' : `${remaining} of ${times}`)],
    ])}
    ${actionForm(call, disarmFaults, { button: 'Disarm all', tone: 'bad' })} ${armForm(call)}`;
}

function deedsOf(call: PageCall, { code, status, cut, close, badSignature, delay, when, ...window }: Armed): HtmlValue {
  const effects = [
    delay !== undefined && `waits ${delay}`,
    code !== undefined && html`refuses with ${faultCode(call, code)}`,
    status !== undefined && `answers ${status} as a gateway does`,
    cut === true && 'ends the answer in its middle',
    close === true && 'closes the connection',
    badSignature !== undefined && `spoils the signature (${badSignature})`,
  ];
  const moment = when === undefined ? '' : `, ${when} the commit`;
  const { from, until } = window;
  const span = until === undefined ? '' : `, from ${bankTime(from)} until ${bankTime(until)}`;
  return html`${listed(effects, ', then ')}${moment}${span}`;
}

/** An instant as it was sent: with any offset, or a date. */
function bankTime(text = ''): string {
  const at = parseInstant(text);
  return at === null ? text : instantText(formatInstant(at));
}
