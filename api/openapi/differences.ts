import { isObject, type JsonObject, without } from '../quirks/json.ts';
import type { Operation } from './document.ts';

/** A part that two documents do not describe alike: `200 transactions.pending[].bookingDate`. */
interface Difference {
  readonly path: string;
  readonly how: 'added' | 'left out' | 'changed';
}

/** What an operation has otherwise than it was. What is within an added or a missing part is not told. */
export function differences(was: Operation, is: Operation): readonly Difference[] {
  const [before, now] = [partsOf(was), partsOf(is)];
  const found = [...new Set([...now.keys(), ...before.keys()])].flatMap((path): readonly Difference[] => {
    const [known, part] = [before.get(path), now.get(path)];
    if (known === part) return [];
    if (known === undefined) return [{ path, how: 'added' }];
    return [{ path, how: part === undefined ? 'left out' : 'changed' }];
  });
  const whole = found.filter(({ how }) => how !== 'changed').map(({ path }) => path);
  return found.filter(({ path }) => !whole.some((other) => /^[ .[(]/.test(path.replace(other, ''))));
}

/** The path of a member of the part at this path. */
export function memberPath(path: string, name: string): string {
  return `${path}${/^\w+$/.test(path) ? ' ' : '.'}${name}`;
}

/** The path of one of several schemas of the part at this path. */
export function choicePath(path: string, { title, type }: JsonObject): string {
  return `${path} (${String(title ?? type)})`;
}

/** Each parameter, each body and each member by its path, with what is said of it. */
function partsOf({ parameters, body, answers }: Operation): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const add = (path: string, schema: JsonObject, isRequired: boolean): void => {
    const { properties = {}, required = [], items, anyOf = [], ...rest } = schema;
    parts.set(path, JSON.stringify([isRequired, without(rest, 'description', 'examples', 'title')]));
    for (const [name, member] of Object.entries(properties as Readonly<Record<string, JsonObject>>))
      add(memberPath(path, name), member, (required as readonly string[]).includes(name));
    if (isObject(items)) add(`${path}[]`, items, true);
    for (const one of anyOf as readonly JsonObject[]) add(choicePath(path, one), one, true);
  };
  for (const { in: place, name, required, schema } of parameters)
    add(`${place} ${name}`, schema as JsonObject, required);
  const bodies = { body, ...Object.fromEntries(Object.entries(answers).map(([of, { content }]) => [of, content])) };
  for (const [name, contents] of Object.entries(bodies))
    for (const { mediaType = '', schema } of [contents ?? []].flat())
      add(mediaType === 'text/html' ? `${name} as a page` : name, schema as JsonObject, true);
  return parts;
}
