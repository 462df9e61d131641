import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { platformIds } from '../../api/start/platform.ts';
import { BankClient, did, startTestBank } from '../lab/server.ts';
import { figure, type Figure, inOwnProcess, inTurns, quantile } from './measure.ts';
import { bankingDay, frozen, serve, serveInMemory, Servers, start, startsOf } from './servers.ts';
import { initiationsIn, ratesOf, type Stream } from './signed-requests.ts';

const many = 300;

/**
 * Many named banks in one server (docs/spec/control-plane.md, named banks), in memory, in files and of the platform: signed initiations in
 * turn, the start, and what a closed bank costs.
 */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const files = join(folder, 'banks');
  await makeFiles(files, join(folder, 'ledger.sqlite'), many);
  return [...(await rates(folder, scale)), ...(await starts(folder, files)), ...(await closedBank(files))];
}

/** Signed initiations: more banks are no cliff, and files cost their syncs. */
async function rates(folder: string, scale: number): Promise<Figure[]> {
  const count = Math.ceil(1_500 / scale);
  await using servers = new Servers();
  /** A server with so many named banks. */
  const inBanks = async (banks: number, ...flags: readonly string[]): Promise<Stream> => {
    const { address } = await servers.start(serveInMemory(...flags));
    const names = Array.from({ length: banks }, (_, index) => `bank-${index}`);
    for (const name of names) await makeBank(new BankClient(address), name);
    return initiationsIn(address, names, count);
  };
  const ofPlatform = platformIds();
  const { one, platform, thirty, fifty, all, files } = await ratesOf({
    one: initiationsIn((await servers.start(serveInMemory())).address, [], count),
    platform: initiationsIn((await servers.start(serveInMemory('--platform'))).address, ofPlatform, count),
    thirty: await inBanks(30),
    fifty: await inBanks(50),
    all: await inBanks(many),
    files: await inBanks(50, '--banks', join(folder, 'in-turn')),
  });
  const inTurn = (banks: string): string => `signed initiations, in ${banks} in turn`;
  const unit = 'requests/s';
  return [
    figure(inTurn('50 banks'), fifty, unit, { of: ['in 30', thirty], atLeast: 0.7 }),
    figure(inTurn(`${many} banks`), all, unit, { of: ['in 30', thirty], atLeast: 0.5 }),
    figure(inTurn('50 banks in files'), files, unit, { of: ['in 50 in memory', fifty], atLeast: 0.15 }),
    figure(inTurn(`${ofPlatform.length} banks of the platform`), platform, unit, {
      of: ['in one', one],
      atLeast: 0.7,
    }),
  ];
}

/** The start with many banks, and that of the platform (rules.md Q12). */
async function starts(folder: string, files: string): Promise<Figure[]> {
  const words =
    (name: string, ...flags: readonly string[]) =>
    (turn: number) =>
      serve('--ledger', join(folder, `${name}-${turn}.sqlite`), ...flags);
  const { one, platform, none, all } = await startsOf({
    one: words('one'),
    platform: words('platform', '--platform'),
    none: words('none', '--banks', join(folder, 'none')),
    all: words('all', '--banks', files),
  });
  const atMost = 1.2;
  return [
    figure(`start to /ready with ${many} banks in files`, all.ms, 'ms', { of: ['with none', none.ms], atMost }),
    figure('start to /ready with --platform', platform.ms, 'ms', { of: ['one bank', one.ms], atMost: 2 }),
    figure('memory of --platform beside one bank', platform.megabytes - one.megabytes, 'MB'),
  ];
}

/** What a bank in a file costs that is closed: its memory, and its first call. */
async function closedBank(files: string): Promise<Figure[]> {
  const { runs } = await inTurns({ runs: files }, (each) => inOwnProcess(import.meta.url, costOfClosed, each), 2, 1);
  const least = (values: readonly number[]): number => Math.min(...values);
  const kilobytes = least(runs.map((run) => run.kilobytes));
  const first = least(runs.map((run) => quantile(run.first, 0.5)));
  const again = least(runs.map((run) => quantile(run.again, 0.5)));
  return [
    figure('memory of a closed bank', kilobytes, 'KB', { atMost: 20 }),
    figure('first call of a closed bank', again, 'ms', { atMost: 40 }),
    figure('first call of a bank after a start', first, 'ms', { atMost: 40 }),
  ];
}

/**
 * Asks banks in files in turn, and 16 of them stay open. Returns the memory of each, and the times in ms of the first call of each bank
 * after a start, and again after it was closed. Exported for the process that {@link inOwnProcess} starts.
 */
export async function costOfClosed(
  files: string,
): Promise<Record<'first' | 'again', number[]> & { kilobytes: number }> {
  const server = await startTestBank(bankingDay, ['--open-banks=16', '--banks', files]);
  const ask = async (index: number): Promise<number> => {
    const begun = performance.now();
    const { ok } = await fetch(`${server.address}/banks/bank-${index}/sandbox/clock`);
    if (!ok) throw new Error(`bank-${index} cannot be asked`);
    return performance.now() - begun;
  };
  const inTurn = async (from: number, to: number): Promise<number[]> => {
    const times: number[] = [];
    for (let index = from; index < to; index += 1) times.push(await ask(index));
    return times;
  };
  const warm = 100;
  // Code and caches of the process.
  for (let round = 0; round < 3; round += 1) await inTurn(0, warm);
  const used = (): number => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1024;
  };
  const before = used();
  const first = await inTurn(warm, many);
  const kilobytes = (used() - before) / (many - warm);
  const again = await inTurn(0, warm);
  await server.stop();
  return { kilobytes, first, again };
}

async function makeBank(root: BankClient, name: string): Promise<void> {
  await did(root.control('POST', '/sandbox/banks', { name }));
}

/** Makes a folder with so many banks: one by a server, the others as copies of its files. */
async function makeFiles(files: string, ledger: string, banks: number): Promise<void> {
  mkdirSync(files);
  {
    await using server = await start(serve('--ledger', ledger, '--banks', files, ...frozen));
    await makeBank(new BankClient(server.address), 'bank-0');
  }
  for (let index = 1; index < banks; index += 1)
    for (const end of ['sqlite', 'json', 'known-state.json'])
      cpSync(join(files, `bank-0.${end}`), join(files, `bank-${index}.${end}`));
}
