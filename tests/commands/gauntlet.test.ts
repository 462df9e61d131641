import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { gauntlet } from '../gauntlet/suites.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

/* sandbank gauntlet before any suite has run; tests/full/gauntlet runs suites. */

describe('bad input of sandbank gauntlet', () => {
  test.each([
    ['no command', [], [], 'a command is missing: sandbank gauntlet -- npx jest'],
    [
      'a command that is not found',
      [],
      ['no-such-runner'],
      '"no-such-runner" cannot be run: there is no such command that this process may run',
    ],
    [
      'an unknown trial',
      ['--only', 'reissued-id'],
      ['true'],
      'there is no trial "reissued-id"; the nearest is reissued-ids',
    ],
    ['a report that is none', ['--since', 'package.json'], ['true'], '--since package.json: expected the report'],
    ['jobs', ['--jobs', '0'], ['true'], '--jobs is "0": expected a whole number from 1 to 99999'],
    ['late', ['--late', '61'], ['true'], '--late is "61": expected a whole number from 1 to 60'],
    [
      'survivals',
      ['--min-survived', 'all'],
      ['true'],
      '--min-survived is "all": expected a whole number from 1 to 99999',
    ],
    [
      'a report that cannot be written',
      ['--json', '/dev/null/r.json'],
      ['true'],
      '--json /dev/null/r.json cannot be written: a file is on the way to it',
    ],
    ['a report of JUnit that cannot be written', ['--junit', '/'], ['true'], '--junit / cannot be written: '],
    ['a suite without a bank', [], ['true'], 'The suite opened no bank of its own'],
    ['a red suite', [], ['sh', '-c', 'echo 1 of 3 fails; exit 3'], '1 of 3 fails\nThe suite is red without any trial.'],
    ['a suite that never ends', ['--timeout', '1'], ['sleep', '60'], 'The suite does not end without any trial.'],
  ])('%s: exit code 2, and what to do', async (_what, flags, command, says) => {
    const { code, errors, lines } = await gauntlet(flags, command);
    expect({ code, lines, errors: errors.join('\n') }).toEqual({
      code: 2,
      lines: [],
      errors: expect.stringContaining(says),
    });
  });
});

test('a command in PATH that may not be run: exit code 2, and why', async () => {
  writeFileSync(join(folder, 'no-runner'), '', { mode: 0o600 });
  const { code, errors } = await gauntlet([], ['no-runner'], { PATH: folder });
  expect([code, errors]).toEqual([
    2,
    ['"no-runner" cannot be run: there is no such command that this process may run'],
  ]);
});
