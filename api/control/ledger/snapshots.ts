import { formatInstant } from '../../../engine/values/instant.ts';
import { listSnapshots, removeSnapshot, saveSnapshot, type Snapshot } from '../../../engine/bank/snapshots.ts';
import { restoreSnapshot } from '../../../engine/reset-bank.ts';
import { snapshotBody } from './snapshot-body.ts';
import { controlEndpoint, type ControlCall, type ControlEndpoint } from '../control-endpoint.ts';
import { formatClock } from '../clock/get-clock.ts';

const path = '/snapshots';

/** `/sandbox/snapshots`: ledger and clock together, by name. `seeded` always exists; a reset restores it. */
export const snapshots: readonly ControlEndpoint[] = [
  controlEndpoint({
    method: 'POST',
    path,
    body: snapshotBody,
    handle: (call) => {
      const { name } = call.readBody();
      return call.runExclusive(async () => formatSnapshot(await saveSnapshot(call.bank, name)));
    },
  }),
  {
    method: 'GET',
    path,
    handle: async ({ bank }) => ({ snapshots: (await listSnapshots(bank)).map(formatSnapshot) }),
  },
  {
    method: 'DELETE',
    path: `${path}/:name`,
    handle: (call) =>
      call.runExclusive(async () => {
        await removeSnapshot(call.bank, nameIn(call));
        return { removed: nameIn(call) };
      }),
  },
  {
    method: 'POST',
    path: `${path}/:name/restore`,
    handle: (call) =>
      call.runExclusive(async () => {
        await restoreSnapshot(call.bank, nameIn(call));
        return { restored: nameIn(call), clock: await formatClock(call.bank) };
      }),
  },
];

function nameIn({ params }: ControlCall): string {
  return params['name'] ?? '';
}

function formatSnapshot({ name, now }: Snapshot): object {
  return { name, now: formatInstant(now) };
}
