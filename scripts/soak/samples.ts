import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Campaign, demand } from './campaign.ts';

/** The files of tests that try a sample of something: a page is looked at by axe in one of four ways. */
export function sampledTests(root = 'tests'): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('soak'))
    .map((name) => join(root, name))
    .filter((path) => /from '.*\/support\/(?:sample|axe)\.ts'/.test(readFileSync(path, 'utf8')))
    .toSorted();
}

/** The tests that try a sample in each run of the suite, with all of it. Needs no seed. */
export const samples: Campaign = {
  unit: 'files of tests',
  usualCount: sampledTests().length,
  run: async ({ count, tally, step }) => {
    for (const file of sampledTests().slice(0, count)) {
      const env = { ...process.env, SAMPLE: 'all' };
      const words = ['--run', 'test', '--', '--testTimeout', '600000', file];
      const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'inherit', 'inherit'] });
      const [code] = (await once(child, 'close')) as [number | null];
      demand(code === 0, `${file} fails with all of its texts`);
      tally(file);
      step();
    }
  },
};
