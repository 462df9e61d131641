import { constrainedMemory } from 'node:process';
import { totalmem } from 'node:os';

const megabyte = 1024 * 1024;

/** What an open bank takes at most while it is used, in bytes, beside its payments: its router, its statements and its pages. */
const ofBank = 4 * megabyte;

/** What the rest of the process takes, in bytes. */
const ofProcess = 256 * megabyte;

/** The part of the memory beside the process that open banks may take. */
const share = 1 / 2;

/** So many banks stay open on any machine. */
const fewest = 16;

/** Number of named banks that may stay open in so much memory, in bytes. */
export function openBanksIn(memory: number): number {
  return Math.max(fewest, Math.floor(((memory - ofProcess) * share) / ofBank));
}

/** The memory that this process may take, in bytes: that of its container where it has a limit, else that of the machine. */
export function memoryOfProcess(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
