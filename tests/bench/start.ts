import { join } from 'node:path';
import { figure, type Figure, inTurns, quantile } from './measure.ts';
import { builtPackage, here, serve, startsOf, firstPayment, timesInOwnProcess } from './servers.ts';

/** Starts of what `npm run build` and `npm start` run, beside a hand-written server; memory; banks of the built package. */
export async function figures(folder: string): Promise<Figure[]> {
  const { program, harness } = await builtPackage();
  const [, ...flags] = serve();
  // The first turn fills the compile cache, and makes the build of the clone.
  const { hello, built, tls, clone } = await startsOf({
    hello: (turn) => [here('hello.js'), join(folder, `hello-${turn}.sqlite`)],
    built: (turn) => [program, ...flags, '--ledger', join(folder, `built-${turn}.sqlite`)],
    tls: (turn) => [program, ...flags, '--tls', '--ledger', join(folder, `tls-${turn}`, 'ledger.sqlite')],
    clone: (turn) => serve('--ledger', join(folder, `clone-${turn}.sqlite`)),
  });
  const of = ['express', hello.ms] as const;
  return [
    figure('start to /ready of the package, a new file', built.ms, 'ms', { of, atMost: 2 }),
    figure('start to /ready of npm start, a new file', clone.ms, 'ms', { of, atMost: 2 }),
    figure('more for --tls, a new file and a new CA', tls.ms - built.ms, 'ms', { atMost: 40 }),
    figure('memory of the package, idle', built.megabytes, 'MB', { atMost: 100 }),
    ...(await createBankFigures(harness)),
  ];
}

async function createBankFigures(harness: string): Promise<Figure[]> {
  // With a compile cache, as npm test may have one.
  const env = { NODE_COMPILE_CACHE: here('../../node_modules/.cache/sandbank-bench') };
  const task = { harness, options: { now: '2027-03-24T12:00:00+01:00' }, count: 101 };
  const { paid } = await inTurns({ paid: harness }, (imported) => firstPayment(imported, env));
  const { all } = await inTurns({ all: task }, () => timesInOwnProcess(task, env));
  const first = Math.min(...all.map(([each = 0]) => each));
  const later = (part: number): number => Math.min(...all.map(([, ...each]) => quantile(each, part)));
  return [
    figure('createBank, the first of a process', first, 'ms', { atMost: 150 }),
    figure('createBank, a later one', later(0.5), 'ms', { atMost: 10 }),
    figure('createBank, 95th percentile', later(0.95), 'ms', { atMost: 20 }),
    figure('first payment of a process, processor time', Math.min(...paid), 'ms', { atMost: 220 }),
  ];
}
