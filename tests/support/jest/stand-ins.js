/* Replaces two modules in test files that share modules. */

let functions = {};

/** Sets the functions of `@jest/globals` for the next file. */
export function useGlobals(next) {
  functions = next;
}

/** A function of the file that runs, even if a module has kept it since an earlier file. */
function current(name) {
  return new Proxy(() => undefined, {
    apply: (_target, _this, words) => functions[name](...words),
    get: (_target, key) => functions[name][key],
  });
}

export const [afterAll, afterEach, beforeAll, beforeEach] = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach'].map(
  current,
);
export const [describe, expect, it, test] = ['describe', 'expect', 'it', 'test'].map(current);

/**
 * Replaces `prepared` of api/start/prepared.ts, as the build does: banks begin as copies of one seeded ledger, which takes half the time
 * of inserting its rows.
 */
export let prepared = null;

/** `made`: what scripts/build/prepare.ts makes. */
export function usePrepared(made) {
  prepared = made;
}
