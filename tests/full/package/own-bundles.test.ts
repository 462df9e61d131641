import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundlesByMark, markIn, redSuite, requireOwnBundles } from '../../wide/red-suite.ts';
import { oneOf } from '../../support/sample.ts';
import { asCommonJs } from './page-programs.ts';
import { Project } from './project.ts';

/* One red test, one bundle: what jest leaves of tests of one title, concurrent tests and tests with hooks that reset the bank. */
let project: Project;
beforeAll(async () => {
  project = await Project.lay();
}, 120_000);
afterAll(() => project.remove());

const testEnvironment = 'sandbank/jest-environment';

const imports = [
  "import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';",
  "import { createBank } from 'sandbank';",
  "import 'sandbank/jest';",
];

/** The bundles that a project has now. */
function bundlesIn(name: string): readonly string[] {
  return readdirSync(join(project.path, name, '.sandbank'))
    .filter((file) => file.endsWith('.sandbank'))
    .map((file) => `.sandbank/${file}`)
    .toSorted();
}

const endings = [
  ['mjs', '--experimental-vm-modules'],
  ['cjs', ''],
] as const;

// Each starts jest four times.
describe.each(oneOf('own bundles', endings))('one red test, one bundle (%s)', (ending, nodeOptions) => {
  const name = `own-${ending}`;
  /** Runs the tests, of which those of these marks are red; null: all. */
  const run = async (red: readonly string[] | null, words: readonly string[] = []) => {
    for (const [file, text] of Object.entries(redSuite(imports, red)))
      project.write(`${name}/${file}.test.${ending}`, ending === 'mjs' ? text : asCommonJs(text));
    const { stderr } = await project.jestIn(name, nodeOptions, {}, words);
    return { stderr, found: bundlesByMark(stderr) };
  };
  let first: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    const config = { testMatch: [`**/*.test.${ending}`], maxWorkers: 2, testEnvironment };
    project.write(`${name}/jest.json`, JSON.stringify(config));
    first = await run(null);
  }, 90_000);

  test('each has a file with its own bank: of one title, concurrent, before the reset of a hook', async () => {
    await requireOwnBundles(join(project.path, name), first.stderr);
    const left = [...first.found.values()].flat();
    expect(bundlesIn(name)).toEqual(left.toSorted());
  });

  test('the line names a command that fetches nothing, and where the package comes from', () => {
    expect(first.stderr).toMatch(
      /The bank of this test:\s+(\.sandbank\/twice-[0-9a-f]{8}\.sandbank)\s+to look at it: npx --no sandbank open \1\n.*createBank\(\{ from: '\1' \}\);\n/,
    );
    expect(first.stderr).toContain(
      '(sandbank 0.1.0 is a package of this project: npm ci installs it. Run the command where the tests were started.)',
    );
  });

  test('only the same test takes its file away, when it is green: not one of its title, not one that is left out', async () => {
    const bundleOf = (mark: string) => String(first.found.get(mark));
    const stillRed = ['1.02', '2.01', '3.02', '6.02', '7.01'];
    await run(stillRed);
    expect(bundlesIn(name)).toEqual(stillRed.map(bundleOf).toSorted());
    // As a watch run with a pattern does it.
    await run(['2.01', '1.02'], ['-t', 'twice|nested']);
    expect(bundlesIn(name)).toEqual(
      stillRed
        .filter((mark) => mark !== '3.02')
        .map(bundleOf)
        .toSorted(),
    );
    await run([]);
    expect(bundlesIn(name)).toEqual([]);
  }, 90_000);
});

test('a retry replaces the file of its test, and takes it away when it is green', async () => {
  const retried = `
const { test } = require('@jest/globals');
const { createBank } = require('sandbank');
require('sandbank/jest');
jest.retryTimes(2);
const attempts = { once: 0, always: 0 };
const attempt = async (name, isRed) => {
  attempts[name] += 1;
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  await bank.topUp('09232911044', attempts[name] + '.00');
  await bank.close();
  if (isRed()) throw new Error('RED ' + attempts[name] + '.00;');
};
test('red once', () => attempt('once', () => attempts.once === 1));
test('red always', () => attempt('always', () => true));
`;
  project.write('retried/retried.test.cjs', retried);
  project.write('retried/jest.json', JSON.stringify({ testMatch: ['**/*.test.cjs'], testEnvironment }));
  const { stderr } = await project.jestIn('retried', '');
  expect(stderr).toMatch(/Tests: +1 failed, 1 passed, 2 total/);
  const [left = '', ...others] = bundlesIn('retried');
  expect([others, left]).toEqual([[], expect.stringContaining('red-always-')]);
  expect(await markIn(join(project.path, 'retried', left))).toBe('3.00');
}, 60_000);
