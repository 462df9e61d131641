/**
 * The member of a JSON value at a dotted path (`_links.scaRedirect.href`, `accounts.0.resourceId`), undefined when
 * there is none.
 */
export function pickMember(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return Object.getOwnPropertyDescriptor(at, name)?.value;
  }, value);
}

/** Returns what a value has at and below these paths. */
export function onlyMembers(value: unknown, paths: readonly string[]): unknown {
  if (paths.includes('') || typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const own = paths.filter((path) => path === name || path.startsWith(`${name}.`));
    const below = own.map((path) => path.slice(name.length + 1));
    return below.length === 0 ? [] : [[name, onlyMembers(member, below)] as const];
  });
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

/** JSON in as few lines as fit into the width: each object or list on one line where there is room. */
export function shortJson(value: unknown, width = 110, indent = ''): string {
  const line = inLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= width) return line;
  const inner = `${indent}  `;
  const members = keyed(value).map(([key, member]) => `${inner}${key}${shortJson(member, width, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

function inLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = keyed(value).map(([key, member]) => key + inLine(member));
  if (Array.isArray(value)) return `[${members.join(', ')}]`;
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The members, each with its key as JSON writes it: `"name": `, empty in a list. */
function keyed(value: object): (readonly [key: string, member: unknown])[] {
  const isList = Array.isArray(value);
  return Object.entries(value).map(([name, member]) => [isList ? '' : `${JSON.stringify(name)}: `, member]);
}
