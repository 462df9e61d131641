// CommonJS, which Node loads faster: of an imported module of its own it evaluates every member.
const { existsSync, readFileSync, statSync } = require('node:fs');
const { enableCompileCache, getCompileCacheDir } = require('node:module');
const { join } = require('node:path');
const { codeFolder, evaluate } = require('./kept-code.cjs');

const here = __dirname;
const root = join(here, '..');
/** Of a clone; the package has its build beside this file. */
const cache = join(root, 'node_modules/.cache/sandbank');

/** Runs the command line from its build, and without a fresh one from the sources. Sets the exit code. */
exports.launch = async function launch(args) {
  const folder = codeFolder();
  if (folder !== null) enableCompileCache(folder);
  const isServer = args[0] === 'serve';
  const packaged = join(here, 'program.cjs');
  const build = existsSync(packaged) ? packaged : (freshBuild() ?? (isServer ? makeBuild() : null));
  if (build === null) {
    process.exitCode = await (await import('./cli/main.ts')).main(args);
    return;
  }
  // Where Node is told to keep no code, none is kept.
  const isKept = folder !== null && getCompileCacheDir() !== undefined;
  // Other commands take the code of the server, and without it Node's.
  const kept = isKept ? evaluate(build, folder, { kind: 'server', isKeeper: isServer }) : null;
  const { program } = kept?.exports ?? require(build);
  process.exitCode = await program().main(args, undefined, kept?.keep);
};

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
 * Makes the build again, in a process of its own. Returns its place, or null if it was not made: without esbuild, or in
 * a folder that cannot be written.
 */
function makeBuild() {
  console.error('Building the sources, which takes some seconds ...');
  const { spawnSync } = require('node:child_process');
  const stdio = ['ignore', 'ignore', 'inherit'];
  const { status } = spawnSync(process.execPath, [join(here, 'build/make-build.ts'), cache], { stdio });
  if (status !== 0) console.error('The sources run without a build: the process that makes it has failed.');
  return freshBuild();
}
