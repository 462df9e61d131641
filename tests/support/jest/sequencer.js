import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { default: TestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** A time limit of a test, in ms. */
const limit = /\b\d+_000(?=[,)])/g;

/**
 * Jest starts the files first that took the longest. Where it knows of none, as in a fresh clone, it starts the largest first; here
 * those whose tests have the longest time limits: else a run ends with one of them on one core.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    const limits = new Map(sorted.map(({ path }) => [path, longestLimit(readFileSync(path, 'utf8'))]));
    return sorted.toSorted((one, other) => limits.get(other.path) - limits.get(one.path));
  }
}

function longestLimit(text) {
  return Math.max(0, ...(text.match(limit) ?? []).map((found) => Number(found.replace('_', ''))));
}
