// Takes Node's timers as soon as `sandbank` is imported, before a test fakes them.
import '../../engine/time/clock.ts';
import { wrongGiven } from './given.ts';
import { noteUse } from '../pipeline/use-of-program.ts';
import type { ConnectBank, CreateBank, FakeTimers, FollowClock, OpenPlatform } from './types/index.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/**
 * The first Node whose zlib has Zstandard. One without Node-API 10 is crashed by better-sqlite3, so that loads after
 * the check.
 */
const needed = [22, 15] as const;

/** The member of a bank by which its clock is followed. Its own file would load the engine. */
const follows = Symbol.for('sandbank.follow-clock');

/** Opens a bank for a test: in this process, in memory, its clock frozen at `now`. */
export const createBank: CreateBank = async (options = {}) => {
  requireNode(process.versions.node);
  const { openForTests } = await import('./bank-server.ts');
  const bank = await openForTests(options);
  noteUse('a bank was opened');
  return bank;
};

/** Reaches the bank of a server with the same calls. */
export const connectBank: ConnectBank = async (address, options = {}) => {
  requireNode(process.versions.node);
  const { connectOverHttp } = await import('./connect-bank.ts');
  return connectOverHttp(address, options);
};

/** Has the fake clock of a test go with the clock of a bank. */
export const followClock: FollowClock = async (bank, timers) => {
  const { [follows]: follow } = Object(bank) as { readonly [follows]?: (timers: FakeTimers) => Promise<() => void> };
  if (follow === undefined) throw wrongGiven('followClock', 'a bank of createBank or connectBank', bank);
  return follow(timers);
};

/** Throws a Mistake of one line if this Node version is too old. */
export function requireNode(version: string): void {
  // Node 23 has it from 23.6 on, has ended, and is not supported.
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > needed[0] + 1 || (major === needed[0] && minor >= needed[1])) return;
  throw new Mistake(
    `sandbank needs Node ${needed.join('.')}, or 24 or newer, and these tests run on ${version}. ` +
      'npm install --save-dev node@24 gives this project its own, for npm test and npx.',
  );
}

/** Opens every bank of the platform for a test, each as createBank opens a bank of its profile. */
export const openPlatform: OpenPlatform = async (options = {}) => {
  requireNode(process.versions.node);
  const { openAll } = await import('./platform.ts');
  return openAll(options);
};
