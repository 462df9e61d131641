import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { GauntletReport } from '../../api/harness/types/gauntlet.ts';
import { trialVariable } from '../../api/start/config.ts';
import { figure, type Figure, inTurns, msOf, quantile } from './measure.ts';

const run = promisify(execFile);

const clients = ['reader', 'payer', 'connector'].map((name) => resolve(`tests/full/gauntlet/clients/${name}.suite.ts`));
const suiteMs = 5_000;

/** The gauntlet over a suite that takes five seconds, and what hearing costs a suite: 600 reads and 60 payments in one bank. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const report = join(folder, 'report.json');
  const suite = join(folder, 'suite.mjs');
  writeFileSync(suite, suiteOf(suiteMs));
  const flags = scale === 1 ? [] : ['--only', 'gateway,charset,id-lengths,member-order,plain-json,late-status'];
  const begun = performance.now();
  // It breaks nowhere: the clients are careful.
  await run(process.execPath, [
    'scripts/sandbank.js',
    'gauntlet',
    ...flags,
    '--json',
    report,
    '--',
    process.execPath,
    suite,
  ]);
  const seconds = (performance.now() - begun) / 1000;
  const { trials, baseline } = JSON.parse(readFileSync(report, 'utf8')) as GauntletReport;
  const audible = trials.filter(({ verdict }) => verdict !== 'not heard').length;
  const busy = join(folder, 'busy.mjs');
  writeFileSync(busy, busyOf(600 / scale, 60 / scale));
  const heard = (name: string): NodeJS.ProcessEnv => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'trial.json'), JSON.stringify({ version: 1, trial: null, late: 'PT3S' }));
    return { ...process.env, [trialVariable]: join(folder, name, 'trial.json') };
  };
  const ways = {
    alone: () => run(process.execPath, [busy]),
    heard: () => run(process.execPath, [busy], { env: heard('heard') }),
  };
  const ms = await inTurns(ways, msOf, 5);
  const median = (name: keyof typeof ways): number => quantile(ms[name], 0.5);
  return [
    figure('the suite', baseline.seconds, 's'),
    figure(`58 audible trials of it, by ${audible}`, (seconds / audible) * 58, 's', { atMost: 240 }),
    figure('a suite that is heard', median('heard'), 'ms', { of: ['alone', median('alone')], atMost: 1.3 }),
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

/** A program that pays and reads so often. */
function busyOf(reads: number, payments: number): string {
  return `
import { createBank } from '${resolve('api/harness/index.ts')}';
const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
const tpp = bank.tpp();
for (let paid = 0; paid < ${payments}; paid += 1)
  await tpp.pay({ from: '09232911044', to: '90491105991', amount: (1 + paid / 100).toFixed(2) });
await bank.clock.advance('P1D');
const { headers } = await tpp.consent({ psu: '13039319955' });
const { accounts } = await (await tpp.fetch('/v1/accounts', { headers })).json();
const path = '/v1/accounts/' + encodeURIComponent(accounts[0].resourceId) + '/transactions?bookingStatus=both&limit=50';
for (let read = 0; read < ${reads}; read += 1) await (await tpp.fetch(path, { headers })).json();
await bank.close();
`;
}
