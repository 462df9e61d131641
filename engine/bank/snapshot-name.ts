import { quote } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { seededName } from './seeded-snapshot.ts';
import { NotAllowed } from './not-allowed.ts';

const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Refuses a name that no snapshot can have (BAD_REQUEST), and that of the known state, which is the bank's own (CONFLICT). */
export function requireSnapshotName(name: string): void {
  if (!pattern.test(name)) {
    const text = `The name ${quote(name)} is none for a snapshot: up to 64 letters, digits, dots, hyphens and underscores.`;
    throw new NotAllowed({ code: 'BAD_REQUEST', path: 'name', text }, { name: pattern.source });
  }
  if (name !== seededName) return;
  const text = `The snapshot ${seededName} is the known state that a reset restores. It can be restored, not replaced or removed.`;
  throw new Refusal({ code: 'CONFLICT', path: 'name', text });
}

/** There is no such snapshot: NOT_FOUND with those that there are. */
export function snapshotUnknown(name: string, names: readonly string[]): NotAllowed {
  const text = `There is no snapshot ${quote(name)}.`;
  return new NotAllowed({ code: 'NOT_FOUND', path: 'name', text }, names);
}
