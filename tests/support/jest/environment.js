import { env } from 'node:process';

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

  /** Jest asks for it before it uses an environment; nothing is run in a context. */
  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  setup() {}

  teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    process.exitCode = undefined;
    if (process.cwd() !== this.#directory) process.chdir(this.#directory);
    for (const name of Object.keys(env)) if (!(name in this.#env)) Reflect.deleteProperty(env, name);
    Object.assign(env, this.#env);
  }
}
