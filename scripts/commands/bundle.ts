import { replaceOwn } from '../../engine/ledger/durable-file.ts';
import { isBundle } from '../../api/start/ledger-problem.ts';
import { bundleType } from '../../api/control/control-endpoint.ts';
import { reading, writing } from '../cli/file-input.ts';
import { printAnswer } from '../cli/output.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { quote, shellWord } from '../../engine/values/text.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import type { Bundle } from '../../api/hosting/bundle/bundle.ts';
import { boundedFile, openedSnapshot } from '../../api/hosting/bundle/bundle-file.ts';
import { flagsTo } from '../cli/bank-address.ts';
import { commandOfVerbs } from '../cli/plain-command.ts';
import type { ServerCall } from '../cli/server-command.ts';
import { runServer } from '../cli/run-server.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** `GET /sandbox/bundle` of a server. */
export const bundle = commandOfVerbs(
  {
    name: 'bundle',
    summary: 'Saves a bank as one file: its ledger, clock, requests and settings.',
    notes: ['The file has no private key and no control token. `sandbank open` opens it, also on another machine.'],
    examples: ['sandbank bundle save before.sandbank'],
  },
  { save: { summary: 'Save a bank as one file.', words: ['FILE'], run: save } },
);

async function save(call: ServerCall, [file = '']: readonly string[]): Promise<void> {
  const bytes = await call.client.download('/bundle', bundleType);
  await writing(file, () => replaceOwn(file, bytes, isBundle, 0o600));
  printAnswer(call, { file, bytes: bytes.length }, () => [
    `Saved ${file}, ${Math.ceil(bytes.length / 1024)} KB. To open it: ${call.given.program} open ${shellWord(file)}`,
  ]);
}

/** The settings of a server that a bundle does not have. */
const own = ['HOST', 'SANDBANK_CONTROL_TOKEN', 'SANDBANK_LOG_LEVEL'];

/** A server of the bank in a bundle. */
export const open: Command = {
  name: 'open',
  usage: 'FILE',
  summary: 'Opens a saved bank with a frozen clock. Runs until Ctrl-C.',
  flags: {
    // Not the setting PORT: the bank at that port runs already, so neither its default nor its variable fits here.
    '--port <N>': 'The port to listen on. Default: a free port.',
    '--json': 'Prints the addresses and the bank time as one line of JSON.',
  },
  settings: own,
  words: [1, 1],
  notes: [
    'The bank is in memory, so the file does not change.',
    `\`sandbank snapshot restore ${openedSnapshot}\`, with the printed port, restores the bank as it was saved, as often as you like. \`sandbank reset\` restores its known state.`,
  ],
  examples: ['sandbank open before.sandbank'],
  run: async (given, terminal) => {
    const [file = ''] = given.words;
    // Loaded here only, so that the other commands start faster.
    const { configOfBundle } = await import('../../api/hosting/bundle/bundle.ts');
    const bundle = await readBundleIn(file, given.program);
    await runServer(
      configOfBundle(bundle, { flags: ownFlags(given) }),
      terminal,
      ({ address }) => {
        const now = formatInstant(bundle.copied.now);
        const opened = { address, console: `${address}/console`, now, snapshot: openedSnapshot };
        const lines = [
          `Opened      ${file}`,
          `Sandbank    ${address}`,
          `Bank time   ${now} (frozen)`,
          `Console     ${opened.console}`,
          `Requests    ${bundle.entries.length}: ${address}/sandbox/requests`,
          `Back here   ${given.program} snapshot restore ${openedSnapshot}${flagsTo(address, terminal.env)}`,
        ];
        for (const line of given.has('json') ? [JSON.stringify(opened)] : lines) terminal.out(line);
      },
      { bundle },
    );
  },
};

/** The bundle in a file. Throws a WrongUse for a file that cannot be read, a Mistake for one that is no bundle. */
async function readBundleIn(file: string, program: string): Promise<Bundle> {
  const { readBundle } = await import('../../api/hosting/bundle/bundle.ts');
  const name = quote(file, 200);
  const bytes = reading(name, () => boundedFile(file));
  if (bytes === null) throw new Mistake(`${name} is no bundle of Sandbank`);
  try {
    return await readBundle(bytes);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const isLedger = bytes.toString('latin1', 0, 15) === 'SQLite format 3';
    const instead = isLedger ? `. It is a ledger: ${program} serve --ledger ${shellWord(file)}` : '';
    throw new Mistake(`${name} ${error.message}${instead}`);
  }
}

/** The settings of a server that a bundle does not have, as flags. */
function ownFlags(given: Arguments): string[] {
  const { host, controlToken, logLevel } = given.config();
  const port = given.text('port') ?? '0';
  return [`--port=${port}`, `--host=${host}`, `--control-token=${controlToken ?? ''}`, `--log-level=${logLevel}`];
}
