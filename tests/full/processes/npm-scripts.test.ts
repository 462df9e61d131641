import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import '../../support/program.ts';

test('npm itself tells a script its name, and ends with its exit code', async () => {
  const npm = (...args: string[]) =>
    promisify(execFile)('npm', ['run', '-s', 'sign', '--', ...args]).catch((error: unknown) => error);
  expect(await npm('--help')).toMatchObject({
    stdout: expect.stringMatching(/^usage: npm run -s sandbank -- sign METHOD URL/),
  });
  expect(await npm()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]*--help[^\n]*\n$/) });
});
