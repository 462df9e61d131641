import { readConfig } from '../../api/start/config.ts';
import type { Arguments } from '../cli/arguments.ts';
import { bankAddress, pathPart, serverNote } from '../cli/bank-address.ts';
import { type Command, CommandFailed } from '../cli/command.ts';
import { ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';
import { isServed } from '../cli/is-served.ts';
import { jsonFlag } from '../cli/json-output.ts';
import type { Terminal } from '../cli/terminal.ts';
import { firstPayment } from '../play/first-payment.ts';
import { onlyMembers, shortJson } from '../play/members.ts';
import { filled, type PlayedStep, playScenario } from '../play/play-scenario.ts';
import type { Scenario } from '../play/scenario.ts';
import { curlLine } from './curl-line.ts';

/** The server of a demo. */
interface DemoServer {
  /** Without a slash at the end. */
  readonly address: string;
  /** Stops a server that was started for the demo; null: the server was there before. */
  readonly stop: (() => Promise<void>) | null;
}

/** How many demos may start at the same moment. */
const mostRivals = 8;

/** Plays the first payment in a named bank of its own, so that no other bank's clock or data is moved. */
export const demo: Command = {
  name: 'demo',
  usage: '[--bank NAME]',
  summary: 'Makes a first payment, and shows each request as a curl line with its answer.',
  flags: [
    {
      name: 'bank',
      value: 'NAME',
      what: 'The name of the bank that it makes for itself; left out: demo-1, demo-2, ...',
    },
    { ...jsonFlag, what: 'Prints the requests and answers, whole, as JSON.' },
  ],
  settings: serverSettings,
  words: [0, 0],
  notes: [
    'It uses the server that runs, and leaves its bank there, so that the lines can be repeated. Where none runs it starts',
    'one in memory, on a free port, and stops it at the end; but not when --port, --host or $BANK names a server.',
    serverNote,
  ],
  examples: ['sandbank demo'],
  run: async (given, terminal) => {
    const server = await findServer(given);
    try {
      await play(firstPayment, server, given, terminal);
    } finally {
      await server.stop?.();
    }
    return 0;
  },
};

async function findServer(given: Arguments): Promise<DemoServer> {
  const { server: address, isFromBank } = bankAddress(given);
  if (await isServed(address)) return { address, stop: null };
  if (isFromBank || given.has('port') || given.has('host')) {
    const advice = isFromBank ? 'unset BANK' : 'leave out --port and --host';
    throw new CommandFailed(
      `no Sandbank answers at ${address}: start it, or ${advice}, and the demo starts one itself`,
    );
  }
  // Loaded here only, so that a demo in a running server starts faster.
  const { startServer } = await import('../../api/hosting/server.ts');
  return startServer(readConfig({}, ['--port=0', '--ledger=:memory:']));
}

async function play(scenario: Scenario, server: DemoServer, given: Arguments, terminal: Terminal): Promise<void> {
  const root = new ControlPlaneClient(given, { server: server.address, path: '', isFromBank: false });
  const name = await makeBank(root, scenario, given.text('bank'));
  const address = `${server.address}/banks/${pathPart(name)}`;
  const token = server.stop === null ? given.config().controlToken : null;
  const kept = new Map<string, string>();
  const steps = playScenario(scenario, { address, token }, kept);
  if (given.has(jsonFlag.name)) {
    const told = [];
    for await (const played of steps) told.push(stepJson(played, token));
    terminal.out(
      JSON.stringify({ name: scenario.name, bank: address, steps: told, ends: filled(scenario.ends, kept) }, null, 2),
    );
    return;
  }
  terminal.out(`${scenario.title}, in a bank of its own: ${address}`);
  terminal.out('Answers are cut to what matters here; the lines give them whole.');
  let number = 0;
  for await (const played of steps) for (const line of stepLines(played, (number += 1), token)) terminal.out(line);
  for (const line of ['', filled(scenario.ends, kept), '', ...farewell(server, name)]) terminal.out(line);
}

/** Makes the bank of a scenario. Without a name it has the first free one of demo-1, demo-2, ... */
async function makeBank(root: ControlPlaneClient, { bank }: Scenario, wanted: string | undefined): Promise<string> {
  const make = async (name: string): Promise<string> => {
    await root.ask<{ clock: object }>('POST', '/banks', 'clock', { name, ...bank });
    return name;
  };
  if (wanted !== undefined) return make(wanted);
  const { banks } = await root.ask<{ banks: readonly { name: string }[] }>('GET', '/banks', 'banks');
  const taken = new Set(banks.map(({ name }) => name));
  let number = 1;
  while (taken.has(`demo-${number}`)) number += 1;
  for (const last = number + mostRivals; number < last; number += 1) {
    // Another demo may be making the same one.
    const made = await make(`demo-${number}`).catch(() => null);
    if (made !== null) return made;
  }
  return make(`demo-${number}`);
}

function stepLines({ step, request, status, answer }: PlayedStep, number: number, token: string | null): string[] {
  const shown = step.shows === undefined ? answer : onlyMembers(answer, step.shows);
  return ['', `${number}. ${step.says}`, '', curlOf(request, token), `${status} ${shortJson(shown)}`];
}

function stepJson({ step, request, status, answer }: PlayedStep, token: string | null): object {
  return { says: step.says, curl: curlOf(request, token), status, answer };
}

/** The line takes the control token from the variable of the shell. */
function curlOf(request: PlayedStep['request'], token: string | null): string {
  return `${curlLine(request)}${token === null ? '' : ' -H "Authorization: Bearer $SANDBANK_CONTROL_TOKEN"'}`;
}

function farewell({ stop }: DemoServer, name: string): string[] {
  if (stop !== null) {
    return [
      'This server was in memory, and ends with the demo. To repeat the lines, start one that stays (sandbank serve; in a clone',
      'npm start) and run the demo beside it.',
    ];
  }
  return [
    `The bank ${name} stays as long as the server runs: repeat the lines. An SCA ends once, and a booked payment leaves the payment`,
    `API: those lines take the ids of a new consent or payment. When you are done: sandbank bank remove ${name}`,
    'A payment of your own: sandbank pay --amount 100',
  ];
}
