import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { greetedAddress } from '../lab/greeted-address.ts';
import { runMain } from '../support/recorded-terminal.ts';
import '../support/program.ts';

/* The scripts of package.json that are a command of their name. */

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe.each([
  ['reset', 'sandbank reset [--fixtures'],
  ['next-dates', 'sandbank next-dates --start VALUE --frequency VALUE'],
  ['sign', 'sandbank sign METHOD URL'],
])('npm run %s', (name, usage) => {
  const run = (...args: string[]) =>
    runMain([name, ...args], { env: { npm_lifecycle_event: name, npm_package_name: 'sandbank' } });

  test('is the command', () => {
    expect(scripts[name]).toBe(`node scripts/sandbank.js ${name}`);
  });

  test.each(['--help', '-h'])('%s says how to use it 80 columns wide, and ends in 0', async (flag) => {
    const { code, lines, errors } = await run(flag);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(lines[0]?.startsWith(`usage: ${usage}`)).toBe(true);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('a flag that it does not have is told in one line, and ends in 2', async () => {
    const { code, lines, errors } = await run('--colour', 'red');
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(errors).toEqual([expect.stringMatching(/--colour.*sandbank .*--help/)]);
  });
});

test('npm itself tells a script its name, and ends with its exit code', async () => {
  const npm = (...args: string[]) =>
    promisify(execFile)('npm', ['run', '-s', 'sign', '--', ...args]).catch((error: unknown) => error);
  expect(await npm('--help')).toMatchObject({
    stdout: expect.stringMatching(/^usage: npm run -s sandbank -- sign METHOD URL/),
  });
  expect(await npm()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]*--help[^\n]*\n$/) });
});

test('a signal to npm ends the bank that its script started', async () => {
  const npm = spawn('npm', ['run', '-s', 'sandbank', '--', 'serve', '--ledger', ':memory:', '--port', '0']);
  await greetedAddress(npm.stdout);
  npm.kill('SIGTERM');
  // The pipe is the bank's too: it closes when both have ended.
  await once(npm.stdout, 'close');
}, 30_000);
