import { createRequire, enableCompileCache, getCompileCacheDir } from 'node:module';

// Not imported: Node would evaluate every member of them.
const require = createRequire(import.meta.url);
const { Buffer } = require('node:buffer');
const { existsSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const here = import.meta.dirname;
const root = join(here, '..');
/** Of a clone; the package has its bundle beside this file. */
const cache = join(root, 'node_modules/.cache/sandbank');

/** Runs the command line from its bundle, and without a fresh one from the sources. Sets the exit code. */
export async function launch(args) {
  // What Node compiles is kept in its folder for temporary files, where that can be written.
  enableCompileCache();
  const isServer = args[0] === 'serve';
  const packaged = join(here, 'program.cjs');
  const bundle = existsSync(packaged) ? packaged : (freshBundle() ?? (isServer ? makeBundle() : null));
  if (bundle === null) {
    process.exitCode = await (await import('./cli/main.ts')).main(args);
    return;
  }
  const { program, keepCode } = evaluate(bundle, isServer);
  process.exitCode = await program().main(args, undefined, keepCode);
}

/**
 * Evaluates a bundle with the code of an earlier server, which `keepCode` has written. Node's own cache has the outermost functions alone,
 * and a start calls two thousand more. Other commands take that code too, and without it Node's.
 */
function evaluate(bundle, isServer) {
  const { hash } = require('node:crypto');
  const folder = getCompileCacheDir();
  const file = folder && join(folder, `sandbank-${hash('sha256', here).slice(0, 16)}.code`);
  if (!file || !(isServer || existsSync(file))) return require(bundle);
  const { Script } = require('node:vm');
  const text = readFileSync(bundle);
  const digest = hash('sha256', text, 'buffer');
  const kept = keptCode(file, digest);
  const [head, tail] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];
  const whole = Buffer.concat([Buffer.from(head), text, Buffer.from(tail)]);
  const options = { filename: bundle, columnOffset: -head.length, cachedData: kept?.subarray(digest.length) };
  const script = new Script(whole.latin1Slice(), options);
  // Freed now: megabytes would wait for a garbage collection.
  for (const read of [text, whole, kept]) read?.buffer.transfer(0);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle, dirname(bundle));
  const isKept = script.cachedDataRejected === false;
  return {
    ...module.exports,
    keepCode: isKept ? undefined : () => keepCode(file, [digest, script.createCachedData()]),
  };
}

/** The code that was kept of this text; undefined: there is none. */
function keptCode(file, digest) {
  try {
    const kept = readFileSync(file);
    return kept.subarray(0, digest.length).equals(digest) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the code of all functions that have run. Where that fails, the next start compiles them again. */
function keepCode(file, parts) {
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, Buffer.concat(parts));
    renameSync(partial, file);
  } catch {
    // It may be a full disk, or a folder of somebody else.
  }
}

/** The path of the bundle when nothing has changed that it was made of; else null. */
function freshBundle() {
  try {
    const { program, inputs } = JSON.parse(readFileSync(join(cache, 'note.json'), 'utf8'));
    const isFresh = inputs.every(([path, size, changed]) => {
      // Joined by hand: `join` takes longer than the call, for seven hundred files.
      const found = statSync(`${root}/${path}`, { throwIfNoEntry: false });
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
