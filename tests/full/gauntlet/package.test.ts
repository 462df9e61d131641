import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GauntletReport } from '../../../api/harness/types/gauntlet.ts';
import { testWith } from '../../support/test-with.ts';
import { modules, Project, run } from '../package/project.ts';

/* The gauntlet of the packed package, in a project of somebody else, on tests of several runners. */
let project: Project;
beforeAll(async () => {
  project = await Project.lay();
}, 240_000);
afterAll(() => project.remove());

/** Two tests: one that refuses a member that it does not know, and one that survives. */
const body = `
describe('accounts', () => {
  let bank;
  beforeAll(async () => {
    bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  });
  afterAll(() => bank.close());

  const accounts = async () => {
    const { headers } = await bank.tpp().consent({ psu: '13039319955' });
    return (await (await bank.tpp().fetch('/v1/accounts', { headers })).json()).accounts;
  };

  test('are four', async () => {
    expect((await accounts()).length).toBe(4);
  });

  test('have known members', async () => {
    expect(Object.keys((await accounts())[0])).not.toContain('bankNote');
  });
});
`;

/** What the files of tests begin with. */
const ofJest = {
  'a.test.cjs': `const { createBank } = require('sandbank');`,
  'b.test.mjs': `import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBank } from 'sandbank';`,
};
const ofNode = {
  'c.test.mjs': `
import assert from 'node:assert/strict';
import { after as afterAll, before as beforeAll, describe, test } from 'node:test';
import { createBank } from 'sandbank';
const expect = (value) => ({ toBe: (other) => assert.equal(value, other), not: { toContain: (one) => assert.ok(!value.includes(one)) } });`,
};

const program = 'node_modules/sandbank/dist/scripts/sandbank.js';
const flags = ['gauntlet', '--json', 'report.json', '--only', 'unknown-member,before-easter'];

async function report(
  more: readonly string[],
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<GauntletReport> {
  // A trial breaks: the exit code is 1.
  await run(process.execPath, [program, ...flags, ...more, '--', ...command], project.path, env).catch(
    ({ code, stderr }: { readonly code: number; readonly stderr: string }) =>
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' }),
  );
  return JSON.parse(readFileSync(join(project.path, 'report.json'), 'utf8')) as GauntletReport;
}

const jest = ['node', join(modules, 'jest/bin/jest.js'), '--json', '--testTimeout', '30000'];
const nodeTest = ['node', '--test', '--test-reporter=junit'];

describe('GA2, GA4: the packed package names the test, its file and the changed answer', () => {
  const failed = (name: string, file: string) => ({
    ...{ name, file: expect.stringContaining(file) },
    message: expect.not.stringContaining('&#'),
  });
  test.each([
    ['jest, CommonJS and ES modules', ofJest, jest, '--experimental-vm-modules', 'accounts have known members'],
    ['node:test', ofNode, nodeTest, '', 'accounts > have known members'],
  ] as const)(
    '%s',
    async (_runner, texts, command, nodeOptions, name) => {
      const files = Object.keys(texts);
      for (const [file, head] of Object.entries(texts)) project.write(file, head + body);
      project.write(
        'package.json',
        '{ "name": "project", "private": true, "jest": { "testMatch": ["**/*.test.?js"] } }',
      );
      const { baseline, trials } = await report([], [...command, ...files], { NODE_OPTIONS: nodeOptions });
      expect(baseline).toMatchObject({ tests: 2 * files.length, calls: 4 * files.length, flaky: false });
      expect(trials.map((trial) => [trial.name, trial.verdict])).toEqual([
        ['unknown-member', 'broke'],
        ['before-easter', 'not heard'],
      ]);
      const broken = trials[0]?.tests.toSorted((one, other) => (one.file < other.file ? -1 : 1));
      expect(broken).toEqual(files.map((file) => failed(name, file)));
      expect(trials[0]?.change).toMatchObject({ call: 'GET /v1/accounts', after: '"new in this release"' });
    },
    120_000,
  );

  const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
  testWith(hasPytest, 'pytest')(
    '--server: pytest takes the address of the bank from BANK',
    async () => {
      project.write(
        'test_bank.py',
        `import json, os, urllib.request
def test_accounts():
    door = os.environ['BANK'] + '/sandbox/as/shop/v1'
    call = urllib.request.Request(door + '/bank-offered-consents', b'', {'Content-Type': 'application/json'}, method='POST')
    answer = json.load(urllib.request.urlopen(call))
    assert 'bankNote' not in answer
`,
      );
      const { baseline, trials } = await report(
        ['--server', '--jobs', '1'],
        ['python3', '-B', '-m', 'pytest', '-p', 'no:cacheprovider', '--junitxml=pytest.xml'],
        {},
      );
      expect(baseline).toMatchObject({ tests: 1, calls: 1 });
      expect(trials.map((trial) => [trial.name, trial.verdict])).toEqual([
        ['unknown-member', 'broke'],
        ['before-easter', 'survived'],
      ]);
      expect(trials[0]?.tests).toEqual([
        { name: 'test_bank > test_accounts', file: expect.any(String), message: expect.stringContaining('bankNote') },
      ]);
    },
    120_000,
  );
});
