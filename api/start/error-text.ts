/** The first line of what an error says: the others of Node's are advice. */
export function messageOf(error: unknown): string {
  const text = memberOf(error, 'message') ?? String(error);
  return String(text).split('\n')[0] ?? '';
}

/** What lies behind a failed request, in brackets after a blank; nothing where nobody knows. */
export function reasonOf(error: unknown): string {
  const cause = memberOf(error, 'cause') ?? error;
  const reason = memberOf(cause, 'code') ?? memberOf(cause, 'message');
  return typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined;
  return Reflect.get(value, name);
}
