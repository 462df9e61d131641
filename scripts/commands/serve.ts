import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bank } from '../../engine/open-bank.ts';
import { quirkTexts } from '../../engine/bank/rules/quirk.ts';
import type { Beginning } from '../../engine/bank/read-clock.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import type { RunningServer } from '../../api/hosting/server.ts';
import { addressOf, isLoopback } from '../../api/pipeline/addresses.ts';
import { flagsTo } from '../cli/bank-address.ts';
import { printError } from '../cli/output.ts';
import { runServer } from '../cli/run-server.ts';
import { oneLine, shellWord } from '../../engine/values/text.ts';
import {
  type Config,
  lackingQuirks,
  lackingWords,
  ownContainer,
  readConfig,
  sandboxCaFile,
  trialFile,
} from '../../api/start/config.ts';
import type { Arguments, Command } from '../cli/arguments.ts';

/** Starts the server, prints its address and bank time, and runs until a signal ends it. */
export const serve: Command = {
  name: 'serve',
  usage: '[--SETTING VALUE]...',
  summary: 'Starts the bank. Runs until Ctrl-C or SIGTERM.',
  flags: {
    '--json': 'Prints address and bank time as one line of JSON. The log is always JSON lines.',
    '--platform': 'Makes a bank for each bank of the platform too, at /banks/ID.',
  },
  settings: 'all',
  notes: [],
  examples: ['sandbank serve --port 0 --ledger :memory: --clock-now 2027-03-24'],
  run: async (given, terminal) => {
    // Loaded under a gauntlet only.
    const trials = trialFile() === null ? null : await import('../../api/gauntlet/own-trial.ts');
    const trial = (await trials?.trialOfNextBank()) ?? null;
    const config = await given.configOfProfile(trial);
    const isNew = config.ledger !== ':memory:' && !existsSync(config.ledger);
    // Loaded here only, so that the other commands start faster.
    const { readBeginning } = await import('../../engine/bank/read-clock.ts');
    const { platformIds } = await import('../../api/start/platform.ts');
    const platform = given.has('platform') ? platformIds() : null;
    const tell = async (server: RunningServer): Promise<void> => {
      const isJson = given.has('json');
      const container = ownContainer(terminal.env);
      const exec = container === null ? null : `docker exec ${container} sandbank`;
      const here = (command: string): string =>
        exec === null ? `${terminal.program} ${command}${flagsTo(server.address, terminal.env)}` : `${exec} ${command}`;
      const banks = platform !== null && { banks: `${server.address}/sandbox/banks` };
      const told = { ...(await startOf(server, config, isNew)), ...banks };
      // One line, as each line of the log is.
      if (isJson) terminal.out(JSON.stringify(told));
      else {
        const demo = (exec === null ? demoTrust(server.address, config) : '') + here('demo');
        for (const line of greeting(told, lackingWords(config, server.bank.quirks), demo)) terminal.out(line);
      }
      const warnings = ignoredSettings(given, config, {
        quirks: server.bank.quirks,
        began: await readBeginning(server.bank),
        reset: here('reset'),
      });
      if (config.controlToken === null && !isLoopback(addressOf(server.listensOn, config.port)))
        warnings.push(`Warning: ${config.host} can be reached from outside and SANDBANK_CONTROL_TOKEN is not set.`);
      if (config.tls && config.tlsCert === null && !isJson) {
        terminal.out(`CA          ${caPlace(server.address, config.ledger, container)}`);
        terminal.out(`Trust it    ${server.address}/docs/signing/https`);
      }
      for (const warning of warnings) printError(isJson, terminal, warning);
    };
    await runServer(config, terminal, tell, { trial, ...(platform !== null && { platform }) });
  },
};

/** What a start tells: the ledger file that it made, if any, and the customer numbers of some private customers. */
async function startOf({ address, bank }: RunningServer, { profile, ledger }: Config, isNew: boolean) {
  // Loaded here only, so that the other commands start faster.
  const { readClock } = await import('../../engine/bank/read-clock.ts');
  const { listPsus } = await import('../../engine/sandbox-data/psus.ts');
  const { now, mode, nextRun } = await readClock(bank);
  return {
    address,
    profile: profile === null ? null : { id: profile.id, name: profile.name },
    newLedger: isNew ? ledger : null,
    now: formatInstant(now),
    mode,
    nextRun: formatInstant(nextRun.at),
    psus: (await listPsus(bank)).slice(0, 4).map(({ customerNumber }) => customerNumber),
  };
}

/** Where a client gets the CA of this server: a file, or the command that downloads it. */
function caPlace(address: string, ledger: string, container: string | null): string {
  const file = caFile(ledger);
  if (ledger === ':memory:') return `curl -k ${address}/sandbox/ca -o ${file}`;
  return container === null ? oneLine(file, 200) : `docker cp ${container}:${file} .`;
}

/** What the line of the demo needs to trust this server, in any folder: nothing if the demo finds the CA by itself. */
function demoTrust(address: string, { ledger, tls, tlsCert }: Config): string {
  if (!tls || tlsCert !== null || ledger === readConfig({}, []).ledger) return '';
  const file = shellWord(resolve(caFile(ledger)));
  const fetched = ledger === ':memory:' ? `curl -sSk ${address}/sandbox/ca -o ${file} && ` : '';
  return `${fetched}NODE_EXTRA_CA_CERTS=${file} `;
}

/** The certificate of the sandbox CA beside a ledger; of one in memory, where a client keeps it. */
function caFile(ledger: string): string {
  return ledger === ':memory:' ? 'sandbox-ca.crt' : sandboxCaFile(ledger, 'crt');
}

function greeting(
  {
    address,
    profile,
    banks,
    newLedger,
    now,
    mode,
    nextRun,
    psus,
  }: Awaited<ReturnType<typeof startOf>> & { banks?: string },
  lacking: string,
  firstSteps: string,
): string[] {
  return [
    `Sandbank    ${address}`,
    profile !== null &&
      `Profile     ${profile.name} (${profile.id})${lacking}; what is known of it: ${address}/console/quirks`,
    banks !== undefined && `Platform    ${banks} lists its banks`,
    banks !== undefined && `When        ${address}/console/when shows when each pays`,
    newLedger !== null && `New ledger  ${oneLine(newLedger, 200)}`,
    `Bank time   ${now} (${mode})`,
    `Next run    ${nextRun}`,
    `PSUs        ${psus.join(' ')}; all: ${address}/sandbox/info`,
    `First steps ${firstSteps}`,
  ].filter((line) => line !== false);
}

/**
 * The settings of a new ledger that were given and that this one does not have, one line each with the command that
 * applies it (control-plane.md C5). Every reset applies the fixtures. `reset` is the start of that command, which names
 * the server.
 */
function ignoredSettings(
  given: Arguments,
  config: Config,
  { quirks, began, reset }: Pick<Bank, 'quirks'> & { readonly began: Beginning; readonly reset: string },
): string[] {
  const { ledger, clockNow, clockMode, fixtures } = config;
  const [asked, held, lacking] = [quirkTexts(config.quirks), quirkTexts(quirks), lackingQuirks(config, quirks)].map(
    (each) => each.join(','),
  );
  const switched = `since a call of PUT /sandbox/quirks the ledger ${ledger} has ${held === '' ? 'no quirks' : `the quirks ${held}`}`;
  const own = config.profile?.id ?? null;
  const other = (flag: string, value: string, began: string, what = 'is ignored'): string => {
    const [word, ofReset] = [flag, flag.replace('clock-', '')].map((name) => `--${name} ${shellWord(value)}`);
    return `${word} ${what}: the ledger ${ledger} began ${began}. Apply it: ${reset} ${ofReset}`;
  };
  const beganWith = began.fixtures === fixtures ? 'with other contents of it' : `with ${began.fixtures}`;
  const told = [
    given.isSet('fixtures') &&
      !began.isOfKnownState &&
      other('fixtures', fixtures, beganWith, 'is used from the next reset on'),
    given.isSet('clock-now') &&
      clockNow !== null &&
      clockNow !== began.at &&
      other('clock-now', formatInstant(clockNow), `at ${formatInstant(began.at)}`),
    given.isSet('clock-mode') &&
      clockMode !== began.mode &&
      other('clock-mode', clockMode, `with a ${began.mode} clock`),
    given.isSet('quirks') &&
      asked !== held &&
      `--quirks ${shellWord(asked ?? '')} is ignored: ${switched}. Apply --quirks: ${reset}`,
    lacking !== '' &&
      `quirks of --profile ${own} are off: ${switched}. Off: ${lacking}. Apply them: ${reset}, or keep the data and switch them on by PUT /sandbox/quirks`,
    began.profile !== null &&
      began.profile !== own &&
      `${own === null ? 'there is no --profile' : `--profile is ${own}`}: the ledger ${ledger} began with ${began.profile}, whose settings and quirks do not apply now. Apply them: start with --profile ${began.profile}`,
  ];
  return told.flatMap((text) => (text === false ? [] : [`Warning: ${text}`]));
}
