import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { get as getTls } from 'node:https';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Instant } from '../../engine/values/instant.ts';
import type { CreateBank, CreateBankOptions } from '../../api/harness/index.ts';
import { greetedAddress } from '../lab/greeted-address.ts';
import { inOwnProcess, inTurns, mapped, quantile } from './measure.ts';

/** Path of a file beside this one. */
export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds the package, and gives the path of its program and the URL of its harness. */
export async function builtPackage(): Promise<{ readonly program: string; readonly harness: string }> {
  await promisify(execFile)(process.execPath, [here('../../scripts/build-package.ts')]);
  const harness = new URL('../../dist/api/harness/index.mjs', import.meta.url).href;
  return { program: here('../../dist/scripts/sandbank.js'), harness };
}

/** The words after `node` that start the bank. */
export function serve(...flags: readonly string[]): string[] {
  return [here('../../scripts/sandbank.js'), 'serve', '--port', '0', ...flags];
}

/** A banking day, so that no answer has a warning, on which a bank of the bench stands still. */
export const bankingDay = '2027-03-16T12:00:00Z';
export const frozen = ['--clock-mode', 'frozen', '--clock-now', bankingDay] as const;

/** The words after `node` that start a bank in memory on {@link bankingDay}. */
export function serveInMemory(...flags: readonly string[]): string[] {
  return serve('--ledger', ':memory:', ...frozen, ...flags);
}

/** The words that start the server of hand-written-server.js, on a copy of a ledger in memory. `now` is what its clock shows. */
export function serveByHand(ledger: string, now: Instant): string[] {
  return [here('hand-written-server.js'), ledger, String(now)];
}

/** Starts a server in a process of its own with these words after `node`, and waits for its address. Throws if it ends before that. */
export async function start(words: readonly string[]) {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return {
    address: await greetedAddress(child.stdout),
    pid: child.pid ?? 0,
    /** Resident memory now. */
    megabytes: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    /** Processor time until now, in ms, in steps of 10. */
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

export type Server = Awaited<ReturnType<typeof start>>;

/** By Linux: user and system time in hundredths of a second, behind the name in parentheses. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
}

/** Servers that run beside each other. */
export class Servers extends AsyncDisposableStack {
  async start(words: readonly string[]) {
    return this.use(await start(words));
  }
}

/** `ms`: from the command to the first 200 of /ready. `megabytes`: resident memory a second later. */
type StartCost = Record<'ms' | 'megabytes', number>;

/** Starts servers in turn, each with the words that it has for a turn. Gives the least time of each, as other load only adds, and the median memory. */
export async function startsOf<Name extends string>(
  words: Readonly<Record<Name, (turn: number) => readonly string[]>>,
  turns?: number,
): Promise<Record<Name, StartCost>> {
  const starts = await inTurns(
    words,
    (wordsOf: (turn: number) => readonly string[], turn) => startOf(wordsOf(turn)),
    turns,
  );
  return mapped(starts, (all: StartCost[]) => {
    const of = (what: keyof StartCost): number[] => all.map((one) => one[what]);
    return { ms: Math.min(...of('ms')), megabytes: quantile(of('megabytes'), 0.5) };
  });
}

async function startOf(words: readonly string[]): Promise<StartCost> {
  const begun = performance.now();
  await using server = await start(words);
  while ((await statusOf(`${server.address}/ready`)) !== 200) await setTimeout(1);
  const ms = performance.now() - begun;
  await setTimeout(1_000);
  return { ms, megabytes: server.megabytes() };
}

/** The status of a GET; by https from a server of any certificate. */
function statusOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const hear = (answer: IncomingMessage): void => resolve(answer.resume().statusCode ?? 0);
    const sent = url.startsWith('https:') ? getTls(url, { rejectUnauthorized: false }, hear) : get(url, hear);
    sent.once('error', reject);
  });
}

/** Banks of the built package: the URL of its harness, the options of each bank, and how many there are. */
interface Banks {
  readonly harness: string;
  readonly options: CreateBankOptions;
  readonly count: number;
}

/** Times in ms to create banks one after the other in a process of its own, its first one first. */
export function timesInOwnProcess(banks: Banks, env?: NodeJS.ProcessEnv): Promise<number[]> {
  return inOwnProcess(import.meta.url, timesOfBanks, banks, env);
}

/** Processor time in ms of a process of its own that imports the harness, opens a bank, pays once and moves the clock. */
export function firstPayment(harness: string, env?: NodeJS.ProcessEnv): Promise<number> {
  return inOwnProcess(import.meta.url, costOfFirstPayment, harness, env);
}

/** Exported for the process that {@link firstPayment} starts. */
export async function costOfFirstPayment(harness: string): Promise<number> {
  const before = process.cpuUsage();
  const { createBank } = (await import(harness)) as { readonly createBank: CreateBank };
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' });
  await bank.clock.advance('2027-03-31');
  const { user, system } = process.cpuUsage(before);
  await bank.close();
  return (user + system) / 1_000;
}

/** Exported for the process that {@link timesInOwnProcess} starts. This file loads little: what is loaded before makes the first bank faster. */
export async function timesOfBanks({ harness, options, count }: Banks): Promise<number[]> {
  const { createBank } = (await import(harness)) as { readonly createBank: CreateBank };
  const times: number[] = [];
  while (times.length < count) {
    const begun = performance.now();
    const bank = await createBank(options);
    times.push(performance.now() - begun);
    await bank.close();
  }
  return times;
}
