import { writeFileSync } from 'node:fs';
import { bundleType } from '../../../api/control/control-endpoint.ts';
import { serverNote } from '../../cli/bank-address.ts';
import type { Arguments } from '../../cli/arguments.ts';
import type { Command } from '../../cli/command.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from '../../cli/control-plane-client.ts';
import { writing } from '../../cli/file-input.ts';
import { jsonFlag, printAnswer } from '../../cli/json-output.ts';
import { actionWords, takeAction, type Action } from '../../cli/take-action.ts';
import type { Terminal } from '../../cli/terminal.ts';

/** `GET /sandbox/bundle` of a server. */
export const bundle: Command = {
  name: 'bundle',
  usage: 'save FILE',
  summary: 'Saves a bank as one file: its ledger, clock, requests and settings.',
  flags: [bankFlag, { ...jsonFlag, what: 'Prints the name and the size of the file as JSON.' }],
  settings: serverSettings,
  words: actionWords,
  notes: [
    'The file has no private key and no control token. `sandbank open` opens it, also on another machine.',
    serverNote,
  ],
  examples: ['sandbank bundle save before.sandbank'],
  run: (given, terminal) => takeAction(bundle, actions, given, terminal),
};

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([['save', { names: true, run: save }]]);

async function save(given: Arguments, terminal: Terminal, file: string): Promise<void> {
  const bytes = await new ControlPlaneClient(given).download('/bundle', bundleType);
  await writing(() => writeFileSync(file, bytes));
  printAnswer(given, terminal, { file, bytes: bytes.length }, () => [
    `Saved ${file}, ${Math.ceil(bytes.length / 1024)} KB. To open it: sandbank open ${file}`,
  ]);
}
