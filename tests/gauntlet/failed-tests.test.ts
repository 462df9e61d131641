import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testsOf } from '../../scripts/gauntlet/failed-tests.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const ended = (output: string) => ({ code: 1, output, printed: output, seconds: 1, isTimeout: false });
const read = (output: string, command: readonly string[] = []) => testsOf(ended(output), command, 0);

test('GA4: without a report there are the last lines, whatever runner printed them', () => {
  for (const output of ['--- FAIL: TestPays (0.00s)\n\ntwo\n', '  ● payments › pays once\n\n    expect\n'])
    expect(read(output)).toEqual({ failed: [], passed: null, last: output.replaceAll('\n\n', '\n').trimEnd() });
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

  test.each([
    ['a line of pino before it', `{"level":30,"msg":"numbers"}\n${json}\nDone in 1s.`],
    ['text of a test on its line', `the balance is ${json}`],
    [
      'more than one, as of workspaces',
      `> one\n${json.replace('pays once', 'pays in one').replace(':5', ':2')}\n> two\n${json}`,
    ],
  ])('the JSON of a runner on standard output: %s', (_what, output) => {
    const { failed, passed } = read(output);
    expect(failed.slice(-2)).toEqual(told.failed);
    expect(failed[0]?.name).toBe(passed === 7 ? 'payments pays in one' : 'payments pays once');
  });

  const write = (path: string, text: string): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };

  test('the XML of JUnit; a report from before the run is an older one', () => {
    const file = write(
      'junit.xml',
      '<testsuite><testcase name="a &amp; b > c" file="t.py"><failure message="1 &lt; 2">x</failure></testcase><testcase name="c"/></testsuite>',
    );
    const xml = [`--junitxml=${file}`];
    expect(read('', xml)).toMatchObject({ failed: [{ name: 'a & b > c', file: 't.py', message: '1 < 2' }], passed: 1 });
    expect(testsOf(ended(''), xml, Number.MAX_SAFE_INTEGER).failed).toEqual([]);
  });

  test.each<readonly [runner: string, xml: string, failed: readonly object[], passed: number]>([
    [
      'attributes in single quotes, entities by their numbers',
      `<testsuites><testsuite><testcase name='it&#x27;s &#39;one&#39;' classname='test'><failure message='a&#10;b'/></testcase></testsuite></testsuites>`,
      [{ name: "it's 'one'", file: '', message: 'a\nb' }],
      0,
    ],
    [
      'what looks like a failure in the output of a test is none',
      '<testsuite><testcase name="a"><system-out><![CDATA[<error message="x"/> <failure>]]></system-out></testcase><testcase name="b"><system-out>&lt;error</system-out></testcase></testsuite>',
      [],
      2,
    ],
    [
      'pytest: skipped and expected failures, an error of a fixture',
      '<testsuites><testsuite name="pytest"><testcase classname="tests.test_pay" name="test_a"><skipped type="pytest.xfail" message="" /></testcase><testcase classname="tests.test_pay" name="test_b"><error message="failed on setup">fixture</error></testcase><testcase classname="tests.test_pay" name="test_c" /></testsuite></testsuites>',
      [{ name: 'tests.test_pay > test_b', file: '', message: 'failed on setup' }],
      1,
    ],
    [
      'node:test: nested groups, and a todo that fails',
      `<testsuites><testsuite name="pays"><testsuite name="with 'KID'"><testcase name="once" classname="pays.with 'KID'" file="a.test.mjs" failure="1 == 2"><failure type="testCodeFailure" message="1 == 2">\nError</failure></testcase><testcase name="todo one" classname="pays.with 'KID'" failure="1"><skipped type="todo" message="true"/><failure message="1">x</failure></testcase></testsuite></testsuite><testcase name="top" classname="test"/></testsuites>`,
      [{ name: "pays.with 'KID' > once", file: 'a.test.mjs', message: '1 == 2' }],
      1,
    ],
    [
      'mocha: the reason is the text of the failure',
      '<testsuite name="Mocha Tests" tests="2"><testcase classname="payments" name="pays once" time="0"><failure>expected 1 to equal 2\nAssertionError: expected 1\n    at Context.&lt;anonymous> (a.js:3:1)</failure></testcase><testcase classname="payments" name="waits"><skipped/></testcase></testsuite>',
      [{ name: 'payments > pays once', file: '', message: 'expected 1 to equal 2\nAssertionError: expected 1' }],
      0,
    ],
    [
      'gotestsum: `Failed` is no reason',
      '<testsuites><testsuite name="bank"><testcase classname="bank" name="TestPays"><failure message="Failed" type="">=== RUN   TestPays\n    pay_test.go:12: an unknown member\n--- FAIL: TestPays (0.00s)\n</failure></testcase></testsuite></testsuites>',
      [{ name: 'bank > TestPays', file: '', message: 'pay_test.go:12: an unknown member' }],
      0,
    ],
    [
      'vitest: the class is the file',
      '<testsuites><testsuite name="package.json"><testcase classname="package.json" name="accounts &gt; are four"><failure message="no"/></testcase></testsuite></testsuites>',
      [{ name: 'accounts > are four', file: 'package.json', message: 'no' }],
      0,
    ],
  ])('the XML of JUnit on standard output: %s', (_runner, xml, failed, passed) => {
    const found = read(`> project@1.0.0 test\nthe balance is <1\n<?xml version="1.0"?>\n${xml}\nDone in 1s.`);
    expect(found).toMatchObject({ failed, passed });
  });

  test('an XML that was cut is no report', () => {
    expect(read('<testsuites><testsuite><testcase name="a"><failure/>').passed).toBeNull();
    expect(read('<testsuites><testcase name="a</testsuites>').passed).toBeNull();
  });

  test('several files are one report, where runners put them: modules of Maven and Gradle, vitest 5', () => {
    const home = process.cwd();
    const own = (name: string, inner: string): string =>
      `<testsuite><testcase name="${name}" classname="no.bank.Pay">${inner}</testcase></testsuite>`;
    const bad = '<failure message="no"/>';
    write('mono/target/surefire-reports/TEST-no.bank.A.xml', own('a', bad));
    write('mono/pay/target/failsafe-reports/TEST-no.bank.AIT.xml', own('b', bad));
    write('mono/pay/core/build/test-results/test/TEST-no.bank.B.xml', own('c', ''));
    write('mono/packages/web/.vitest/json/output.json', json);
    write('mono/node_modules/x/junit.xml', own('of a package', bad));
    try {
      process.chdir(join(folder, 'mono'));
      const { failed, passed } = read('', ['mvn', 'verify']);
      expect(failed.map(({ name }) => name).toSorted()).toEqual(
        ['no.bank.Pay > a', 'no.bank.Pay > b', ...told.failed.map(({ name }) => name)].toSorted(),
      );
      expect(passed).toBe(6);
    } finally {
      process.chdir(home);
    }
  });

  test('a file that a flag names by its reporter', () => {
    const file = write('named.json', json);
    expect(read('', ['npx', 'vitest', 'run', `--outputFile.json=${file}`])).toMatchObject({ passed: 5 });
  });
});
