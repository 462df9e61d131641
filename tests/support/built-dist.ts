import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inOneWorker, keptByTests } from './kept.ts';

/** What decides on `dist`: the sources, what they are built with, and what they are built into. */
const decisive = [
  ...['engine', 'api', 'scripts', 'fixtures', 'scenarios', 'dist'],
  ...['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'],
];
const note = join(keptByTests, 'dist.txt');

/** Builds `dist` as `npm pack` does, once for all tests: not again until something of it has changed. Returns its path. */
export async function builtDist(): Promise<string> {
  await inOneWorker('dist', () => {
    if (existsSync(note) && readFileSync(note, 'utf8') === state()) return;
    execFileSync('npm', ['run', 'prepack'], { stdio: 'pipe' });
    writeFileSync(note, state());
  });
  return resolve('dist');
}

/** Path, size and time of change of each file that is decisive. */
function state(): string {
  return decisive
    .filter((path) => existsSync(path))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]))
    .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .join('\n');
}

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map(({ parentPath, name }) => join(parentPath, name));
}
