import type { Static } from '../../api/bodies/schema.ts';
import type { snapshot as saved, snapshotList, snapshotRestored } from '../../api/control/ledger/snapshots.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Arguments } from '../cli/arguments.ts';
import { pathPart } from '../cli/bank-address.ts';
import { byVerb, serverCommand } from '../cli/command.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { columns, printAnswer } from '../cli/output.ts';

/** `/sandbox/snapshots` of a server. */
export const snapshot = serverCommand({
  name: 'snapshot',
  usage: 'save NAME | list | restore NAME | remove NAME',
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

async function save(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const client = new ControlPlaneClient(given);
  const answer = await client.ask<Static<typeof saved>>('POST', '/snapshots', 'name', { name });
  printAnswer(given, terminal, answer, ({ now }) => [`Saved ${name} at ${now}.`]);
}

async function list(given: Arguments, terminal: Terminal): Promise<void> {
  const client = new ControlPlaneClient(given);
  const answer = await client.ask<Static<typeof snapshotList>>('GET', '/snapshots', 'snapshots');
  printAnswer(given, terminal, answer, ({ snapshots }) => columns(snapshots.map((each) => [each.name, each.now])));
}

async function restore(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/snapshots/${pathPart(name)}/restore`;
  const client = new ControlPlaneClient(given);
  const answer = await client.ask<Static<typeof snapshotRestored>>('POST', path, 'clock');
  printAnswer(given, terminal, answer, ({ clock }) => [
    `Restored ${name}: the bank clock shows ${clock.now} (${clock.mode}).`,
  ]);
}

async function remove(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/snapshots/${pathPart(name)}`;
  const answer = await new ControlPlaneClient(given).ask<{ removed: string }>('DELETE', path, 'removed');
  printAnswer(given, terminal, answer, () => [`Removed ${name}.`]);
}
