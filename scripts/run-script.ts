import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Mistake } from '../engine/values/mistake.ts';
import { messageOf } from '../engine/values/message-of.ts';

/**
 * Runs a script of the clone with its parsed command line. `--help` prints the usage and runs nothing. A wrong command
 * line, found by Node or thrown as a Mistake by `main`, is told above the usage: exit code 2. Other errors are thrown
 * on.
 * @param config The flags and words that it takes, as parseArgs has them.
 */
export async function runScript<Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
  main: (parsed: ReturnType<typeof parseArgs<Config>>) => void | Promise<void>,
): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage.trimEnd());
    return;
  }
  try {
    await main(parsed(config));
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    console.error(`${error.message}\n\n${usage.trimEnd()}`);
    process.exitCode = 2;
  }
}

function parsed<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new Mistake(messageOf(error));
  }
}
