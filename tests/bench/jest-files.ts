import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { figure, type Figure, inTurns, quantile } from './measure.ts';
import { builtPackage, here } from './servers.ts';

/** What a test file prints, in ms of processor time. */
type Cost = Record<'opened' | 'paid', number>;

/** Processor time of a first payment in the second test file of a worker of jest, with its own environment and with that of the package. */
export async function figures(folder: string): Promise<Figure[]> {
  await builtPackage();
  const installed = join(folder, 'node_modules/sandbank');
  mkdirSync(installed, { recursive: true });
  for (const path of ['package.json', 'dist'])
    cpSync(here(`../../${path}`), join(installed, path), { recursive: true });
  symlinkSync(here('../../node_modules/jest'), join(folder, 'node_modules/jest'));
  writeFileSync(join(folder, 'package.json'), '{}');
  for (const name of ['first', 'second']) writeFileSync(join(folder, `${name}.test.js`), fileThatPays(name));
  const environments = { node: 'node', own: 'sandbank/jest-environment' };
  const costs = await inTurns(environments, (environment) => costOfSecond(folder, environment));
  return Object.entries(costs).flatMap(([name, all]) => {
    const of = (what: keyof Cost): number =>
      quantile(
        all.map((one) => one[what]),
        0.5,
      );
    const where = `second file of jest, ${name === 'own' ? "the package's environment" : 'its own environment'}`;
    return [
      figure(`import and createBank, ${where}`, of('opened'), 'ms', name === 'own' ? { atMost: 60 } : {}),
      figure(`first payment, ${where}`, of('paid'), 'ms', name === 'own' ? { atMost: 80 } : {}),
    ];
  });
}

async function costOfSecond(folder: string, environment: string): Promise<Cost> {
  const costs = join(folder, 'costs');
  rmSync(costs, { force: true });
  const jest = here('../../node_modules/jest/bin/jest.js');
  const config = JSON.stringify({ rootDir: folder, testEnvironment: environment, transform: {} });
  await promisify(execFile)(process.execPath, [jest, '--runInBand', '--config', config, '--forceExit'], {
    cwd: folder,
  });
  const [, second = ''] = readFileSync(costs, 'utf8').split('\n');
  return JSON.parse(second) as Cost;
}

function fileThatPays(name: string): string {
  return `
const { appendFileSync } = require('node:fs');
const cost = (before) => { const { user, system } = process.cpuUsage(before); return (user + system) / 1000; };
test('${name}', async () => {
  const begun = process.cpuUsage();
  const { createBank } = require('sandbank');
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  const opened = cost(begun);
  const before = process.cpuUsage();
  await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' });
  await bank.clock.advance('2027-03-31');
  appendFileSync('costs', JSON.stringify({ opened, paid: cost(before) }) + '\\n');
  await bank.close();
});
`;
}
