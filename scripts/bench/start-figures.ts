import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Figure, given, median, withTarget } from './figure.ts';
import { repeats } from './run-interleaved.ts';
import { freePort, type ServerProcess, startNode, untilReady } from './server-process.ts';

const run = promisify(execFile);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const dist = here('../../dist');

/** Starts to `/ready`, at most this many times the hand-written server. */
const mostOfHello = 2;
/** Idle, in MB, of the built server. */
const mostMemory = 100;
/** Of one `sandbank sign` with its answer, in ms. */
const longestSign = 250;
/** Of the first `createBank` of a process and of a later one, in ms. */
const longestBank = { first: 150, later: 10 };

const servers = {
  hello: (port: number, ledger: string) => [here('hello.js'), String(port), ledger],
  dist: (port: number, ledger: string) => [join(dist, 'scripts/sandbank.js'), ...flags(port, ledger)],
  clone: (port: number, ledger: string) => [here('../sandbank.js'), ...flags(port, ledger)],
};
type ServerName = keyof typeof servers;
const names = ['hello', 'dist', 'clone'] as const satisfies readonly ServerName[];

interface Started {
  /** From the command to the first 200 of /ready, in ms. */
  readonly time: number;
  /** A second later, in MB. */
  readonly memory: number;
}

/** Starts with a new ledger file, of what `npm run build` and `npm start` run, beside a hand-written server; commands and first banks. */
export async function startFigures(folder: string): Promise<Figure[]> {
  await run(process.execPath, [here('../build-package.ts')]);
  const all = { hello: [], dist: [], clone: [] } as Record<ServerName, Started[]>;
  // In turns, so that other load affects each. The first turn fills the compile cache, and makes the bundle of the clone.
  for (let turn = 0; turn <= repeats; turn += 1) {
    for (const name of names) {
      const started = await start(name, join(folder, 'start.sqlite'));
      if (turn > 0) all[name].push(started);
    }
  }
  const timeOf = (name: ServerName): number => Math.min(...all[name].map(({ time }) => time));
  const memoryOf = (name: ServerName): number => median(all[name].map(({ memory }) => memory));
  const beside = (what: string, name: ServerName): Figure => {
    const ratio = timeOf(name) / timeOf('hello');
    const formatted = { figure: `${timeOf(name).toFixed(0)} ms`, ratio: `${ratio.toFixed(2)} x hello` };
    return withTarget(what, formatted, { by: ratio, atMost: mostOfHello });
  };
  const idle = memoryOf('dist');
  return [
    given('start to /ready, fresh ledger: hello', `${timeOf('hello').toFixed(0)} ms`),
    beside('start to /ready, fresh ledger: dist', 'dist'),
    beside('start to /ready, fresh ledger: npm start', 'clone'),
    given('idle memory: hello', `${memoryOf('hello').toFixed(0)} MB`),
    withTarget('idle memory: dist', { figure: `${idle.toFixed(0)} MB` }, { by: idle, atMost: mostMemory, unit: ' MB' }),
    ...(await signFigures(folder)),
    ...(await firstBankFigures()),
  ];
}

function flags(port: number, ledger: string): string[] {
  return ['serve', '--port', String(port), '--ledger', ledger];
}

async function start(name: ServerName, ledger: string): Promise<Started> {
  const port = await freePort();
  const begun = performance.now();
  return whileServed(startNode(servers[name](port, ledger)), port, ledger, async (server) => {
    const time = performance.now() - begun;
    await setTimeout(1_000);
    return { time, memory: server.megabytes() };
  });
}

async function whileServed<Result>(
  server: ServerProcess,
  port: number,
  ledger: string,
  work: (server: ServerProcess) => Promise<Result>,
): Promise<Result> {
  try {
    await untilReady(port, server);
    return await work(server);
  } finally {
    await server.stop();
    for (const suffix of ['', '-wal', '-shm', '.lock', '.snapshots'])
      rmSync(ledger + suffix, { force: true, recursive: true });
  }
}

async function signFigures(folder: string): Promise<Figure[]> {
  const [port, ledger] = [await freePort(), join(folder, 'sign.sqlite')];
  const words = [join(dist, 'scripts/sandbank.js'), 'sign', 'POST', '/v1/bank-offered-consents'];
  const env = { ...process.env, PORT: String(port), SANDBANK_LEDGER: ledger };
  return whileServed(startNode(servers.dist(port, ledger)), port, ledger, async () => {
    const times: number[] = [];
    // The first makes the TPP.
    for (let turn = 0; turn <= repeats; turn += 1) {
      const begun = performance.now();
      await run(process.execPath, words, { env });
      if (turn > 0) times.push(performance.now() - begun);
    }
    const best = Math.min(...times);
    return [
      withTarget('sandbank sign', { figure: `${best.toFixed(0)} ms` }, { by: best, atMost: longestSign, unit: ' ms' }),
    ];
  });
}

async function firstBankFigures(): Promise<Figure[]> {
  const harness = pathToFileURL(join(dist, 'api/harness/index.mjs')).href;
  const all: { readonly first: number; readonly later: number }[] = [];
  // With a compile cache, as npm test may have one.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dist, '../node_modules/.cache/sandbank-bench') };
  for (let turn = 0; turn <= repeats; turn += 1) {
    const { stdout } = await run(process.execPath, [here('first-bank.js'), harness], { env });
    if (turn > 0) all.push(JSON.parse(stdout) as (typeof all)[number]);
  }
  const first = Math.min(...all.map((each) => each.first));
  const later = Math.min(...all.map((each) => each.later));
  return [
    withTarget(
      'createBank of the package, the first of a process',
      { figure: `${first.toFixed(0)} ms` },
      { by: first, atMost: longestBank.first, unit: ' ms' },
    ),
    withTarget(
      'createBank of the package, a later one',
      { figure: `${later.toFixed(1)} ms` },
      { by: later, atMost: longestBank.later, unit: ' ms' },
    ),
  ];
}
