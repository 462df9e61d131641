import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type Ended, runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* Suites of a user for the gauntlet: programs of Node that open a bank of the build. */

/** Where the suites of a test file are, which makes the build first. */
export class Suites {
  readonly folder = tempFolder();
  #count = 0;
  #runner: ChildProcess | null = null;

  constructor() {
    beforeAll(async () => {
      this.#runner = fork('tests/gauntlet/suite-runner.js', [this.#socket]);
      await once(this.#runner, 'message');
    });
    afterAll(() => void this.#runner?.kill('SIGKILL'));
  }

  get #socket(): string {
    return join(this.folder, 'runner');
  }

  /**
   * The command of a suite that runs this in a bank whose clock stands on 24 March 2027, 12:00. All such suites of a test
   * file run in one process, which has loaded the package: each takes a fifth of the time of an {@link alone} one.
   */
  command(body: string, options?: string): readonly string[] {
    const [node = '', file = ''] = this.alone(body, options);
    return [node, resolve('tests/gauntlet/in-runner.js'), this.#socket, file];
  }

  /** As {@link command}, in a process of its own: for a suite that does not end by itself, or starts others. */
  alone(body: string, options = "{ now: '2027-03-24T12:00:00+01:00' }"): readonly string[] {
    return this.program(`
import assert from 'node:assert/strict';
import { createBank } from '${resolve('dist/api/harness/index.mjs')}';
const bank = await createBank(${options});
const tpp = bank.tpp();
${body}
await bank.close();
`);
  }

  /** The command of any program of Node. */
  program(text: string): readonly string[] {
    const file = join(this.folder, `suite-${(this.#count += 1)}.mjs`);
    writeFileSync(file, text);
    return [process.execPath, file];
  }
}

/** Runs the gauntlet with these flags on a command, as a person does. */
export function gauntlet(
  flags: readonly string[],
  command: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const args = ['gauntlet', ...flags, ...(command.length === 0 ? [] : ['--', ...command])];
  return runMain(args, { env: { ...process.env, ...env } });
}
