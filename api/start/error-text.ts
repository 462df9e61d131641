import { memberOf } from '../bodies/rule.ts';

/** First line of an error's message: Node's other lines are advice. */
export function messageOf(error: unknown): string {
  const text = memberOf(error, 'message') ?? String(error);
  return String(text).split('\n')[0] ?? '';
}

/** Cause of a failed request, in brackets after a blank; empty: unknown. */
export function reasonOf(error: unknown): string {
  const cause = memberOf(error, 'cause') ?? error;
  const reason = memberOf(cause, 'code') ?? memberOf(cause, 'message');
  return typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
}
