import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { noCompileCache } from '../../support/kept.ts';

const folder = tempFolder();

/** The files of tests that `tests/run.js` runs with these words. */
function listed(...words: readonly string[]): string[] {
  const { stdout } = spawnSync(process.execPath, ['tests/run.js', ...words, '--listTests'], { encoding: 'utf8' });
  const root = `${process.cwd()}/`;
  const lines = stdout.split('\n').filter((line) => line.startsWith(root));
  return lines.map((line) => line.slice(root.length)).toSorted();
}

describe('the tiers of the tests', () => {
  const files = globSync('{tests,examples}/**/*.test.ts').toSorted();
  const isFull = (path: string): boolean => path.startsWith('tests/full/');
  const core = files.filter((path) => !isFull(path));

  test('npm test runs the core, npm run test:full the others: each file of tests is in one of them', () => {
    expect(listed('core')).toEqual(core);
    expect(listed('full')).toEqual(files.filter(isFull));
  });

  test('a pattern names its files, wherever they are, and the value of a flag is none', () => {
    expect(listed('core', '-w', '2', 'processes/tiers', '--silent', 'tests/time/scheduler')).toEqual([
      'tests/full/processes/tiers.test.ts',
      'tests/time/scheduler.test.ts',
    ]);
  });

  test('flags and their values change nothing of that; --plain runs the same files, with the modules of jest itself', () => {
    expect(listed('core', '--plain', '-t', 'S4/S5', '--testTimeout', '60000')).toEqual(core);
    const words = ['tests/run.js', 'core', '--plain', '--showConfig'];
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect((JSON.parse(stdout) as { configs: [object] }).configs[0]).not.toHaveProperty('runtime');
  });

  test('another version of jest than the one that runtime.js knows is refused in one line', () => {
    mkdirSync(join(folder, 'tests'));
    mkdirSync(join(folder, 'node_modules/jest-circus'), { recursive: true });
    copyFileSync('tests/run.js', join(folder, 'tests/run.js'));
    const ours = JSON.parse(readFileSync('node_modules/jest-circus/package.json', 'utf8')) as { version: string };
    writeFileSync(join(folder, 'node_modules/jest-circus/package.json'), '{"version":"31.0.0"}');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tests/run.js', 'core'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      `tests/support/jest/runtime.js is for jest ${ours.version}, and 31.0.0 is installed: npm ci installs ours, npm test -- --plain runs without that file.\n`,
    ]);
  });

  test('package.json has no word that a shell of Windows lacks', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    for (const line of Object.values(scripts).flatMap((all) => all.split(' && ')))
      expect(line).toMatch(/^(?:(?:node|npm run) [@\w./ :-]+|oxlint|oxfmt [\w.: -]+)$/);
  });
});

describe('the last lines of a run of tests', () => {
  const imports = `import { test } from '@jest/globals';
import { describeWith, testWith } from ${JSON.stringify(resolve('tests/support/test-with.ts'))};
test('passes', () => {});
`;

  /** What jest prints of a file with these tests: its standard output, and all of it. */
  function lastLines(text: string, ...flags: readonly string[]): { lines: string[]; all: string } {
    writeFileSync(join(folder, 'some.test.mjs'), imports + text);
    const config = {
      rootDir: folder,
      testMatch: ['**/*.test.mjs'],
      moduleFileExtensions: ['mjs', 'js', 'json'],
      testEnvironment: resolve('tests/support/jest/environment.js'),
      runtime: resolve('tests/support/jest/runtime.js'),
      reporters: ['default', resolve('tests/support/count-reporter.js')],
      transform: {},
    };
    const words = [resolve('node_modules/jest/bin/jest.js'), '-i', '--config', JSON.stringify(config), ...flags];
    const env = { ...process.env, ...noCompileCache };
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env });
    return { lines: stdout.trimEnd().split('\n').slice(-2), all: stdout + stderr };
  }

  test('are the number of skipped tests with the reason, and the count', () => {
    const { lines, all } = lastLines(`describeWith(false, 'Chromium')('pages', () => {
  test('one', () => {});
  test.each([1, 2])('%i', () => {});
});
testWith(true, 'Go')('runs', () => {});`);
    expect(lines).toEqual(['3 skipped: no Chromium', '2 passed, 0 failed']);
    // No warning with its stack for each suite.
    expect(all).not.toMatch(/console\.|\n\s+at /);
  });

  test('count each reason where there are more, and a test without one', () => {
    const { lines } = lastLines(`testWith(false, 'Go')('runs', () => {});
testWith(false, 'JUnit').each(['a', 'b'])('%s', () => {});
test.skip('forgotten', () => {});
test('fails', () => { throw new Error('x'); });`);
    expect(lines).toEqual(['4 skipped: 1 no Go, 2 no JUnit, 1 no reason given', '1 passed, 1 failed']);
  });

  test('are the count alone where nothing was skipped, or a pattern of names leaves tests out', () => {
    const { lines, all } = lastLines(`test('another', () => {});`, '-t', 'another');
    expect([lines, all]).toEqual([['1 passed, 0 failed'], expect.not.stringContaining(' skipped: ')]);
  });
});
