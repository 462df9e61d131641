import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { greetedAddress } from '../../lab/greeted-address.ts';
import '../../support/program.ts';

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
