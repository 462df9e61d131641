import { createRequire, enableCompileCache, getCompileCacheDir } from 'node:module';
import { temporaryFolder } from '../engine/ledger/own-folder.js';

// Not imported: Node would evaluate every member of them.
const require = createRequire(import.meta.url);
const { Buffer } = require('node:buffer');
const { existsSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const here = import.meta.dirname;
const root = join(here, '..');
/** Of a clone; the package has its build beside this file. */
const cache = join(root, 'node_modules/.cache/sandbank');

/** Runs the command line from its build, and without a fresh one from the sources. Sets the exit code. */
export async function launch(args) {
  const folder = codeFolder();
  if (folder !== null) enableCompileCache(folder);
  const isServer = args[0] === 'serve';
  const packaged = join(here, 'program.cjs');
  const build = existsSync(packaged) ? packaged : (freshBuild() ?? (isServer ? makeBuild() : null));
  if (build === null) {
    process.exitCode = await (await import('./cli/main.ts')).main(args);
    return;
  }
  const { program, keepCode } = evaluate(build, isServer, folder);
  process.exitCode = await program().main(args, undefined, keepCode);
}

/** The folder of compiled code, which Node and this file execute, or null if there is none that only this user can write. */
function codeFolder() {
  try {
    return temporaryFolder('code');
  } catch {
    return null;
  }
}

/**
 * Evaluates a build with the code of an earlier server, which `keepCode` has written. Node's own cache has the outermost functions alone,
 * and a start calls two thousand more. Other commands take that code too, and without it Node's.
 */
function evaluate(build, isServer, folder) {
  if (folder === null || getCompileCacheDir() === undefined) return require(build);
  const { hash } = require('node:crypto');
  const file = join(folder, `sandbank-${hash('sha256', here).slice(0, 16)}.code`);
  const text = readFileSync(build);
  const digest = hash('sha256', text, 'buffer');
  const kept = keptCode(file, digest);
  if (kept.length === 0 && !isServer) return require(build);
  const [head, tail] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];
  const whole = Buffer.concat([Buffer.from(head), text, Buffer.from(tail)]);
  const { Script } = require('node:vm');
  const options = { filename: build, columnOffset: -head.length, cachedData: kept.subarray(digest.length) };
  const script = new Script(whole.latin1Slice(), options);
  // Freed now: megabytes would wait for a garbage collection. Small buffers share their memory.
  for (const { buffer, length } of [text, whole, kept]) if (buffer.byteLength === length) buffer.transfer(0);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(build), module, build, dirname(build));
  const { program } = module.exports;
  return { program, keepCode: () => script.cachedDataRejected && keepCode(file, digest, script) };
}

/** The digest of this text and the code that was kept of it; empty: there is none. */
function keptCode(file, digest) {
  try {
    const kept = readFileSync(file);
    if (kept.subarray(0, digest.length).equals(digest)) return kept;
  } catch {
    // No server has kept any yet.
  }
  return Buffer.alloc(0);
}

/** Writes the code of all functions that have run. Where that fails, the next start compiles them again. */
function keepCode(file, digest, script) {
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, Buffer.concat([digest, script.createCachedData()]));
    renameSync(partial, file);
  } catch {
    // The disk may be full.
  }
}

/** The path of the build when nothing has changed that it was made of; else null. */
function freshBuild() {
  try {
    if (!isOfOwner(cache)) return null;
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

/** Whether only this user, or the owner of the sources, can have written into a folder of the clone. */
function isOfOwner(folder) {
  const { uid, mode } = statSync(folder);
  return (
    (uid === process.getuid?.() || uid === statSync(here).uid) && (process.platform === 'win32' || (mode & 0o002) === 0)
  );
}

/**
 * Makes the build anew, in a process that ends and says whether it is made. Null where that does not work: without esbuild, or where the
 * folder cannot be written.
 */
function makeBuild() {
  console.error('Building the sources, which takes some seconds ...');
  const { spawnSync } = require('node:child_process');
  const stdio = ['ignore', 'ignore', 'inherit'];
  const { status } = spawnSync(process.execPath, [join(here, 'build/make-build.ts'), cache], { stdio });
  if (status !== 0) console.error('The sources run without a build: the process that makes it has failed.');
  return freshBuild();
}
