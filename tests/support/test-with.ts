import { spawnSync } from 'node:child_process';
import { describe, test } from '@jest/globals';

/*
 * Tests of what a machine may lack. Where it does, they are skipped, and their names end with what is missing: the reporter counts by it.
 */

/** `test`, where the machine has this: `testWith(hasGo, 'Go')('...', ...)`. */
export function testWith(isHere: boolean, what: string): typeof test {
  if (isHere) return test;
  const skip = (name: string, run: () => void) => test.skip(lacking(name, what), run);
  const each = (cases: readonly unknown[]) => (name: string, run: () => void) =>
    test.skip.each(cases)(lacking(name, what), run);
  return Object.assign(skip, { each }) as unknown as typeof test;
}

/** Whether the machine has a program of this name. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version']).error === undefined;
}

/** `test`, where the machine has curl. */
export const withCurl = testWith(hasProgram('curl'), 'curl');

/** `describe`, where the machine has this. */
export function describeWith(isHere: boolean, what: string): (name: string, suite: () => void) => void {
  return isHere ? describe : (name, suite) => describe.skip(lacking(name, what), suite);
}

/** As count-reporter.js reads it. */
function lacking(name: string, what: string): string {
  return `${name} (skipped: no ${what})`;
}
