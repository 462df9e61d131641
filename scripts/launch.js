import { createRequire, enableCompileCache } from 'node:module';

// Not imported: Node would evaluate every member of them.
const require = createRequire(import.meta.url);
const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const here = import.meta.dirname;
const root = join(here, '..');
/** Of a clone; the package has its bundle beside this file. */
const cache = join(root, 'node_modules/.cache/sandbank');

/** Runs the command line from its bundle, and without a fresh one from the sources. Sets the exit code. */
export async function launch(args) {
  // What Node compiles is kept in its folder for temporary files, where that can be written.
  enableCompileCache();
  const { main } = await commandLine(args);
  process.exitCode = await main(args);
}

async function commandLine([command]) {
  const packaged = join(here, 'program.cjs');
  if (existsSync(packaged)) return require(packaged).program();
  const bundle = freshBundle() ?? (command === 'serve' ? makeBundle() : null);
  return bundle === null ? import('./cli/main.ts') : require(bundle).program();
}

/** The path of the bundle when nothing has changed that it was made of; else null. */
function freshBundle() {
  try {
    const { program, inputs } = JSON.parse(readFileSync(join(cache, 'note.json'), 'utf8'));
    const isFresh = inputs.every(([path, size, changed]) => {
      const found = statSync(join(root, path), { throwIfNoEntry: false });
      return found?.size === size && found.mtimeMs === changed;
    });
    return isFresh && existsSync(join(cache, program)) ? join(cache, program) : null;
  } catch {
    return null;
  }
}

/**
 * Makes the bundle anew, in a process that ends and says whether it is made. Null where that does not work: without esbuild, or where the
 * folder cannot be written.
 */
function makeBundle() {
  const { spawnSync } = require('node:child_process');
  const stdio = ['ignore', 'ignore', 'inherit'];
  const { status } = spawnSync(process.execPath, [join(here, 'bundle/make-bundle.ts'), cache], { stdio });
  if (status !== 0) console.error('The sources run without a bundle: the process that makes it has failed.');
  return freshBundle();
}
