import { existsSync } from 'node:fs';
import type { AnswerTo } from '../../api/openapi/calls.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { formatInstant, type Instant, parseInstant } from '../../engine/values/instant.ts';
import { shellWord } from '../../engine/values/text.ts';
import { type Config, readConfig } from '../../api/start/config.ts';
import { serverAddress } from '../../api/pipeline/addresses.ts';
import { type BankAddress, bankAddress, bankBelow, bankOrBase, baseFlag } from '../cli/bank-address.ts';
import { bankFlag, CommandFailed, jsonFlag, serverSettings } from '../cli/command.ts';
import { ControlPlaneClient, isServed } from '../cli/control-plane-client.ts';
import { fixturesToSend } from '../cli/file-input.ts';
import { expecting } from '../../engine/values/text-form.ts';
import { valueOf } from '../cli/flag-values.ts';
import { printAnswer } from '../cli/output.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import type { GivenBeginning } from './reset-file.ts';

/**
 * Goes back to the known state and the seeded clock (rules.md D1, D3b). A server that is named resets itself, and nothing else is
 * touched (control-plane.md C6). Without a name: the server that holds the ledger, else the ledger file.
 */
export const reset: Command = {
  name: 'reset',
  summary: 'Resets the bank to its known state and its first bank time.',
  flags: {
    '--now [INSTANT]':
      'Then sets the bank clock to INSTANT (2027-01-01 or 2027-01-01T12:00:00+01:00), or to the time of this machine.',
    ...bankFlag,
    ...baseFlag,
    ...jsonFlag,
  },
  settings: [...serverSettings, 'SANDBANK_LEDGER', 'SANDBANK_FIXTURES', 'SANDBANK_CLOCK_NOW', 'SANDBANK_CLOCK_MODE'],
  takesAllSettings: true,
  notes: [
    'With --port, --host, --base, --bank or $BANK the command resets that server only. If the server does not answer, the exit code is 1 and no file changes. --host alone means port 7263.',
    'Otherwise the command resets the server that holds the ledger (--ledger). If no server holds it, the command resets the ledger file to --fixtures. PORT and HOST count only if the ledger of the server that they name is in memory.',
    'Without --ledger the command refuses to reset the file while a server with another ledger runs at the usual address.',
    'If you give --fixtures, --clock-now or --clock-mode, the bank has them after the reset.',
    'Later resets keep the fixtures of the last --fixtures. After a restart of the server, resets use the fixtures of that start.',
    'The command also accepts the other flags of `sandbank serve`.',
  ],
  examples: ['sandbank reset', 'sandbank reset --now 2027-03-24', 'sandbank reset --now'],
  run: async (given, terminal) => {
    const config = given.config();
    const now = nowOf(given);
    const at = namedServer(given) ?? (await holderOf(given, config));
    if (at === null) {
      if (!given.has('ledger')) await refuseBesideServer(given, config);
      const { resetFile } = await import('./reset-file.ts');
      const beginning = beginningOf(given, (flag) => given.isSet(flag));
      return printAnswer({ given, terminal }, await resetFile(config, now, beginning), ({ ledger, clock }) => [
        `The ledger ${ledger} is back to its known state, at ${clock.now} (${clock.mode}).`,
      ]);
    }
    if (!(await isServed(at.server))) throw nothingWasReset(given, at);
    printAnswer({ given, terminal }, await resetServer(given, at, now), ({ clock }) => [
      `The bank${at.path.replace('/banks/', ' ')} at ${at.server} is back to its known state, at ${clock.now} (${clock.mode}).`,
    ]);
  },
};

/**
 * The server that the command line or $BANK names (C6), if one does. PORT and HOST in the environment are settings of `serve`: beside
 * a flag for the other they say nothing of the server that is meant.
 */
function namedServer(given: Arguments): BankAddress | null {
  if (given.has('base')) return bankOrBase(given);
  if (given.has('port') || given.has('host')) {
    const flags = given.pairs(['port', 'host']).map(([flag, value]) => `--${flag}=${value}`);
    const { port, host } = readConfig({}, flags);
    return { ...bankBelow(serverAddress({ port, host, tls: given.config().tls }), given, '--host'), namedBy: 'flags' };
  }
  return given.has('bank') || (given.variable('BANK') ?? '') !== '' ? bankAddress(given) : null;
}

/**
 * The bank at the root of the server that holds the ledger, or null if no process has the file open. A ledger in memory is that of the server
 * that the other commands would take.
 */
async function holderOf(given: Arguments, config: Config): Promise<BankAddress | null> {
  if (config.ledger === ':memory:') {
    const at = bankAddress(given);
    if (!(await isServed(at.server))) return null;
    const client = new ControlPlaneClient(given, () => at);
    const { configuration } = await client.ask('GET /info', 'configuration');
    return configuration.ledger === config.ledger ? at : null;
  }
  // Loaded here only, so that the other commands start faster.
  const { serverOfLedger } = await import('./reset-file.ts');
  const server = serverOfLedger(config);
  return server === null ? null : { server, path: '', namedBy: 'address' };
}

/**
 * Throws a CommandFailed where a server answers that the other commands would take: it keeps another ledger, and was probably meant (C6).
 */
async function refuseBesideServer(given: Arguments, { ledger }: Config): Promise<void> {
  const { server } = bankAddress(given);
  if (!(await isServed(server))) return;
  const { hostname, port } = new URL(server);
  const name = hostname === '127.0.0.1' && port !== '' ? `--port ${port}` : `--base ${server}`;
  throw new CommandFailed(
    `nothing was reset: a server runs at ${server}: ${given.program} reset ${name}\nIt does not hold the ledger ${ledger}.` +
      (existsSync(ledger) ? ` To reset that one: ${given.program} reset --ledger ${shellWord(ledger)}` : ''),
  );
}

function nothingWasReset(given: Arguments, { server, namedBy }: BankAddress): CommandFailed {
  const flags = ['base', 'port', 'host', 'bank'].filter((name) => given.has(name)).map((name) => `--${name}`);
  const names = [
    ...(namedBy === 'BANK' ? ['unset BANK'] : []),
    ...(flags.length > 0 ? [`leave out ${flags.join(' and ')}`] : []),
  ];
  const instead = names.length === 0 ? '' : `, or ${names.join(' and ')} to reset the ledger file`;
  return new CommandFailed(`no Sandbank answers at ${server}, and nothing was reset: start it${instead}`);
}

/** The settings of a new ledger's clock that were given. */
function beginningOf(given: Arguments, isGiven: (flag: string) => boolean): GivenBeginning {
  const { clockNow, clockMode } = given.config();
  return {
    ...(isGiven('clock-now') && clockNow !== null && { now: clockNow }),
    ...(isGiven('clock-mode') && { mode: clockMode }),
  };
}

/** The bank time after the reset. Null is the time at which the ledger began. */
function nowOf(given: Arguments): Instant | null {
  const text = given.text('now');
  if (text === undefined) return null;
  if (text === '') return systemClock.now();
  return valueOf('now', text, expecting('an instant, such as 2027-01-01 or 2027-01-01T12:00:00+01:00', parseInstant));
}

/** The answer to the reset; with --now its clock is the one that was set afterwards. */
async function resetServer(
  given: Arguments,
  at: BankAddress,
  now: Instant | null,
): Promise<Pick<AnswerTo<'POST /reset'>, 'clock'>> {
  const client = new ControlPlaneClient(given, () => at);
  // A named bank has settings of its own: the variables are those of the server.
  const isGiven = (flag: string): boolean => (at.path === '' ? given.isSet(flag) : given.has(flag));
  const { now: begins, mode } = beginningOf(given, isGiven);
  const fixtures = isGiven('fixtures') ? fixturesToSend(given.config().fixtures) : undefined;
  const body = { fixtures, now: begins === undefined ? undefined : formatInstant(begins), mode };
  const answer = await client.ask('POST /reset', 'clock', { body });
  if (now === null) return answer;
  // No payment is left, so that the clock may go back as well as forward.
  const clock = await client.ask('PUT /clock', 'now', { body: { now: formatInstant(now) } });
  return { ...answer, clock };
}
