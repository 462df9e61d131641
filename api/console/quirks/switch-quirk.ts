import { consoleAction } from '../page-call.ts';

/** What a form asks for: true, false or the text of a value. */
export function switchValue(fields: ReadonlyMap<string, string>): boolean | string {
  const value = fields.get('value') ?? 'on';
  return value === 'on' ? true : value === 'off' ? false : value;
}

/** Switches one quirk: the field `value` is on, off or a value of its own. */
export const switchQuirk = consoleAction('PUT /quirks', {
  path: '/quirks/:name/switch',
  body: (fields) => ({ quirks: { [fields.get('name') ?? '']: switchValue(fields) } }),
  done: ({ quirks }) => {
    const on = Object.keys(quirks);
    return on.length === 0 ? 'No quirk is on.' : `On: ${on.join(', ')}.`;
  },
});
