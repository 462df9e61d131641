import { quirkNames } from '../../../engine/bank/rules/quirk.ts';
import { consoleAction } from '../page-call.ts';

/** What a field asks for: true for `on`, false for `off`, or the text of a value. */
function switchValue(value: string): boolean | string {
  return value === 'on' ? true : value === 'off' ? false : value;
}

/**
 * The quirks whose switch a form moved, or that it gave a value. A field is the name of a quirk that shall be on; `was`
 * names those that were on, `valued` the quirk whose form has a field for its value: left empty, the bank refuses it.
 */
export function movedIn(fields: ReadonlyMap<string, string>): Readonly<Record<string, boolean | string>> {
  const was = fields.get('was')?.split(',') ?? [];
  const wanted = quirkNames.map(
    (name) => [name, switchValue(fields.get(name) ?? (name === fields.get('valued') ? '' : 'off'))] as const,
  );
  return Object.fromEntries(wanted.filter(([name, value]) => value !== was.includes(name)));
}

/** Switches the quirks that its form moved, and no others. */
export const switchQuirks = consoleAction('PUT /quirks', {
  body: (fields) => ({ quirks: movedIn(fields) }),
  done: ({ quirks }) => {
    const on = Object.keys(quirks);
    return on.length === 0 ? 'No quirk is on.' : `On: ${on.join(', ')}.`;
  },
});
