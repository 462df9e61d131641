const { Buffer } = require('node:buffer');
const { closeSync, fstatSync, openSync, readFileSync, readSync, readdirSync, renameSync, rmSync } = require('node:fs');
const { statSync, utimesSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { temporaryFolder } = require('../engine/ledger/own-folder.cjs');

/**
 * The folder of compiled code. Node and this file execute what is in it, so only this user may be able to write it
 * (control-plane.md B9). Null if there is no such folder.
 */
function codeFolder() {
  try {
    return temporaryFolder('code');
  } catch {
    return null;
  }
}

/**
 * Evaluates a build with the code that `keep` of an earlier process has written, for programs of the same kind: Node's
 * own cache has the outermost functions alone, and a start calls two thousand more. A keeper keeps its code when it
 * calls `keep`, and as it ends if it has done something new, before V8 forgets what a start calls. It never replaces
 * more code by less. Returns null where no code is kept and `isKeeper` is false.
 */
function evaluate(build, folder, { kind, isKeeper }) {
  const { hash } = require('node:crypto');
  const place = `${kind} ${dirname(build)} ${process.version} ${process.arch}`;
  const file = join(folder, `sandbank-${hash('sha256', place).slice(0, 16)}.code`);
  const text = functionOf(build);
  const digest = hash('sha256', text, 'buffer');
  const kept = keptCode(file, digest);
  if (kept.length === 0 && !isKeeper) return null;
  const { Script } = require('node:vm');
  const [usesRead = 0] = kept.subarray(digest.length);
  const { length: lengthRead } = kept;
  const options = { filename: build, columnOffset: -head.length, cachedData: kept.subarray(digest.length + 1) };
  const script = new Script(text.latin1Slice(), options);
  // Freed now: megabytes would wait for a garbage collection. Small buffers share their memory.
  for (const { buffer, length } of [text, kept]) if (buffer.byteLength === length) buffer.transfer(0);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(build), module, build, dirname(build));
  if (!script.cachedDataRejected) noteTaken(file);
  // What processes have done that had the code which `keep` would write.
  let uses = script.cachedDataRejected ? 0 : usesRead;
  // A server that is ready has opened a bank: 1 (api/pipeline/use-of-program.ts).
  const keep = (own = 1) => {
    if ((own & ~uses) === 0) return;
    uses |= own;
    const code = script.createCachedData();
    // Another process may have kept more meanwhile, or this one forgot what it has not run for long.
    const latest = keptCode(file, digest);
    const isRefused = script.cachedDataRejected && latest.length === lengthRead;
    if (!isRefused && digest.length + code.length < latest.length) return;
    keepCode(file, [digest, Buffer.from([uses]), code]);
  };
  if (isKeeper) {
    const collections = countCollections();
    process.once('exit', () => {
      const own = module.exports.useOfProgram();
      if (own > 0 && collections() < mostCollections) keep(own);
    });
  }
  return { exports: module.exports, keep };
}

/** V8 forgets the code of a function that was not called during six collections of all garbage (bytecode-old-age). */
const mostCollections = 4;

/** How often all garbage is collected from now on, at most {@link mostCollections}. */
function countCollections() {
  let count = 0;
  const registry = new FinalizationRegistry(() => {
    count += 1;
    if (count < mostCollections) registry.register({});
  });
  registry.register({});
  return () => count;
}

const [head, tail] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/**
 * The text of a build as that of a function, read into its place: a copy of megabytes takes as long as reading them.
 */
function functionOf(build) {
  const file = openSync(build);
  const { size } = fstatSync(file);
  const text = Buffer.allocUnsafeSlow(head.length + size + tail.length);
  text.latin1Write(head);
  readSync(file, text, head.length, size);
  text.latin1Write(tail, head.length + size);
  closeSync(file);
  return text;
}

let program = null;

/**
 * The build beside this file in a program that imports the package, evaluated once. A test of jest has a realm of its
 * own, in which V8 can evaluate no kept code.
 */
function imported() {
  program ??= evaluateImported(require.resolve('./program.cjs'));
  return program;
}

function evaluateImported(build) {
  try {
    const isNodesRealm = require('node:vm').runInThisContext('globalThis') === globalThis;
    const folder = isNodesRealm && process.env.NODE_DISABLE_COMPILE_CACHE === undefined ? codeFolder() : null;
    const evaluated = folder && evaluate(build, folder, { kind: 'imported', isKeeper: true });
    return evaluated?.exports ?? require(build);
  } catch {
    // An older Node, which the harness refuses in words.
    return require(build);
  }
}

/**
 * What the file has for this text: its digest, a byte that says what processes have done, and their code. Empty if it
 * has none.
 */
function keptCode(file, digest) {
  try {
    const kept = readFileSync(file);
    if (kept.subarray(0, digest.length).equals(digest)) return kept;
  } catch {
    // None is kept yet.
  }
  return Buffer.alloc(0);
}

/** Writes the code of all functions that have run. Where that fails, the next start compiles them again. */
function keepCode(file, parts) {
  const partial = `${file}.${process.pid}.${process.hrtime().join('')}.partial`;
  try {
    writeFileSync(partial, Buffer.concat(parts));
    renameSync(partial, file);
    removeUnused(dirname(file));
  } catch {
    // The disk may be full.
  }
}

const day = 86_400_000;

/** Sets the time of kept code that is taken, once a day. */
function noteTaken(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > day) utimesSync(file, new Date(), new Date());
  } catch {
    // Another process may have removed it.
  }
}

/** Removes what no process has taken for two weeks: code of earlier versions, and what a killed process left behind. */
function removeUnused(folder) {
  for (const name of readdirSync(folder)) {
    if (!/^sandbank-.*\.(?:code|partial)$/.test(name)) continue;
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > 14 * day) rmSync(path, { force: true });
  }
}

module.exports = { codeFolder, evaluate, imported };
