/* Stands for two modules in files that share theirs. The names are live: modules that imported them see what is set. */

/** Of `@jest/globals`: the functions of the file that runs. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test;

/** Sets the functions for the next file. */
export function useGlobals(functions) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = functions);
}

/**
 * Of api/start/prepared.ts, as a module of the bundle stands for it there: banks begin as copies of one seeded ledger, which takes half
 * the time of inserting its rows.
 */
export let prepared = null;

/** `made`: what scripts/bundle/prepare.ts makes. */
export function usePrepared(made) {
  prepared = made;
}
