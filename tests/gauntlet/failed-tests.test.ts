import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testsOf } from '../../scripts/gauntlet/failed-tests.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const ended = (output: string) => ({ code: 1, output, printed: output, seconds: 1, isTimeout: false });
const read = (output: string, command: readonly string[] = []) => testsOf(ended(output), command, 0);

describe('GA4: failed tests by the output of jest', () => {
  test.each([
    [
      'jest',
      'FAIL ./pay.test.js (5.2 s)\n  payments\n    ✕ pays once (8 ms)\n\n  ● payments › pays once\n\n    expect\n\n  ● Console\n\nTests:       1 failed, 41 passed, 42 total\n',
      [{ name: 'payments › pays once', file: './pay.test.js', message: 'expect' }],
      41,
    ],
    [
      'jest, a file that cannot be loaded',
      'FAIL a.test.js\n  ● Test suite failed to run\n\nTests:       0 total',
      [{ name: 'a.test.js', file: 'a.test.js', message: '' }],
      null,
    ],
  ])('%s', (_runner, output, failed, passed) => {
    expect(read(output)).toMatchObject({ failed, passed });
  });

  test('colours are no part of a name; of another runner there are the last lines', () => {
    expect(read('\u001b[31m  ● pays once\u001b[0m').failed).toEqual([{ name: 'pays once', file: '', message: '' }]);
    expect(read('--- FAIL: TestPays (0.00s)\n\ntwo\n')).toMatchObject({
      failed: [],
      passed: null,
      last: '--- FAIL: TestPays (0.00s)\ntwo',
    });
  });
});

describe('GA4: failed tests by the report of the runner', () => {
  const json = JSON.stringify({
    numPassedTests: 5,
    testResults: [
      {
        name: join(process.cwd(), 'tests/a.test.ts'),
        status: 'failed',
        assertionResults: [
          {
            fullName: 'payments pays once',
            status: 'failed',
            failureMessages: [
              'Error: \u001b[31mexpected 17750.00\u001b[0m, had 18000.00\n\n    at Object.test (a.test.ts:3:1)',
            ],
          },
          { fullName: 'payments pays twice', status: 'passed' },
        ],
      },
      { name: 'tests/b.test.ts', status: 'failed', assertionResults: [] },
    ],
  });
  const told = {
    failed: [
      {
        name: 'payments pays once',
        file: 'tests/a.test.ts',
        message: 'Error: expected 17750.00, had 18000.00',
      },
      { name: 'tests/b.test.ts', file: 'tests/b.test.ts', message: '' },
    ],
    passed: 5,
  };

  test('the JSON of jest and vitest, in a file or on standard output', () => {
    const file = join(folder, 'report.json');
    writeFileSync(file, json);
    expect(read('no name', ['npx', 'jest', '--json', `--outputFile=${file}`])).toMatchObject(told);
    expect(read(`some line\n${json}`)).toMatchObject(told);
  });

  test('the XML of JUnit; a report from before the run is an older one', () => {
    const file = join(folder, 'junit.xml');
    writeFileSync(
      file,
      '<testsuite><testcase name="a &amp; b > c" file="t.py"><failure message="1 &lt; 2">x</failure></testcase><testcase name="c"/></testsuite>',
    );
    const xml = [`--junitxml=${file}`];
    expect(read('', xml)).toMatchObject({ failed: [{ name: 'a & b > c', file: 't.py', message: '1 < 2' }], passed: 1 });
    expect(testsOf(ended(''), xml, Number.MAX_SAFE_INTEGER).failed).toEqual([]);
  });
});
