import type { Static } from '../../api/bodies/schema.ts';
import type { snapshot as saved, snapshotList, snapshotRestored } from '../../api/control/ledger/snapshots.ts';
import { pathPart } from '../cli/bank-address.ts';
import { columns, printAnswer } from '../cli/output.ts';
import { byVerb, serverCommand, type ServerCall } from '../cli/server-command.ts';

/** `/sandbox/snapshots` of a server. */
export const snapshot = serverCommand({
  name: 'snapshot',
  usage: '(save NAME | list | restore NAME | remove NAME)',
  summary: 'Saves the ledger and the clock under a name, and restores them.',
  notes: ['The snapshot called seeded always exists. `sandbank reset` restores it and keeps the others.'],
  examples: [
    'sandbank snapshot save before',
    'sandbank snapshot list',
    'sandbank snapshot restore before',
    'sandbank snapshot remove before',
  ],
  ...byVerb('snapshot', {
    save: { names: true, run: save },
    list: { names: false, run: list },
    restore: { names: true, run: restore },
    remove: { names: true, run: remove },
  }),
});

async function save(call: ServerCall, name: string): Promise<void> {
  const answer = await call.client.ask<Static<typeof saved>>('POST', '/snapshots', 'name', { name });
  printAnswer(call, answer, ({ now }) => [`Saved ${name} at ${now}.`]);
}

async function list(call: ServerCall): Promise<void> {
  const answer = await call.client.ask<Static<typeof snapshotList>>('GET', '/snapshots', 'snapshots');
  printAnswer(call, answer, ({ snapshots }) => columns(snapshots.map((each) => [each.name, each.now])));
}

async function restore(call: ServerCall, name: string): Promise<void> {
  const path = `/snapshots/${pathPart(name)}/restore`;
  const answer = await call.client.ask<Static<typeof snapshotRestored>>('POST', path, 'clock');
  printAnswer(call, answer, ({ clock }) => [`Restored ${name}: the bank clock shows ${clock.now} (${clock.mode}).`]);
}

async function remove(call: ServerCall, name: string): Promise<void> {
  const path = `/snapshots/${pathPart(name)}`;
  const answer = await call.client.ask<{ removed: string }>('DELETE', path, 'removed');
  printAnswer(call, answer, () => [`Removed ${name}.`]);
}
