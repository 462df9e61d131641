import { ledgerBytes, listSnapshots, removeSnapshot, saveSnapshot } from '../../../engine/bank/snapshots.ts';
import { restoreSnapshot } from '../../../engine/reset-and-restore.ts';
import { clock, clockIsBusy, answeredInstant, listAnswer } from '../answers.ts';
import { closed, text } from '../../bodies/schema.ts';
import { controlEndpoint, type ControlCall } from '../control-endpoint.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';

/** `POST /sandbox/snapshots`. */
export const snapshotBody = closed(
  { name: text('a name for the snapshot', { minLength: 1, maxLength: 255 }) },
  {
    title: 'Snapshot',
    description: 'The name of the new snapshot of ledger and clock.',
    expected: 'an object with the name of the snapshot',
    examples: [{ name: 'before-the-salaries' }],
  },
);

const path = '/snapshots';

const name = text('the name of the snapshot', 'before-the-salaries');

export const snapshot = closed(
  { name, now: answeredInstant('the bank time in the snapshot') },
  { title: 'KeptSnapshot', description: 'A copy of ledger and clock.' },
);

export const snapshotList = listAnswer('snapshots', 'Snapshots', snapshot);

export const snapshotRemoved = closed({ removed: name }, { title: 'SnapshotRemoved' });

export const snapshotRestored = closed({ restored: name, clock }, { title: 'SnapshotRestored' });

const busyOrSeeded = `${clockIsBusy} Or the name is seeded, the name of the known state.`;

/** `/sandbox/snapshots`: copies of ledger and clock, by name. `seeded` always exists; a reset restores it. */
export const snapshots = [
  controlEndpoint({
    method: 'POST',
    adds: true,
    path,
    summary: 'Save ledger and clock under a name',
    answer: snapshot,
    refusals: { 409: busyOrSeeded },
    body: snapshotBody,
    handle: async (call) => {
      const { name } = call.readBody();
      // The snapshot, and the copy of it that the next restore takes.
      call.storage.requireFor(2 * (await ledgerBytes(call.bank)));
      return call.runExclusive(() => saveSnapshot(call.bank, name));
    },
  }),
  controlEndpoint({
    method: 'GET',
    path,
    summary: 'List the snapshots',
    answer: snapshotList,
    handle: async ({ bank }) => ({ snapshots: await listSnapshots(bank) }),
  }),
  controlEndpoint({
    method: 'POST',
    path: `${path}/:name/restore`,
    summary: 'Go back to a snapshot',
    answer: snapshotRestored,
    refusals: { 409: clockIsBusy },
    handle: (call) =>
      call.runExclusive(async () => {
        await restoreSnapshot(call.bank, nameIn(call));
        return { restored: nameIn(call), clock: await readClock(call.bank) };
      }),
  }),
  controlEndpoint({
    method: 'DELETE',
    path: `${path}/:name`,
    summary: 'Remove a snapshot',
    answer: snapshotRemoved,
    refusals: { 409: busyOrSeeded },
    handle: (call) =>
      call.runExclusive(async () => {
        await removeSnapshot(call.bank, nameIn(call));
        return { removed: nameIn(call) };
      }),
  }),
] as const;

function nameIn({ params }: ControlCall): string {
  return params['name'] ?? '';
}
