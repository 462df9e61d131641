import type { Terminal } from '../cli/terminal.ts';
import type { Arguments } from '../cli/arguments.ts';
import type { Command } from '../cli/command.ts';
import { bankAddress, pathPart, serverNote } from '../cli/bank-address.ts';
import { ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';
import { takeAction, type Action } from '../cli/take-action.ts';

interface BankAnswer {
  readonly name: string;
  readonly interface: string;
  readonly fixtures: string;
}

/** `/sandbox/banks` of a server: more banks in its process, in memory. */
export const bank: Command = {
  name: 'bank',
  usage: 'list | create NAME | remove NAME',
  summary: 'Makes and removes more banks in the server, at /banks/NAME, in memory.',
  flags: [],
  settings: [...serverSettings, 'SANDBANK_CLOCK_NOW', 'SANDBANK_CLOCK_MODE', 'SANDBANK_FIXTURES', 'SANDBANK_QUIRKS'],
  words: [1, 2],
  notes: [
    'The flags --clock-now, --clock-mode, --fixtures and --quirks are those of the new bank; without one it has what the',
    'server has. The other commands reach it with --bank NAME.',
    serverNote,
  ],
  run: (given, terminal) => takeAction(bank, actions, given, terminal),
};

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['list', { names: false, run: list }],
  ['create', { names: true, run: create }],
  ['remove', { names: true, run: remove }],
]);

async function list(given: Arguments, terminal: Terminal): Promise<void> {
  const client = clientAtRoot(given);
  const { banks } = await client.ask<{ banks: readonly BankAnswer[] }>('GET', '/banks', 'banks');
  const width = Math.max(...banks.map(({ name }) => name.length));
  for (const one of banks) terminal.out(`${one.name.padEnd(width)}  ${one.interface}  ${one.fixtures}`);
}

/** Uses flags only: environment variables are settings of the server. */
async function create(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const { quirks } = given.config();
  const body = {
    name,
    ...(given.has('fixtures') && { fixtures: given.text('fixtures') }),
    ...(given.has('clock-now') && { now: given.text('clock-now') }),
    ...(given.has('clock-mode') && { mode: given.text('clock-mode') }),
    ...(given.has('quirks') && { quirks: [...quirks] }),
  };
  type Created = BankAnswer & { readonly clock: { readonly now: string; readonly mode: string } };
  const { clock, interface: at } = await clientAtRoot(given).ask<Created>('POST', '/banks', 'clock', body);
  terminal.out(`Made ${name} at ${at}: the bank clock shows ${clock.now} (${clock.mode}).`);
}

async function remove(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  await clientAtRoot(given).ask<{ removed: string }>('DELETE', `/banks/${pathPart(name)}`, 'removed');
  terminal.out(`Removed ${name}.`);
}

/** Only the control plane at the root has `/banks`, even if `$BANK` names another bank. */
function clientAtRoot(given: Arguments): ControlPlaneClient {
  return new ControlPlaneClient(given, { ...bankAddress(given), path: '' });
}
