import type { CreateBank } from './types.ts';

/** Node version that better-sqlite3 and node:zlib need. An older Node crashes on them, so they load after the check. */
const needed = 24;

/** Opens a bank for a test: in this process, in memory, its clock frozen at `now`. */
export const createBank: CreateBank = async (options = {}) => {
  requireNode(process.versions.node);
  const { openForTests } = await import('./open-for-tests.ts');
  return openForTests(options);
};

/** Throws an Error of one line if this Node version is too old. */
export function requireNode(version: string): void {
  if (Number.parseInt(version, 10) >= needed) return;
  throw new Error(`sandbank needs Node ${needed} or newer, and these tests run on ${version}.`);
}
