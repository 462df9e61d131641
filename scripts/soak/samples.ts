import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Campaign, Violation } from './campaign.ts';

/** The files of tests that try a sample of something: a page is looked at by axe in one of two widths. */
export function sampledTests(root = 'tests'): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        name.endsWith('.test.ts') &&
        !name.startsWith('soak') &&
        /from '.*\/support\/(?:sample|axe)\.ts'/.test(readFileSync(join(root, name), 'utf8')),
    )
    .map((name) => join(root, name))
    .toSorted();
}

/** The tests that try a sample in each run of the suite, with all of it. Needs no seed. */
export const samples: Campaign = {
  unit: 'files of tests',
  usualCount: sampledTests().length,
  run: async ({ count, tally, step }) => {
    for (const file of sampledTests().slice(0, count)) {
      const env = { ...process.env, SAMPLE: 'all' };
      const child = spawn(process.execPath, ['--run', 'test', '--', '--testTimeout', '600000', file], {
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Violation(`${file} fails with all of its texts`);
      tally(file);
      step();
    }
  },
};
