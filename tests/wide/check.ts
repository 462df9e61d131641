import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processEnvironment } from '../../api/start/config.ts';
import { packedPackage } from '../full/package/built.ts';

/** The root of this clone. */
export const clone = join(import.meta.dirname, '../..');

/** A check of the packed package in an empty folder, with packages of others fetched from the registry. */
export interface WideCheck {
  /** `ts-jest`, the word after `npm run check:wide --`. */
  readonly name: string;
  readonly summary: string;
  /** Says what this machine lacks for the check; null: nothing. Left out: any machine can run it. */
  missing?(): string | null;
  /** Throws when the check fails. */
  run(place: Place): Promise<void>;
}

/** The empty folder of one check. It is removed afterwards. */
export class Place {
  readonly folder: string;
  readonly #ending: AbortSignal;

  /** `ending`: when it is aborted, the programs that run in the folder are killed. */
  constructor(folder: string, ending: AbortSignal) {
    this.folder = folder;
    this.#ending = ending;
  }

  /** A folder in this one. */
  within(name: string): Place {
    return new Place(join(this.folder, name), this.#ending);
  }

  /** Writes a file of the folder: a text, or anything else as JSON. */
  write(name: string, content: string | object): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }

  /** Makes the folder an npm project, unless it is one, and installs these packages (`jest@30`) beside the packed one. */
  async install(...packages: readonly string[]): Promise<void> {
    await this.fetch(await packedPackage(), ...packages);
  }

  /** Does so with these packages alone. */
  async fetch(...packages: readonly string[]): Promise<void> {
    if (!existsSync(join(this.folder, 'package.json'))) this.write('package.json', { private: true });
    await this.run('npm', 'install', '--no-audit', '--no-fund', ...packages);
  }

  /**
   * Runs a program in the folder, as a shell there would: one of its packages before any other, then the Node that runs this. Returns what it
   * printed, errors included.
   * @throws {ProgramFailed} with the output, when the exit code is not 0 or it takes longer than five minutes.
   */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    this.#ending.throwIfAborted();
    // In a process group of its own, so that the end reaches the children of npm and jest too.
    const child = spawn(program, args, {
      cwd: this.folder,
      env: cleanEnvironment(this.folder),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    this.#ending.addEventListener('abort', end);
    const timer = setTimeout(end, programMs);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (output += part));
    }
    try {
      await once(child, 'close');
    } finally {
      clearTimeout(timer);
      this.#ending.removeEventListener('abort', end);
    }
    this.#ending.throwIfAborted();
    if (child.exitCode === 0) return output;
    const how = child.exitCode === null ? `was ended by ${child.signalCode}` : `ended with exit code ${child.exitCode}`;
    throw new ProgramFailed(`${[program, ...args].join(' ')} ${how}`, output);
  }

  /** Runs a program that may fail, and returns what it printed. */
  async attempt(program: string, ...args: readonly string[]): Promise<{ printed: string; isFailed: boolean }> {
    try {
      return { printed: await this.run(program, ...args), isFailed: false };
    } catch (error) {
      if (error instanceof ProgramFailed) return { printed: error.printed, isFailed: true };
      throw error;
    }
  }

  /** Runs a program that has to fail, such as a red test, and returns what it printed. */
  async fail(program: string, ...args: readonly string[]): Promise<string> {
    const { printed, isFailed } = await this.attempt(program, ...args);
    if (isFailed) return printed;
    throw new Error(`${program} ${args.join(' ')} was to fail, and did not:\n${printed}`);
  }
}

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

/** The environment without what npm, node and jest set for the programs that they start. */
function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  const { PATH = '', ...rest } = processEnvironment();
  const theirs = /^(npm_(?!config_(registry|cache|userconfig)$)|NODE_(OPTIONS|ENV)$|INIT_CWD$|JEST_)/i;
  const kept = Object.entries(rest).filter(([name]) => !theirs.test(name));
  const path = PATH.split(':').filter((each) => !each.endsWith('node_modules/.bin'));
  const programs = [join(folder, 'node_modules/.bin'), dirname(process.execPath), ...path];
  return { ...Object.fromEntries(kept), PATH: programs.join(':'), NO_COLOR: '1' };
}

/** Runs a step of a check, and prints how long it took. */
export async function timed(what: string, run: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await run();
  const seconds = (performance.now() - begun) / 1000;
  console.log(`  ${what.padEnd(18)}${seconds.toFixed(1).padStart(6)} s`);
}

/** Throws an Error unless the pattern is in a text. */
export function requireText(what: string, text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${what}: ${pattern} is not in\n${text}`);
}
