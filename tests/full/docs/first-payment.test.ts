import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { noCompileCache } from '../../support/kept.ts';
import { pageBlocks } from '../../support/markdown.ts';
import { startTestBank } from '../../lab/server.ts';

const run = promisify(execFile);

test.each([
  ['a bank without quirks', []],
  ['a bank whose SCA addresses have a query (Q2)', ['--quirks', 'sca-query']],
])(
  '%s: the first payment of its page, line by line in a shell: 250 kroner are gone, and booked',
  async (_of, flags) => {
    const bank = await startTestBank('2027-03-24T12:00:00+01:00', flags);
    const steps = pageBlocks('docs/first-payment.md').filter(
      ({ language, section }) => language === 'sh' && /^\d\. /.test(section),
    );
    // Nobody reads a block of twenty lines.
    for (const { text } of steps) expect(text.split('\n').length).toBeLessThan(12);
    const lines = steps.map(({ text }) => text).join('\n');
    expect(lines).not.toContain('npm');
    const here = lines.replaceAll('http://127.0.0.1:7263', bank.address);
    const { stdout, stderr } = await run('sh', ['-eu', '-c', here]);
    await bank.stop();
    expect(stderr).toBe('');
    const balances = [
      ...stdout.matchAll(/\{"amount":"([\d.]+)","currency":"NOK"\},"balanceType":"interimAvailable"/g),
    ].map(([, amount]) => amount);
    expect(balances).toEqual(['18000.00', '17750.00']);
    expect(stdout).toMatch(
      /"booked":\[\{[^[]*"amount":"-250.00"[^[]*"remittanceInformationUnstructured":"Kredittrente"/,
    );
  },
);

test('four commands lead from a clone to a settled payment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-clone-'));
  const left = ['node_modules', 'dist', 'data', '.git', 'coverage'].map((name) => resolve(name));
  cpSync('.', join(folder, 'sandbank'), { recursive: true, filter: (path) => !left.includes(resolve(path)) });
  // What git and npm would bring is copied and linked.
  const commands = ['git clone ... sandbank', 'cd sandbank', 'npm ci', 'npm run demo'];
  const here = commands.map((command) =>
    command.replace(/^git clone.*/, 'true').replace('npm ci', `ln -s ${resolve('node_modules')} node_modules`),
  );
  expect(commands.length).toBeLessThanOrEqual(6);
  const env = { ...process.env, ...noCompileCache, BANK: '', PORT: '1' };
  const { stdout } = await run('sh', ['-ec', here.join('\n')], { cwd: folder, env });
  rmSync(folder, { recursive: true });
  expect(stdout).toMatch(/"settled": 1[^]*"booked": 1[^]*The account had 18000.00 NOK and has 17750.00 NOK\./);
});
