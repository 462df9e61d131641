import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { trialVariable } from '../../api/start/config.ts';
import { figure, type Figure, inTurns, quantile } from './measure.ts';

const run = promisify(execFile);

/** What hearing costs a suite, in processor time: 150 reads and 15 payments in one bank, alone, in a baseline and in a world of the storm. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const busy = join(folder, 'busy.mjs');
  writeFileSync(busy, busyOf(150 / scale, 15 / scale));
  /** `trial`: of the run; null: it is a baseline. */
  const under = (name: string, trial: string | null): NodeJS.ProcessEnv => {
    mkdirSync(join(folder, name));
    const file = join(folder, name, 'trial.json');
    writeFileSync(file, JSON.stringify({ version: 1, trial, late: 'PT3S', hears: true }));
    return { ...process.env, [trialVariable]: file };
  };
  const ways = { alone: process.env, heard: under('heard', null), world: under('world', 'charset+fee-indicator') };
  const ms = await inTurns(ways, async (env) => Number((await run(process.execPath, [busy], { env })).stdout), 3);
  const median = (name: keyof typeof ways): number => quantile(ms[name], 0.5);
  const alone = ['alone', median('alone')] as const;
  return [
    figure('a suite that is heard', median('heard'), 'ms', { of: alone, atMost: 1.3 }),
    figure('a suite in a world', median('world'), 'ms', { of: alone }),
  ];
}

/** A program that pays and reads so often, and prints its processor time in ms. */
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
const { user, system } = process.cpuUsage();
console.log((user + system) / 1000);
`;
}
