import { Server } from 'node:net';
import { env } from 'node:process';
import { setImmediate } from 'node:timers';

/** A limit of a test or a hook is for an idle machine. It ends what hangs, so it may be this many times as long on a busy one. */
const patience = 5;

function extendLimits({ hooks, children }) {
  for (const one of [...hooks, ...children]) if (one.timeout !== undefined) one.timeout *= patience;
  for (const child of children) if (child.type === 'describeBlock') extendLimits(child);
}

/** The servers for which the process would wait at its end. */
function openServers() {
  return process._getActiveHandles().filter((handle) => handle instanceof Server);
}

/** The events of jest-circus that tell of a failure. */
const failures = new Set(['error', 'hook_failure', 'test_fn_failure']);

/**
 * Runs a file of tests among the modules that the worker has loaded already, beside `runtime.js`. What a file changes in its
 * process is put back after it. A file that needs modules and globals of its own begins with a comment that says
 * `@jest-environment node`; only such a file has the `jest` object.
 */
export default class SharedEnvironment {
  global = globalThis;

  #console = globalThis.console;
  #exit = process.exit;
  #env = { ...env };
  #directory = process.cwd();
  #servers = openServers();
  /** Such a file may leave anything open: what failed is told alone. */
  #hasFailed = false;

  /** Jest asks for it before it uses an environment; nothing is run in a context. */
  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  setup() {}

  /** Called by jest-circus; at the event `run_start` all tests of the file are known. */
  handleTestEvent({ name }, state) {
    if (failures.has(name)) this.#hasFailed = true;
    if (name !== 'run_start') return;
    state.testTimeout *= patience;
    extendLimits(state.rootDescribeBlock);
  }

  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    process.exitCode = undefined;
    if (process.cwd() !== this.#directory) process.chdir(this.#directory);
    for (const name of Object.keys(env)) if (!(name in this.#env)) Reflect.deleteProperty(env, name);
    Object.assign(env, this.#env);
    // One that is closed is there until the loop has turned.
    for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
    const left = openServers().filter((server) => !this.#servers.includes(server));
    for (const server of left) {
      server.close();
      server.closeAllConnections?.();
    }
    if (left.length > 0 && !this.#hasFailed)
      throw new Error('The file leaves a server open, for which jest would wait at the end.');
  }
}
