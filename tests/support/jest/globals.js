/** Stands for `@jest/globals` in files that share their modules: the functions of the file that runs. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test;

/** Sets the functions for the next file. The names above are live: modules that imported them see the new ones. */
export function use(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals);
}
