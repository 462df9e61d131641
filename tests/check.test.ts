import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'sandbank-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const passing = {
  types: 'echo typed',
  lint: 'echo linted >&2',
  format: 'echo formatted',
  test: 'echo a story && echo 3 passed, 0 failed && echo Time: 1 s',
};

/** `npm run check` in a folder with these scripts: the exit code, and the lines without seconds. */
function check(scripts: Partial<Record<keyof typeof passing, string>> = {}): { code: number | null; lines: string[] } {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { ...passing, ...scripts } }));
  const script = join(import.meta.dirname, '../scripts/check.ts');
  const { status, stdout } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return {
    code: status,
    lines: stdout
      .trimEnd()
      .replaceAll(/ \([\d.]+ s\)/g, '')
      .split('\n'),
  };
}

test('npm run check prints the tests first, then types, lint and format each in one piece, and the count last', () => {
  const { code, lines } = check();
  expect(lines).toEqual([
    ...['a story', 'Time: 1 s'],
    ...['typed', 'types passed', 'linted', 'lint passed', 'formatted', 'format passed'],
    '3 passed, 0 failed',
  ]);
  expect(code).toBe(0);
});

test.each(['types', 'lint', 'format', 'test'] as const)(
  'npm run check fails when %s fails, and its last line says so',
  (script) => {
    const { code, lines } = check({ [script]: `${passing[script]}; exit 3` });
    expect(code).toBe(1);
    expect(lines.filter((line) => line.endsWith('FAILED'))).toEqual(script === 'test' ? [] : [`${script} FAILED`]);
    expect(lines.at(-1)).toBe('3 passed, 1 failed');
  },
);

test('npm run check adds what fails', () => {
  const { lines } = check({ test: 'echo 3 passed, 2 failed; exit 1', types: 'exit 1', format: 'exit 1' });
  expect(lines.at(-1)).toBe('3 passed, 4 failed');
});

test('npm run check counts no tests that did not run', () => {
  const { code, lines } = check({ test: 'echo no tests; exit 1' });
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('format passed');
});
