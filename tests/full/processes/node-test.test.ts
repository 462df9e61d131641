import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

/** Runs these files of tests in one process; the test of each opens a bank, and is red if RED names the file. */
function ran(files: readonly string[], red: string): void {
  for (const file of files) {
    const imported = (name: string) => JSON.stringify(resolve(`api/harness/${name}.ts`));
    const text = `import { test } from 'node:test';
import { createBank } from ${imported('index')};
import ${imported('node-test')};
test('pays', async () => {
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  await bank.close();
  if (process.env.RED.includes('${file}')) throw new Error('red');
});
`;
    writeFileSync(join(folder, file), text);
  }
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const words = ['--test', '--test-isolation=none', ...files];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: folder, env: { ...env, RED: red } });
  expect([status, String(stdout)]).toEqual([
    red === '' ? 0 : 1,
    expect.stringContaining(`pass ${files.length - (red === '' ? 0 : 1)}`),
  ]);
}

test('two tests of one title in files of one process keep their own banks', () => {
  const saved = () => readdirSync(join(folder, '.sandbank')).filter((name) => name.endsWith('.sandbank'));
  ran(['a.test.mjs', 'b.test.mjs'], 'b.test.mjs');
  expect(saved()).toHaveLength(1);
  ran(['b.test.mjs'], '');
  expect(saved()).toEqual([]);
});
