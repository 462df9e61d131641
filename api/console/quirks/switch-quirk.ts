import { quirkNames } from '../../../engine/bank/rules/quirk.ts';
import { consoleAction } from '../page-call.ts';

/** What a field asks for: true for `on`, false for `off` and for none, or the text of a value. */
export function switchValue(value = 'off'): boolean | string {
  return value === 'on' ? true : value === 'off' ? false : value;
}

/**
 * Switches the quirks whose switch was moved, or that were given a value. A field is the name of a quirk that shall be on; `was` names
 * those that were on.
 */
export const switchQuirks = consoleAction('PUT /quirks', {
  body: (fields) => {
    const was = fields.get('was')?.split(',') ?? [];
    const wanted = quirkNames.map((name) => [name, switchValue(fields.get(name))] as const);
    return { quirks: Object.fromEntries(wanted.filter(([name, value]) => value !== was.includes(name))) };
  },
  done: ({ quirks }) => {
    const on = Object.keys(quirks);
    return on.length === 0 ? 'No quirk is on.' : `On: ${on.join(', ')}.`;
  },
});
