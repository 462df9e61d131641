import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Ended, runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* Suites of a user for the gauntlet: programs of Node that open a bank of the build, which starts in a third of the time of the sources. */

/** Where the suites of a test file are, which makes the build first. */
export class Suites {
  readonly folder = tempFolder();
  #count = 0;

  /** The command of a suite that runs this in a bank whose clock stands on 24 March 2027, 12:00. */
  command(body: string, options = "{ now: '2027-03-24T12:00:00+01:00' }"): readonly string[] {
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
