import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { processEnvironment } from '../../api/start/config.ts';

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

interface Given {
  readonly clone: string;
  readonly tarball: () => Promise<string>;
  readonly ending: AbortSignal;
}

/** The empty folder of one check. It is removed afterwards. */
export class Place {
  readonly folder: string;
  /** The root of this clone. */
  readonly clone: string;
  readonly #given: Given;

  constructor(folder: string, given: Given) {
    this.folder = folder;
    this.#given = given;
    this.clone = given.clone;
  }

  /** A folder in this one. */
  within(name: string): Place {
    return new Place(join(this.folder, name), this.#given);
  }

  /** Path of the package as `npm pack` makes it: packed once for all checks. */
  tarball(): Promise<string> {
    return this.#given.tarball();
  }

  /** Writes a file of the folder: a text, or anything else as JSON. */
  write(name: string, content: string | object): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }

  /** A JSON file of the folder. */
  read(name: string): unknown {
    return JSON.parse(readFileSync(join(this.folder, name), 'utf8'));
  }

  /** Makes the folder an npm project with the tarball and these packages (`jest@30`). */
  async install(...packages: readonly string[]): Promise<void> {
    await this.run('npm', 'install', '--no-audit', '--no-fund', await this.tarball(), ...packages);
  }

  /**
   * Runs a program in the folder, one of its packages before any other, and returns what it printed.
   * @throws {ProgramFailed} with the output, when the exit code is not 0 or it takes longer than five minutes.
   */
  run(program: string, ...args: readonly string[]): Promise<string> {
    return runIn(this.folder, [program, ...args], this.#given.ending);
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

/**
 * Runs a program in a folder, as a shell there would: one of the folder's packages before any other, then the Node that runs
 * this. Returns what it printed, errors included.
 * @param ending Aborted: the program is killed with its children, and the reason is thrown.
 * @throws {ProgramFailed} when it fails or takes longer than five minutes.
 */
async function runIn(folder: string, words: readonly string[], ending?: AbortSignal): Promise<string> {
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

/** Runs a step of a check, and prints how long it took. */
export async function timed(what: string, run: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await run();
  const seconds = (performance.now() - begun) / 1000;
  console.log(`  ${what.padEnd(18)}${seconds.toFixed(1).padStart(6)} s`);
}

/** What a copy of the clone does without. */
const left = ['.git', 'node_modules', 'dist', 'data', 'coverage', 'tests'];

/**
 * Packs a copy of the clone, made in `folder`, so that nobody else's build is in the way and `dist` stays as it is. Returns the
 * path of the tarball, which is in `folder` too.
 */
export async function pack(clone: string, folder: string, ending?: AbortSignal): Promise<string> {
  const copy = join(folder, 'source');
  mkdirSync(copy);
  for (const name of readdirSync(clone)) {
    if (!left.includes(name)) cpSync(join(clone, name), join(copy, basename(name)), { recursive: true });
  }
  symlinkSync(join(clone, 'node_modules'), join(copy, 'node_modules'));
  await runIn(copy, ['npm', 'pack', '--pack-destination', folder], ending);
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return join(folder, tarball);
}

/** Throws an Error unless the pattern is in a text. */
export function requireText(what: string, text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${what}: ${pattern} is not in\n${text}`);
}
