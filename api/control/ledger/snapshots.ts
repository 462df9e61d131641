import { ledgerBytes, listSnapshots, removeSnapshot, saveSnapshot } from '../../../engine/bank/snapshots.ts';
import { restoreSnapshot } from '../../../engine/reset-and-restore.ts';
import { clock, clockIsBusy, answeredInstant, listAnswer } from '../answers.ts';
import { closed, text } from '../../bodies/schema.ts';
import { controlEndpoint } from '../control-endpoint.ts';
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
  controlEndpoint('POST /snapshots', {
    adds: true,
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
  controlEndpoint('GET /snapshots', {
    summary: 'List the snapshots',
    answer: snapshotList,
    handle: async ({ bank }) => ({ snapshots: await listSnapshots(bank) }),
  }),
  controlEndpoint('POST /snapshots/:name/restore', {
    summary: 'Go back to a snapshot',
    answer: snapshotRestored,
    refusals: { 409: clockIsBusy },
    handle: (call) =>
      call.runExclusive(async () => {
        await restoreSnapshot(call.bank, call.params.name);
        return { restored: call.params.name, clock: await readClock(call.bank) };
      }),
  }),
  controlEndpoint('DELETE /snapshots/:name', {
    summary: 'Remove a snapshot',
    answer: snapshotRemoved,
    refusals: { 409: busyOrSeeded },
    handle: (call) =>
      call.runExclusive(async () => {
        await removeSnapshot(call.bank, call.params.name);
        return { removed: call.params.name };
      }),
  }),
] as const;
