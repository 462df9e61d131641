import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pageBlocks } from '../../support/markdown.ts';
import { Project } from './project.ts';

/* docs/tests/prepared.md: the global set-up prepares one bank, and the tests of four workers begin with copies of it. */

let project: Project;
beforeAll(async () => (project = await Project.lay()), 120_000);
afterAll(() => project.remove());

const blocks = pageBlocks('docs/tests/prepared.md').map(({ text }) => text);
const block = (words: string): string => blocks.find((text) => text.includes(words)) ?? '';

test('jest prepares once, and each of four workers tests a copy', async () => {
  project.write('package.json', '{ "name": "project", "private": true, "type": "module" }');
  project.write('prepare.js', block('export default async function prepare'));
  project.write('jest.config.json', block('"globalSetup"'));
  const meets = (worker: number): string => `
import { writeFileSync, readdirSync } from 'node:fs';
test('runs beside the three others', async () => {
  writeFileSync('worker-${worker}.' + process.env.JEST_WORKER_ID, '');
  while (readdirSync('.').filter((name) => name.startsWith('worker-')).length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
}, 60_000);`;
  for (const worker of [1, 2, 3, 4]) project.write(`copy-${worker}.test.js`, block('pays on Monday') + meets(worker));
  const { code, stdout, stderr } = await project.jest(['--maxWorkers=4'], '--experimental-vm-modules');
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('8 passed')]);
  expect(existsSync(join(project.path, 'prepared.sandbank'))).toBe(true);
  const workers = readdirSync(project.path).flatMap((name) => /^worker-\d\.(\d+)$/.exec(name)?.[1] ?? []);
  expect(new Set(workers).size).toBe(4);
}, 180_000);
