import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { processEnvironment } from '../../api/start/config.ts';

/** Time limit of one program. */
const programMs = 300_000;

/** A program ended with another exit code than 0. The message has what it printed, too. */
export class ProgramFailed extends Error {
  readonly printed: string;

  constructor(problem: string, printed: string) {
    super(`${problem}:\n${printed}`);
    this.printed = printed;
  }
}

/**
 * Runs a program in a folder, as a shell there would: one of the folder's packages before any other, then the Node that runs
 * this. Returns what it printed, errors included.
 * @param ending Aborted: the program is killed with its children, and the reason is thrown.
 * @throws {ProgramFailed} when it fails or takes longer than five minutes.
 */
export async function runIn(folder: string, words: readonly string[], ending?: AbortSignal): Promise<string> {
  ending?.throwIfAborted();
  const [program = '', ...args] = words;
  // In a process group of its own, so that the end reaches the children of npm and jest too.
  const child = spawn(program, args, {
    cwd: folder,
    env: cleanEnvironment(folder),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  ending?.addEventListener('abort', end);
  const timer = setTimeout(end, programMs);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  }
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(timer);
    ending?.removeEventListener('abort', end);
  }
  ending?.throwIfAborted();
  if (child.exitCode === 0) return output;
  const how = child.exitCode === null ? `was ended by ${child.signalCode}` : `ended with exit code ${child.exitCode}`;
  throw new ProgramFailed(`${words.join(' ')} ${how}`, output);
}

/** The environment without what npm, node and jest set for the programs that they start. */
function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  const { PATH = '', ...rest } = processEnvironment();
  const theirs = /^(npm_(?!config_(registry|cache|userconfig)$)|NODE_(OPTIONS|ENV)$|INIT_CWD$|JEST_)/i;
  const kept = Object.entries(rest).filter(([name]) => !theirs.test(name));
  const path = PATH.split(':').filter((each) => !each.endsWith('node_modules/.bin'));
  const programs = [join(folder, 'node_modules/.bin'), dirname(process.execPath), ...path];
  return { ...Object.fromEntries(kept), PATH: programs.join(':'), NO_COLOR: '1' };
}
