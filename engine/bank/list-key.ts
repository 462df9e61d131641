import { randomBytes } from 'node:crypto';

/** A new secret for the cursors of lists: those that were sealed before are unknown (rules.md A9c). No seed determines it. */
export function newListKey(): string {
  return randomBytes(32).toString('hex');
}
