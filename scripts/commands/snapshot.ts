import type { Terminal } from '../cli/terminal.ts';
import type { Arguments } from '../cli/arguments.ts';
import { pathPart, serverNote } from '../cli/bank-address.ts';
import type { Command } from '../cli/command.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';
import { jsonFlag, printAnswer } from '../cli/json-output.ts';
import { actionWords, takeAction, type Action } from '../cli/take-action.ts';

interface SnapshotAnswer {
  readonly name: string;
  readonly now: string;
}

/** `/sandbox/snapshots` of a server. */
export const snapshot: Command = {
  name: 'snapshot',
  usage: 'save NAME | list | restore NAME | remove NAME',
  summary: 'Saves the ledger and the clock under a name, and goes back to them.',
  flags: [bankFlag, jsonFlag],
  settings: serverSettings,
  words: actionWords,
  notes: [
    'The snapshot seeded is there from the start: `sandbank reset` restores it, and keeps the others.',
    serverNote,
  ],
  examples: [
    'sandbank snapshot save before',
    'sandbank snapshot list',
    'sandbank snapshot restore before',
    'sandbank snapshot remove before',
  ],
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
  printAnswer(given, terminal, saved, () => [`Saved ${saved.name} at ${saved.now}.`]);
}

async function list(given: Arguments, terminal: Terminal): Promise<void> {
  const client = new ControlPlaneClient(given);
  const answer = await client.ask<{ snapshots: readonly SnapshotAnswer[] }>('GET', '/snapshots', 'snapshots');
  printAnswer(given, terminal, answer, ({ snapshots }) => {
    const width = Math.max(...snapshots.map(({ name }) => name.length));
    return snapshots.map(({ name, now }) => `${name.padEnd(width)}  ${now}`);
  });
}

async function restore(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/snapshots/${pathPart(name)}/restore`;
  const answer = await new ControlPlaneClient(given).ask<{ clock: { now: string; mode: string } }>(
    'POST',
    path,
    'clock',
  );
  printAnswer(given, terminal, answer, ({ clock }) => [
    `Restored ${name}: the bank clock shows ${clock.now} (${clock.mode}).`,
  ]);
}

async function remove(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/snapshots/${pathPart(name)}`;
  const answer = await new ControlPlaneClient(given).ask<{ removed: string }>('DELETE', path, 'removed');
  printAnswer(given, terminal, answer, () => [`Removed ${name}.`]);
}
