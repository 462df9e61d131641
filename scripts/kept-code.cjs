const { Buffer } = require('node:buffer');
const { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { temporaryFolder } = require('../engine/ledger/own-folder.cjs');

/** The folder of compiled code, which Node and this file execute, or null if there is none that only this user can write (control-plane.md B9). */
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
 * calls `keep`, and as it ends if it has used a bank; what a process that used more has kept stays. Returns null where
 * no code is kept and `isKeeper` is false.
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
  const use = kept[digest.length];
  const options = { filename: build, columnOffset: -head.length, cachedData: kept.subarray(digest.length + 1) };
  const script = new Script(text.latin1Slice(), options);
  // Freed now: megabytes would wait for a garbage collection. Small buffers share their memory.
  for (const { buffer, length } of [text, kept]) if (buffer.byteLength === length) buffer.transfer(0);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(build), module, build, dirname(build));
  const keep = (own = 1) => {
    if (!script.cachedDataRejected && own <= use) return;
    // Another process may have kept more meanwhile.
    if (own < keptCode(file, digest)[digest.length]) return;
    keepCode(file, [digest, [own]], script);
  };
  if (isKeeper)
    process.once('exit', () => {
      const own = module.exports.useOfBanks();
      if (own > 0) keep(own);
    });
  return { exports: module.exports, keep };
}

const [head, tail] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/** The text of a build as that of a function, read into its place: a copy of megabytes takes as long as reading them. */
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

/** The digest of this text, a byte for the use of the process, and the code that it kept; empty: there is none. */
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
function keepCode(file, [digest, use], script) {
  const partial = `${file}.${process.pid}.${process.hrtime().join('')}.partial`;
  try {
    writeFileSync(partial, Buffer.concat([digest, Buffer.from(use), script.createCachedData()]));
    renameSync(partial, file);
  } catch {
    // The disk may be full.
  }
}

module.exports = { codeFolder, evaluate, imported };
