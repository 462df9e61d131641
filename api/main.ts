import { ConfigError } from './config.ts';
import { helpText } from './help.ts';
import { ready } from './commands/ready.ts';
import { serve } from './commands/serve.ts';

type Command = (flags: readonly string[]) => Promise<number>;

const commands: Readonly<Record<string, Command>> = { serve, ready };

/** The command line: `sandbank serve | ready | --help`. Returns the exit code: 0, 1 for a failure, 2 for a wrong command. */
export async function main(args: readonly string[]): Promise<number> {
  const [name = 'serve', ...flags] =
    args[0]?.startsWith('--') === true && args[0] !== '--help' ? ['serve', ...args] : args;
  if (name === '--help' || name === 'help' || flags.includes('--help')) {
    console.log(helpText());
    return 0;
  }
  const command = commands[name];
  if (command === undefined) {
    console.error(`There is no command ${name}. There are ${Object.keys(commands).join(', ')}; --help tells more.`);
    return 2;
  }
  try {
    return await command(flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    return 2;
  }
}
