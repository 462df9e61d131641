import type { Terminal } from '../cli/terminal.ts';
import type { Arguments } from '../cli/arguments.ts';
import { pathPart, serverNote } from '../cli/bank-address.ts';
import type { Command } from '../cli/command.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';
import { takeAction, type Action } from '../cli/take-action.ts';

interface SnapshotAnswer {
  readonly name: string;
  readonly now: string;
}

/** `/sandbox/snapshots` of a server. */
export const snapshot: Command = {
  name: 'snapshot',
  usage: 'save NAME | list | restore NAME | remove NAME',
  summary: 'Keeps ledger and clock under a name, and goes back to it.',
  flags: [bankFlag],
  settings: serverSettings,
  words: [1, 2],
  notes: ['The snapshot seeded is there from the start: sandbank reset restores it, and keeps the others.', serverNote],
  run: (given, terminal) => takeAction(snapshot, actions, given, terminal),
};

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['save', { names: true, run: save }],
  ['list', { names: false, run: list }],
  ['restore', { names: true, run: restore }],
  ['remove', { names: true, run: remove }],
]);

async function save(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const saved = await new ControlPlaneClient(given).ask<SnapshotAnswer>('POST', '/snapshots', 'name', { name });
  terminal.out(`Saved ${saved.name} at ${saved.now}.`);
}

async function list(given: Arguments, terminal: Terminal): Promise<void> {
  const client = new ControlPlaneClient(given);
  const { snapshots } = await client.ask<{ snapshots: readonly SnapshotAnswer[] }>('GET', '/snapshots', 'snapshots');
  const width = Math.max(...snapshots.map(({ name }) => name.length));
  for (const { name, now } of snapshots) terminal.out(`${name.padEnd(width)}  ${now}`);
}

async function restore(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/snapshots/${pathPart(name)}/restore`;
  const { clock } = await new ControlPlaneClient(given).ask<{ clock: { now: string; mode: string } }>(
    'POST',
    path,
    'clock',
  );
  terminal.out(`Restored ${name}: the bank clock shows ${clock.now} (${clock.mode}).`);
}

async function remove(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/snapshots/${pathPart(name)}`;
  await new ControlPlaneClient(given).ask<{ removed: string }>('DELETE', path, 'removed');
  terminal.out(`Removed ${name}.`);
}
