import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inOneWorker, keptByTests } from '../../support/kept.ts';

/** What decides on `dist`: the sources, what they are built with, and what they are built into. */
const decisive = [
  ...['engine', 'api', 'scripts', 'fixtures', 'scenarios', 'docs', 'README.md', 'dist'],
  ...['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'],
];
/** What else decides on the package. */
const packed = ['CHANGELOG.md', 'LICENSE', 'examples'];

/** Builds `dist` as `npm pack` does, once for all tests: not again until something of it has changed. Returns its path. */
export async function builtDist(): Promise<string> {
  await madeOnce('dist', decisive, () => execFileSync('npm', ['run', 'prepack'], { stdio: 'pipe' }));
  return resolve('dist');
}

/** Packs the package as `npm pack` does, once for all tests. Returns the path of the archive. */
export async function packedPackage(): Promise<string> {
  await builtDist();
  const folder = join(keptByTests, 'packed');
  await madeOnce('packed', [...decisive, ...packed], () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    // What prepack does is done.
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { stdio: 'pipe' });
  });
  const [archive = ''] = readdirSync(folder);
  return join(folder, archive);
}

/** Makes what these paths decide on, unless it was made when they were as they are now. */
async function madeOnce(name: string, paths: readonly string[], make: () => void): Promise<void> {
  const note = join(keptByTests, `${name}.txt`);
  await inOneWorker(name, () => {
    if (existsSync(note) && readFileSync(note, 'utf8') === stateOf(paths)) return;
    make();
    writeFileSync(note, stateOf(paths));
  });
}

/** Path, size and time of change of each file of these. */
function stateOf(paths: readonly string[]): string {
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]))
    .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .join('\n');
}

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map(({ parentPath, name }) => join(parentPath, name));
}
