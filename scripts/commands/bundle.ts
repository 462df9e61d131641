import { writeFileSync } from 'node:fs';
import { bundleType } from '../../api/control/control-endpoint.ts';
import { byVerb, jsonFlag, serverCommand } from '../cli/command.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { writing } from '../cli/file-input.ts';
import { printAnswer } from '../cli/output.ts';
import type { Arguments } from '../cli/arguments.ts';
import type { Terminal } from '../cli/terminal.ts';

/** `GET /sandbox/bundle` of a server. */
export const bundle = serverCommand({
  name: 'bundle',
  usage: 'save FILE',
  summary: 'Saves a bank as one file: its ledger, clock, requests and settings.',
  flags: [{ ...jsonFlag, what: 'Prints the name and the size of the file as JSON.' }],
  notes: ['The file has no private key and no control token. `sandbank open` opens it, also on another machine.'],
  examples: ['sandbank bundle save before.sandbank'],
  ...byVerb('bundle', {
    save: { names: true, run: save },
  }),
});

async function save(given: Arguments, terminal: Terminal, file: string): Promise<void> {
  const bytes = await new ControlPlaneClient(given).download('/bundle', bundleType);
  await writing(() => writeFileSync(file, bytes));
  printAnswer(given, terminal, { file, bytes: bytes.length }, () => [
    `Saved ${file}, ${Math.ceil(bytes.length / 1024)} KB. To open it: sandbank open ${file}`,
  ]);
}
