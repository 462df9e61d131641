import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { noCompileCache } from '../../support/kept.ts';
import { packedPackage } from './built.ts';

const runFile = promisify(execFile);

/** The environment of a process in a project, with more of its own. */
export function surroundings(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...noCompileCache, ...more };
}

/** What a program in a project has printed; throws when its exit code is not 0. */
export function run(
  program: string,
  words: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return runFile(program, words, { cwd, env: surroundings(more) });
}

/** What a program in a project has printed, and its exit code. */
function ended(...started: Parameters<typeof run>): Promise<Ended> {
  return run(...started).then(
    (printed) => ({ code: 0, ...printed }),
    (error: unknown) => error as Ended,
  );
}

export const modules = resolve('node_modules');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The package as somebody else has it: packed, and unpacked into an empty project. Nothing is fetched: the package needs no other, and
 * those of its tests are linked.
 */
export class Project {
  /** A folder for what is beside the project. */
  readonly beside = mkdtempSync(join(tmpdir(), 'sandbank-package-'));
  readonly path = join(this.beside, 'project');
  readonly own = join(this.path, 'node_modules/sandbank');

  private constructor() {
    mkdirSync(this.own, { recursive: true });
  }

  static async lay(): Promise<Project> {
    const project = new Project();
    await runFile('tar', ['-xzf', await packedPackage(), '-C', project.own, '--strip-components=1']);
    for (const name of ['jest', '@jest/globals', 'expect', '@types/node', '@swc/jest']) project.link(name);
    project.write('package.json', '{ "name": "project", "private": true }');
    return project;
  }

  /** The files of the package. */
  get packed(): readonly string[] {
    return readdirSync(this.own, { recursive: true, encoding: 'utf8' });
  }

  link(name: string): void {
    const path = join(this.path, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(modules, name), path);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), text);
  }

  /** Runs jest in the project. */
  async jest(words: readonly string[], nodeOptions: string): Promise<Ended> {
    return this.#jest(this.path, ['--rootDir', this.path, ...words], nodeOptions, {});
  }

  /** Runs jest by the configuration in a folder of the project. */
  async jestIn(
    name: string,
    nodeOptions: string,
    more: Record<string, string> = {},
    words: readonly string[] = [],
  ): Promise<Ended> {
    return this.#jest(join(this.path, name), ['--config', 'jest.json', ...words], nodeOptions, more);
  }

  /** Runs Node in a folder of the project. */
  node(name: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return ended(process.execPath, words, join(this.path, name), more);
  }

  async #jest(cwd: string, words: readonly string[], nodeOptions: string, more: NodeJS.ProcessEnv): Promise<Ended> {
    const env = { NODE_OPTIONS: nodeOptions, FORCE_COLOR: '0', ...more };
    // The five seconds that a test has by itself are not enough on a busy machine.
    const args = [join(modules, 'jest/bin/jest.js'), '--testTimeout', '30000', ...words];
    return ended(process.execPath, args, cwd, env);
  }

  remove(): void {
    rmSync(this.beside, { recursive: true, force: true });
  }
}
