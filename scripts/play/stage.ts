import { readConfig } from '../../api/start/config.ts';
import type { Scenario } from '../../api/catalogue/scenario.ts';
import type { Arguments } from '../cli/arguments.ts';
import { bankAddress, pathPart } from '../cli/bank-address.ts';
import { CommandFailed } from '../cli/command.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { endSignal } from '../cli/end-signal.ts';
import { isServed } from '../cli/is-served.ts';
import type { Terminal } from '../cli/terminal.ts';

/** The server that a scenario is played in. */
interface Server {
  /** Without a slash at the end. */
  readonly address: string;
  /** Stops a server that was started for the scenario; null: the server was there before. */
  readonly stop: (() => Promise<void>) | null;
}

/** A bank of its own for one scenario, so that no other bank's clock or data is moved. */
export interface Stage {
  /** Name of the bank. */
  readonly bank: string;
  /** Address of the bank, without a slash at the end. */
  readonly address: string;
  /** Token of the control plane; null: none is needed. */
  readonly token: string | null;
  /** Whether the server was there before. */
  readonly isBorrowed: boolean;
  /** Aborted when the person ends the program, such as by Ctrl-C. */
  readonly signal: AbortSignal;
}

interface StageOptions {
  readonly terminal: Terminal;
  /** What its bank is called without `--bank`, before `-1`. */
  readonly called: string;
  /** Whether its bank stays when the work succeeded. */
  readonly keeps: boolean;
}

/** How long the bank is taken away after a signal to end, in ms. */
const patience = 5_000;

/** How many of one scenario may start at the same moment. */
const mostRivals = 8;

/**
 * Makes the bank of a scenario, in the server that runs or in one in memory, and does the work in it. Removes the bank
 * afterwards, unless it is to stay; after a failure, or when the person ends it, it stays only with `--keep`.
 */
export async function onStage<Result>(
  scenario: Scenario,
  given: Arguments,
  { called, keeps, terminal }: StageOptions,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const server = await findServer(given);
  const { signal, release } = endSignal(terminal);
  signal.addEventListener('abort', endLater);
  try {
    const root = new ControlPlaneClient(given, { server: server.address, path: '', isFromBank: false });
    const bank = await makeBank(root, scenario, called, given.text('bank'));
    let stays = given.has('keep');
    try {
      const result = await work({
        bank,
        address: `${server.address}/banks/${pathPart(bank)}`,
        token: server.stop === null ? given.config().controlToken : null,
        isBorrowed: server.stop === null,
        signal,
      });
      stays ||= keeps;
      return result;
    } finally {
      // The failure of the work is the one to tell.
      if (!stays && server.stop === null) await removeBank(root, bank).catch(() => undefined);
    }
  } finally {
    release();
    await server.stop?.();
  }
}

/** Ends the process when taking the bank away lasts longer. */
function endLater(): void {
  setTimeout(() => process.exit(1), patience).unref();
}

async function findServer(given: Arguments): Promise<Server> {
  const { server: address, isFromBank } = bankAddress(given);
  if (await isServed(address)) return { address, stop: null };
  if (isFromBank || given.has('port') || given.has('host')) {
    const advice = isFromBank ? 'unset BANK' : 'leave out --port and --host';
    throw new CommandFailed(`no Sandbank answers at ${address}: start it, or ${advice}, and one is started for this`);
  }
  // Loaded here only, so that it starts faster in a running server.
  const { startServer } = await import('../../api/hosting/server.ts');
  return startServer(readConfig({}, ['--port=0', '--ledger=:memory:']));
}

/** What `POST /sandbox/banks` takes for a scenario; left out of the data is what is the same for nearly all. */
export function bankOf({ bank }: Scenario): Required<Scenario['bank']> {
  return { mode: 'frozen', fixtures: 'known-state', quirks: [], ...bank };
}

/** Without a wanted name it has the first free one of NAME-1, NAME-2, ... */
async function makeBank(
  root: ControlPlaneClient,
  scenario: Scenario,
  called: string,
  wanted: string | undefined,
): Promise<string> {
  const make = async (name: string): Promise<string> => {
    await root.ask<{ clock: object }>('POST', '/banks', 'clock', { name, ...bankOf(scenario) });
    return name;
  };
  if (wanted !== undefined) return make(wanted);
  const { banks } = await root.ask<{ banks: readonly { name: string }[] }>('GET', '/banks', 'banks');
  const taken = new Set(banks.map(({ name }) => name));
  let number = 1;
  while (taken.has(`${called}-${number}`)) number += 1;
  for (const last = number + mostRivals; number < last; number += 1) {
    // Another one may be making the same bank.
    const made = await make(`${called}-${number}`).catch(() => null);
    if (made !== null) return made;
  }
  return make(`${called}-${number}`);
}

async function removeBank(root: ControlPlaneClient, name: string): Promise<void> {
  await root.ask<{ removed: string }>('DELETE', `/banks/${pathPart(name)}`, 'removed');
}
