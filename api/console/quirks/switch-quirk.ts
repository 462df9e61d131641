import { quirkNames } from '../../../engine/bank/rules/quirk.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import { consoleAction } from '../page-call.ts';

/** What a form asks for: true, false or the text of a value. */
export function switchValue(fields: ReadonlyMap<string, string>): boolean | string {
  const value = fields.get('value') ?? 'on';
  return value === 'on' ? true : value === 'off' ? false : value;
}

function saysOn({ quirks }: AnswerTo<'PUT /quirks'>): string {
  const on = Object.keys(quirks);
  return on.length === 0 ? 'No quirk is on.' : `On: ${on.join(', ')}.`;
}

/** Switches one quirk: the field `value` is on, off or a value of its own. */
export const switchQuirk = consoleAction('PUT /quirks', {
  path: '/quirks/:name/switch',
  body: (fields) => ({ quirks: { [fields.get('name') ?? '']: switchValue(fields) } }),
  done: saysOn,
});

/** Switches the quirks whose switch was moved. A field is the name of a quirk that shall be on; `was` names those that were on. */
export const switchQuirks = consoleAction('PUT /quirks', {
  body: (fields) => {
    const was = fields.get('was')?.split(',') ?? [];
    const moved = quirkNames.filter((name) => fields.has(name) !== was.includes(name));
    return { quirks: Object.fromEntries(moved.map((name) => [name, fields.has(name)])) };
  },
  done: saysOn,
});
