import { snapshot, snapshotRemoved, snapshotRestored } from '../../control/ledger/snapshots.ts';
import { wasReset } from '../../control/ledger/reset.ts';
import { bankRemoved, madeBank } from '../../control/banks-answers.ts';
import { consoleAction } from '../console-view.ts';
import { instantText } from '../parts/text.ts';

/** Members of a body, of the fields that have a value. */
function given(fields: ReadonlyMap<string, string>, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries([...fields].filter(([name]) => names.includes(name)));
}

/** Keeps ledger and clock under a name. */
export const saveSnapshot = consoleAction({
  path: '/snapshots',
  method: 'POST',
  answer: snapshot,
  body: (fields) => given(fields, 'name'),
  done: ({ name, now }) => ({ text: `The bank at ${instantText(now)} is kept as ${name}.` }),
});

/** Goes back to a snapshot. */
export const restoreSnapshot = consoleAction({
  path: '/snapshots/:name/restore',
  method: 'POST',
  answer: snapshotRestored,
  done: ({ restored, clock }) => ({ text: `The bank is back at ${restored}, ${instantText(clock.now)}.` }),
});

export const removeSnapshot = consoleAction({
  path: '/snapshots/:name/remove',
  method: 'DELETE',
  call: '/snapshots/:name',
  answer: snapshotRemoved,
  done: ({ removed }) => ({ text: `The snapshot ${removed} is gone.` }),
});

/** Goes back to the known state. */
export const resetBank = consoleAction({
  path: '/reset',
  method: 'POST',
  answer: wasReset,
  done: ({ fixtures, clock }) => ({ text: `The bank is back at ${fixtures}, ${instantText(clock.now)}.` }),
});

/** Makes one more bank; at the root only. */
export const makeBank = consoleAction({
  path: '/banks',
  method: 'POST',
  answer: madeBank,
  body: (fields) => given(fields, 'name', 'now', 'mode', 'fixtures'),
  done: ({ name, clock }) => ({ text: `The bank ${name} is there, at ${instantText(clock.now)}.` }),
});

/** Removes a bank; at the root only. */
export const removeBank = consoleAction({
  path: '/banks/:name/remove',
  method: 'DELETE',
  call: '/banks/:name',
  answer: bankRemoved,
  done: ({ removed }) => ({ text: `The bank ${removed} is gone.` }),
});

export const bankActions = [saveSnapshot, restoreSnapshot, removeSnapshot, resetBank, makeBank, removeBank];
