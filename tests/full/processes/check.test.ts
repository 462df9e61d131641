import { tempFolder } from '../../support/temp-folder.ts';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = tempFolder();

const passing = {
  types: 'echo typed',
  lint: 'echo linted >&2',
  format: 'echo formatted',
  test: 'echo a story && echo 3 passed, 0 failed && echo Time: 1 s',
  'test:full': 'echo a page && echo 5 passed, 0 failed',
};

/**
 * `npm run check` in a folder with these scripts: the exit code, and the lines without seconds and without what npm tells of a script. What
 * it says beside them, such as why it did not start, are lines too. `before` runs it: `nice -n 19`.
 */
function check(
  scripts: Partial<Record<keyof typeof passing, string>> = {},
  flags: readonly string[] = [],
  before: readonly string[] = [],
): { code: number | null; lines: string[] } {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { ...passing, ...scripts } }));
  const script = join(import.meta.dirname, '../../../scripts/check.ts');
  const env = { ...process.env, npm_config_loglevel: 'silent' };
  const [program = '', ...words] = [...before, process.execPath, script, ...flags];
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', env });
  return {
    code: status,
    lines: (stdout + stderr)
      .trimEnd()
      .replaceAll(/ \([\d.]+ s\)/g, '')
      .split('\n'),
  };
}

test('npm run check prints the core, then types, lint and format each in one piece, then the other tests, and the sum last', () => {
  const { code, lines } = check();
  expect(lines).toEqual([
    ...['a story', 'Time: 1 s'],
    ...['typed', 'types passed', 'linted', 'lint passed', 'formatted', 'format passed'],
    'a page',
    '8 passed, 0 failed',
  ]);
  expect(code).toBe(0);
});

test('types, lint and format begin with the core, and the other tests do not wait for them', () => {
  const until = (name: string) => `for i in $(seq 400); do [ -e ${name} ] && break; sleep 0.05; done; [ -e ${name} ]`;
  const counts = 'echo 3 passed, 0 failed';
  const { lines } = check({
    types: 'touch typed',
    test: `${until('typed')} && touch cored && ${counts}`,
    lint: until('begun'),
    'test:full': `[ -e cored ] && touch begun && ${counts}`,
  });
  expect(lines).toEqual(['types passed', 'lint passed', 'formatted', 'format passed', '6 passed, 0 failed']);
});

test('npm run test:all runs the tests alone; above the sum a line counts what both have skipped, and why', () => {
  const one = 'echo "2 skipped: no Go" && echo 3 passed, 0 failed';
  expect(check({ test: one }, ['--tests'])).toEqual({
    code: 0,
    lines: ['a page', '2 skipped: no Go', '8 passed, 0 failed'],
  });
  const more = 'echo "9 skipped: 7 no Chromium, 2 no JUnit" && echo 5 passed, 0 failed';
  expect(check({ test: one, 'test:full': more }, ['--tests']).lines).toEqual([
    '11 skipped: 2 no Go, 7 no Chromium, 2 no JUnit',
    '8 passed, 0 failed',
  ]);
});

test('npm run check goes on after each that fails, says which, and adds up the failures', () => {
  const failing = { test: 'echo 3 passed, 2 failed; exit 1', 'test:full': 'echo 1 passed, 4 failed; exit 1' };
  const all = { types: 'exit 1', lint: 'exit 1', format: 'exit 1', ...failing };
  const { code, lines } = check(all);
  expect([code, lines]).toEqual([1, ['types FAILED', 'lint FAILED', 'format FAILED', '4 passed, 9 failed']]);
});

test.each(['lint', 'test', 'test:full'] as const)('%s that fails without a count counts as one failure', (script) => {
  const { code, lines } = check({ [script]: `${passing[script]}; exit 3` });
  expect([code, lines.at(-1)]).toEqual([1, '8 passed, 1 failed']);
});

test('all that it runs has at most the priority that it has itself, which only root could raise', () => {
  const { lines } = check({ test: 'nice', types: 'nice', 'test:full': 'nice' }, [], ['nice', '-n', '19']);
  expect(lines.filter((line) => /^\d+$/.test(line))).toEqual(['19', '19', '19']);
});

test('--core runs a line of the shell in the place of npm test', () => {
  const { code, lines } = check({ test: 'exit 3' }, [
    '--tests',
    '--core',
    'echo "of another" && echo 2 passed, 0 failed',
  ]);
  expect([code, lines]).toEqual([0, ['of another', 'a page', '7 passed, 0 failed']]);
});

test('npm run check counts no tests that did not run', () => {
  const none = 'echo no tests; exit 1';
  expect(check({ 'test:full': none })).toMatchObject({
    code: 1,
    lines: expect.arrayContaining(['3 passed, 1 failed']),
  });
  const { code, lines } = check({ test: none, 'test:full': none });
  expect([code, lines.at(-1)]).toEqual([1, 'no tests']);
});
