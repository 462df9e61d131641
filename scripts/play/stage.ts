import { readConfig } from '../../api/start/config.ts';
import { bankOf, type BanksOfServer, makeBank, type Scenario } from '../../api/catalogue/scenario.ts';
import type { Arguments } from '../cli/arguments.ts';
import type { ServerCall } from '../cli/server-command.ts';
import { bankAddress, pathPart } from '../cli/bank-address.ts';
import { CommandFailed } from '../cli/command.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { endSignal } from '../cli/end-signal.ts';
import { readinessOf } from '../cli/readiness.ts';

/** The server that a scenario is played in. */
interface Server {
  /** Without a slash at the end. */
  readonly address: string;
  /** Stops a server that was started for the scenario. */
  readonly stop: (() => Promise<void>) | null;
}

/** A bank of its own for one scenario, so that no other bank's clock or data is moved. */
export interface Stage {
  /** Name of the bank. */
  readonly bank: string;
  /** Address of the bank, without a slash at the end. */
  readonly address: string;
  /** Token of the control plane, if it needs one. */
  readonly token: string | null;
  /** Whether the server was there before. */
  readonly isBorrowed: boolean;
  /** Aborted when the person ends the program, such as by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface StageOptions {
  /** What its bank is called without `--bank`, before `-1`. */
  readonly called: string;
  /** Whether its bank stays when the work succeeded. */
  readonly keeps: boolean;
}

/** How long the bank is taken away after a signal to end, in ms. */
const removalTimeoutMs = 5_000;

/**
 * Makes the bank of a scenario, in the server that runs or in one in memory, and does the work in it. Removes the bank
 * afterwards, unless it is to stay; after a failure, or when the person ends it, it stays only with `--keep`.
 */
export async function onStage<Result>(
  scenario: Scenario,
  { given, terminal }: ServerCall,
  { called, keeps }: StageOptions,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const server = await findServer(given);
  const { signal, release } = endSignal(terminal);
  // Ends the process when taking the bank away lasts longer.
  signal.addEventListener('abort', () => void setTimeout(() => process.exit(1), removalTimeoutMs).unref());
  try {
    const root = new ControlPlaneClient(given, () => ({ server: server.address, path: '' }));
    const wanted = given.text('bank');
    const banks = banksOf(root);
    if (wanted !== undefined) await banks.make({ name: wanted, ...bankOf(scenario) });
    const bank = wanted ?? (await makeBank(scenario, called, banks));
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
      if (!stays && server.stop === null)
        await root.ask('DELETE /banks/:name', 'removed', { params: { name: bank } }).catch(() => undefined);
    }
  } finally {
    release();
    await server.stop?.();
  }
}

async function findServer(given: Arguments): Promise<Server> {
  const { server: address } = bankAddress(given);
  const isNamed = ['port', 'host'].some((flag) => given.has(flag)) || (given.env['BANK'] ?? '') !== '';
  if ((await readinessOf(address)).state.status !== null) return { address, stop: null };
  if (isNamed)
    throw new CommandFailed(
      `no Sandbank answers at ${address}: start it, or leave out --port, --host and BANK, and one is started for this`,
    );
  // Loaded here only, so that it starts faster in a running server.
  const { startServer } = await import('../../api/hosting/server.ts');
  return startServer(readConfig({}, ['--port=0', '--ledger=:memory:']));
}

function banksOf(root: ControlPlaneClient): BanksOfServer {
  return {
    names: async () => {
      const { banks } = await root.ask('GET /banks', 'banks');
      return banks.map(({ name }) => name);
    },
    make: async (body) => void (await root.ask('POST /banks', 'clock', { body })),
  };
}
