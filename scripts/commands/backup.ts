import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerCopy } from '../../engine/check-ledger.ts';
import { requireOurs } from '../../engine/ledger/durable-file.ts';
import { defaultName, isBankName } from '../../api/hosting/bank-name.ts';
import { ledgerProblem } from '../../api/start/ledger-problem.ts';
import { quote, shellWord } from '../../engine/values/text.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { CommandFailed, jsonFlag } from '../cli/command.ts';
import { endSignal } from '../cli/end-signal.ts';
import { writing } from '../cli/file-input.ts';
import { printAnswer } from '../cli/output.ts';

/** Copies a ledger file. It needs no server, and none has to stop: the copy is what one instant left (control-plane.md B8). */
export const backup: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'Copies the ledger file of a running or stopped bank to FILE, whole and checked.',
  flags: {
    '--force': 'Replaces FILE if it exists.',
    '--bank <NAME>': 'Copies the bank NAME in the folder of --banks. Default: the ledger of --ledger.',
    ...jsonFlag,
  },
  settings: ['SANDBANK_LEDGER', 'SANDBANK_BANKS'],
  takesAllSettings: true,
  words: [1, 1],
  notes: [
    'The command reads the ledger file itself, so it runs on the machine or in the container of the bank. The server goes on meanwhile.',
    'The copy has the ledger and its clock, not the snapshots beside it. Only its owner can read it. To restore it, stop the server, put the copy in the place of the ledger, and start the server.',
    'FILE is there only if the copy is whole and passed the check of a start. An interrupted backup changes nothing.',
  ],
  examples: ['sandbank backup kept.sqlite', 'sandbank backup kept.sqlite --force'],
  run: async (given, terminal) => {
    const [file = ''] = given.words;
    const ledger = ledgerOf(given);
    refuseToReplace(file, ledger, given.has('force'));
    const { signal, release } = endSignal({ env: terminal.env });
    const { bytes, fixtures } = await copy(ledger, file, signal).finally(release);
    printAnswer({ given, terminal }, { ledger, file, bytes }, () => [
      `Saved ${file}, ${Math.ceil(bytes / 1024)} KB, and checked it. To open it: ${terminal.program} serve --ledger ${shellWord(file)}${seedFlag(fixtures)}`,
    ]);
  },
};

/** The flag with which a reset of the copy goes back to the same known state. SEED: a request gave it, so it has no file. */
function seedFlag(fixtures: string): string {
  if (fixtures === 'known-state') return '';
  return ` --fixtures ${/^[\w-]+$|\.json$/.test(fixtures) ? shellWord(fixtures) : 'SEED'}`;
}

/** The file of the ledger that the settings name. Throws a CommandFailed if there is none. */
function ledgerOf(given: Arguments): string {
  const { ledger: ofRoot, banks } = given.config();
  const name = given.text('bank') ?? defaultName;
  const isNamed = name !== defaultName;
  if (isNamed && banks === null)
    throw notSaved(
      `--banks names no folder, so the bank ${quote(name, 80)} is in memory. To save it as a bundle: ${given.program} bundle save FILE --bank NAME`,
    );
  if (isNamed && !isBankName(name)) throw notSaved(`${quote(name, 80)} is no name of a bank`);
  const ledger = isNamed ? join(banks ?? '', `${name}.sqlite`) : ofRoot;
  if (ledger === ':memory:')
    throw notSaved(
      `the ledger is in memory. To save a bank of a server as a bundle: ${given.program} bundle save FILE`,
    );
  const flags = ledger === ofRoot ? '--ledger' : '--banks and --bank';
  if (!existsSync(ledger)) throw notSaved(`there is no ledger ${ledger}. Name yours with ${flags}`);
  return ledger;
}

function refuseToReplace(file: string, ledger: string, force: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  const name = quote(file, 200);
  const { dev, ino } = statSync(ledger);
  if (found.dev === dev && found.ino === ino) throw notSaved(`${name} is the ledger itself`);
  if (!found.isFile()) throw notSaved(`${name} is no file`);
  if (!force) throw notSaved(`${name} exists. --force replaces it`);
  requireOurs(file, (beginning) => beginning.toString('latin1', 0, 15) === 'SQLite format 3');
}

/** What goes wrong with the copy, by the codes of SQLite and the system. */
const writes = [
  [/^SQLITE_FULL/, 'there is no room for the copy'],
  [/^SQLITE_IOERR(?!_READ|_SHORT)/, 'the disk does not take the copy'],
] as const;

async function copy(ledger: string, file: string, stopping: AbortSignal): Promise<LedgerCopy> {
  // Loaded here only, so that the other commands start faster.
  const { backUpLedger } = await import('../../engine/check-ledger.ts');
  try {
    return await writing(file, () => backUpLedger(ledger, file, stopping));
  } catch (error) {
    if (stopping.aborted) throw notSaved('the command was interrupted');
    const { code = '' } = Object(error) as { readonly code?: unknown };
    // The ledger is only read.
    const [, problem] = writes.find(([written]) => written.test(String(code))) ?? [];
    throw problem === undefined ? (ledgerProblem(error, ledger) ?? error) : notSaved(`${problem} ${quote(file, 200)}`);
  }
}

function notSaved(why: string): CommandFailed {
  return new CommandFailed(`nothing was saved: ${why}`);
}
