import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import '../../../scripts/own-package.js';
import SharedEnvironment from './environment.js';
import { useGlobals, usePrepared } from './stand-ins.js';

/*
 * The runtime of jest for this suite. The usual one links and evaluates the whole module graph anew for each file of tests, which is half
 * of what the suite costs: 40 files took 45 s of the processor with it and 24 s with this one. Here Node loads the modules, once for
 * each worker; jest runs, times and reports the tests as always. No version of jest promises what it asks of a runtime:
 * - jest 29 asks for all but `enterTestCode` and `leaveTestCode`.
 * - jest 30.0 to 30.5 asks for these two around each test and hook, or it is a TypeError. It keeps EVENT_HANDLERS on the global object: unless
 *   that is deleted before each file, the hooks of a file are called in the next one too.
 * - A later one may ask for more: "runtime.x is not a function", in all files. Or it begins a file in another way: tests of one are counted in another.
 * So tests/run.js runs one version only. To take another, read how jest-runner and jest-circus use `runtime`, and run
 * tests/full/processes/shared-modules.test.ts, which holds what this file promises. `npm test -- --plain` runs without this file.
 */

const addressOf = (path) => pathToFileURL(join(import.meta.dirname, path)).href;
/** Modules that have another one in their place. */
const replaced = new Map([
  ['@jest/globals', addressOf('stand-ins.js')],
  [addressOf('../../../api/start/prepared.ts'), addressOf('stand-ins.js')],
  [addressOf('../../../api/signing/certificate/key-pair.ts'), addressOf('keys.js')],
]);
registerHooks({
  resolve: (specifier, context, next) => {
    const global = replaced.get(specifier);
    if (global !== undefined) return { url: global, shortCircuit: true };
    const found = next(specifier, context);
    return { ...found, url: replaced.get(found.url) ?? found.url };
  },
});

let preparing = null;

/** Makes the seeded ledger of this process, for its first file of tests. */
function prepareOnce() {
  preparing ??= import('../../../scripts/build/prepare.ts').then(({ prepare }) => prepare()).then(usePrepared);
  return preparing;
}

/**
 * Ends a worker as soon as it has nothing left to do. Node would free its heap first, page by page, and on a busy machine that takes longer than
 * the 500 ms after which jest kills a worker and reports a leak.
 */
function endAtOnce() {
  process.exit();
}
if (process.send !== undefined) process.once('beforeExit', endAtOnce);

const require = createRequire(import.meta.url);
const { default: IsolatedRuntime } = require('jest-runtime');

/** What jest-runner and jest-circus ask of a runtime. */
class SharedRuntime {
  /**
   * How often each file was evaluated: one of tests, and a setup file for it, is evaluated anew each time; what they import is not.
   * In most runs a file of tests has one address, so that Node finds what it compiled of it before.
   */
  static #times = new Map();

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await prepareOnce();
    const times = (SharedRuntime.#times.get(path) ?? 0) + 1;
    SharedRuntime.#times.set(path, times);
    return import(`${pathToFileURL(path).href}?time=${times}`);
  }

  /** Loads jest-circus, which keeps the tests of one file: anew for each. */
  requireInternalModule(path) {
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    Reflect.deleteProperty(require.cache, path);
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(functions) {
    useGlobals(functions);
  }

  getSourceMaps() {
    return null;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}

/** The runtime for the environment that the file asks for, which jest makes with `new`. */
function Runtime(config, environment, ...rest) {
  if (environment instanceof SharedEnvironment) return new SharedRuntime();
  return new IsolatedRuntime(config, environment, ...rest);
}

// Jest loads this file by require.
export { Runtime as 'module.exports' };
