import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { GauntletReport } from '../../api/harness/types/gauntlet.ts';
import { figure, type Figure } from './measure.ts';

const run = promisify(execFile);

const clients = ['reader', 'payer', 'connector'].map((name) => resolve(`tests/full/gauntlet/clients/${name}.suite.ts`));
const suiteMs = 5_000;
/** Trials that these clients hear. Each takes about as long as another, so that these tell how long all take. */
const few = ['gateway', 'charset', 'id-lengths', 'member-order', 'plain-json', 'late-status'];
const more = [...few, 'reissued-ids', 'bank-codes', 'value-date', 'leap-day', 'returned', 'fee-indicator'];

/** The gauntlet over a suite that takes five seconds. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const report = join(folder, 'report.json');
  const suite = join(folder, 'suite.mjs');
  writeFileSync(suite, suiteOf(suiteMs));
  const only = scale === 1 ? more : few;
  const begun = performance.now();
  // It breaks nowhere: the clients are careful.
  await run(process.execPath, [
    'scripts/sandbank.js',
    'gauntlet',
    '--only',
    only.join(','),
    '--json',
    report,
    '--',
    process.execPath,
    suite,
  ]);
  const seconds = (performance.now() - begun) / 1000;
  const { trials, baseline } = JSON.parse(readFileSync(report, 'utf8')) as GauntletReport;
  const audible = trials.filter(({ verdict }) => verdict !== 'not heard').length;
  // The runs without a trial are made once.
  const ofAll = baseline.seconds + ((seconds - baseline.seconds) / audible) * 58;
  return [
    figure('the suite', baseline.seconds, 's'),
    figure(`58 audible trials of it, by ${audible}`, ofAll, 's', { atMost: 240 }),
  ];
}

/** A program that runs the tests of the careful clients and lasts so long. */
function suiteOf(ms: number): string {
  return `
import { spawnSync } from 'node:child_process';
const begun = performance.now();
const { status } = spawnSync(process.execPath, ['--test', ...${JSON.stringify(clients)}], { stdio: 'inherit' });
await new Promise((done) => setTimeout(done, Math.max(0, ${ms} - (performance.now() - begun))));
process.exit(status);
`;
}
